// Page confidence at a cut, as in weps/clustering/confidence.py and weps/people/building.py.
const logit = (probability, epsilon) => {
  const bounded = Math.min(Math.max(probability, epsilon), 1 - epsilon);
  return Math.log(bounded / (1 - bounded));
};
const DISPLAY = 1e-4;
const PREDICTOR = 0.05;
const logistic = (odds) => 1 / (1 + Math.exp(-odds));

const LARGEST = 65535;
const probabilityOf = (code) => {
  if (code === 0 || code === LARGEST) return code / LARGEST;
  return logistic(((code - 1) / (LARGEST - 2)) * 2 * data.reach - data.reach);
};

let unpacked = null;
// Probabilities of all pairs as two square matrices: of the classifier, and calibrated for display.
function squares() {
  if (unpacked) return unpacked;
  const bytes = Uint8Array.from(atob(data.pairs), (letter) => letter.charCodeAt(0));
  const [slope, shift] = data.calibration;
  const judged = new Float64Array(size * size);
  const shown = new Float64Array(size * size);
  let at = 0;
  for (let first = 0; first < size; first += 1) {
    for (let second = first + 1; second < size; second += 1, at += 2) {
      const code = bytes[at] | (bytes[at + 1] << 8);
      const probability = probabilityOf(code);
      const said = code === 0 || code === LARGEST;
      const asItIs = said || (slope === 1 && shift === 0);
      const told = asItIs ? probability : logistic(slope * logit(probability, DISPLAY) + shift);
      judged[first * size + second] = judged[second * size + first] = probability;
      shown[first * size + second] = shown[second * size + first] = told;
    }
  }
  unpacked = { judged, shown };
  return unpacked;
}

function mean(square, row, together) {
  let total = 0;
  for (const other of together) total += square[row * size + other];
  return total / Math.max(together.length - (together.includes(row) ? 1 : 0), 1);
}

function median(square, row, together) {
  const sorted = together.filter((other) => other !== row).map((other) => square[row * size + other])
    .sort((one, other) => one - other);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// The mean probability of all pairs of a cluster of several, computed once for each cut.
function cohesion(node, cut) {
  cut.cohesion ??= new Map();
  if (!cut.cohesion.has(node)) {
    const together = cut.members.get(node);
    const total = together.reduce((sum, row) => sum + mean(squares().judged, row, together), 0);
    cut.cohesion.set(node, total / together.length);
  }
  return cut.cohesion.get(node);
}

// Constraints from corrections, see weps/clustering/agglomeration.py.
function confirmed(row, together) {
  if (!data.component) return false;
  const ours = data.component[row];
  if (data.right.includes(row)) return true;
  if (together.length > 1) {
    return 2 * (together.filter((other) => data.component[other] === ours).length - 1) > together.length - 1;
  }
  const apart = new Set(data.apart.filter((pair) => pair.includes(ours)).flat());
  return size > 1 && data.component.every((other, at) => at === row || apart.has(other));
}

function scoreOf(row, cut) {
  const { judged } = squares();
  const together = cut.members.get(cut.own[row]);
  let odds = 0;
  if (together.length === 1) {
    let outside = 0;
    for (const [node, others] of cut.members) {
      if (node !== cut.own[row]) outside = Math.max(outside, mean(judged, row, others));
    }
    odds = data.alone[0] + data.alone[1] * logit(outside, PREDICTOR);
  } else {
    const inside = logit(median(judged, row, together), PREDICTOR);
    const [base, own, ownByPages, ofCluster] = data.together;
    odds = base + (own + ownByPages * Math.log(together.length)) * inside
      + ofCluster * logit(cohesion(cut.own[row], cut), PREDICTOR);
  }
  const bound = data.unfamiliar.includes(row) ? data.usual[Number(together.length === 1)] : 1;
  const score = rounded(Math.min(logistic(odds), bound) * 1e4);
  return Math.min(Math.max(score, 1), 9999) / 1e4;
}

function nearestOf(row, cut) {
  const { shown } = squares();
  let best = [-1, -1];
  for (const [node, others] of cut.members) {
    const near = node === cut.own[row] ? -1 : mean(shown, row, others);
    if (near > best[1]) best = [node, near];
  }
  return best[0];
}

function mostProbable(row, fits) {
  const { shown } = squares();
  let best = [-1, -1];
  for (let other = 0; other < size; other += 1) {
    const probability = shown[row * size + other];
    if (other !== row && fits(other) && probability > best[1]) best = [other, probability];
  }
  return best;
}

// For each row the fields of data.told: score, person an unsure page may belong to, closest page, rival,
// whether it is confirmed.
function assess(cut) {
  if (cut.held === data.held) return data.told;
  return rows.map((_, row) => {
    const settled = confirmed(row, cut.members.get(cut.own[row]));
    const score = settled ? 1 : scoreOf(row, cut);
    const same = mostProbable(row, (other) => cut.own[other] === cut.own[row]);
    const rival = mostProbable(row, (other) => cut.own[other] !== cut.own[row]);
    return [score, score < 0.5 ? nearestOf(row, cut) : -1, ...same, ...rival, Number(settled)];
  });
}

const inWords = (probability) => data.certainties.find(([least]) => probability >= least)[1];
