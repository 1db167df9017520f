// Page confidence at a cut, as in weps/clustering/confidence.py and weps/people/building.py.
const logit = (probability, epsilon) => {
  const bounded = Math.min(Math.max(probability, epsilon), 1 - epsilon);
  return Math.log(bounded / (1 - bounded));
};
const DISPLAY = 1e-4;
const PREDICTOR = 0.05;
const logistic = (odds) => 1 / (1 + Math.exp(-odds));

const LARGEST = 4095;
const probabilityOf = (code) => {
  if (code === 0 || code === LARGEST) return code / LARGEST;
  return logistic(((code - 1) / (LARGEST - 2)) * 2 * data.reach - data.reach);
};

// Calibrated for display; what corrections settle is as they say.
function calibrated(probability) {
  const [slope, shift] = data.calibration;
  const asItIs = probability === 0 || probability === 1 || (slope === 1 && shift === 0);
  return asItIs ? probability : logistic(slope * logit(probability, DISPLAY) + shift);
}

// Columns of numbers, each as its lower bytes, then its higher bytes; see weps/report/data.py.
function column(bytes, begin, length) {
  return Uint16Array.from({ length }, (_, at) => bytes[begin + at] | (bytes[begin + length + at] << 8));
}

// The known pairs: of each row how many are with later rows, which these are, and the codes.
function knownPairs() {
  if (data.known === null) {
    const counts = Array.from({ length: size }, (_, row) => size - 1 - row);
    return { counts, steps: null, codes: column(pairBytes, 0, (size * (size - 1)) / 2) };
  }
  return {
    counts: column(pairBytes, 0, size),
    steps: column(pairBytes, 2 * size, data.known),
    codes: column(pairBytes, 2 * (size + data.known), data.known),
  };
}

let graph = null;
// For each row from where to where its pairs are, with the other row of each and the probabilities:
// of the classifier, and for display.
function pairs() {
  if (graph) return graph;
  const { counts, steps, codes } = knownPairs();
  const judgedOf = Float64Array.from({ length: LARGEST + 1 }, (_, code) => probabilityOf(code));
  const shownOf = judgedOf.map(calibrated);
  const later = new Uint32Array(codes.length);
  const starts = new Uint32Array(size + 1);
  for (let row = 0, at = 0; row < size; row += 1) {
    starts[row + 1] += counts[row];
    for (let other = row, end = at + counts[row]; at < end; at += 1) {
      other += steps ? steps[at] : 1;
      later[at] = other;
      starts[other + 1] += 1;
    }
  }
  for (let row = 0; row < size; row += 1) starts[row + 1] += starts[row];
  const next = starts.slice(0, size);
  const others = new Uint32Array(2 * codes.length);
  const judged = new Float64Array(2 * codes.length);
  const shown = new Float64Array(2 * codes.length);
  const put = (row, other, code) => {
    others[next[row]] = other;
    judged[next[row]] = judgedOf[code];
    shown[next[row]] = shownOf[code];
    next[row] += 1;
  };
  for (let row = 0, at = 0; row < size; row += 1) {
    for (let end = at + counts[row]; at < end; at += 1) {
      put(row, later[at], codes[at]);
      put(later[at], row, codes[at]);
    }
  }
  graph = { starts, others, judged, shown };
  return graph;
}

const sums = new Float64Array(2 * size);
const counts = new Uint32Array(2 * size);

// The greatest mean probability of a page with another cluster; ties go to the first.
function nearestOf(row, cut, values, missing) {
  const { starts, others } = pairs();
  const own = cut.own[row];
  const known = [];
  for (let at = starts[row]; at < starts[row + 1]; at += 1) {
    const node = cut.own[others[at]];
    if (node === own) continue;
    if (counts[node] === 0) known.push(node);
    counts[node] += 1;
    sums[node] += values[at] - missing;
  }
  const firstOf = (node) => cut.members.get(node)[0];
  let best = [-1, -1];
  for (const node of known) {
    const near = missing + sums[node] / cut.members.get(node).length;
    if (near > best[1] || (near === best[1] && firstOf(node) < firstOf(best[0]))) best = [node, near];
    counts[node] = sums[node] = 0;
  }
  if (known.length + 1 >= cut.members.size || best[1] >= missing) return best;
  const unknown = [...cut.members.keys()].find((node) => node !== own && !known.includes(node));
  return [unknown, missing];
}

// The middle of the probabilities of a page and the others of its cluster.
function medianOf(row, cut) {
  const { starts, others, judged } = pairs();
  const number = cut.members.get(cut.own[row]).length - 1;
  const known = [];
  for (let at = starts[row]; at < starts[row + 1]; at += 1) {
    if (cut.own[others[at]] === cut.own[row]) known.push(judged[at]);
  }
  const sorted = Float64Array.from(known).sort();
  let below = sorted.findIndex((each) => each >= data.missing);
  if (below < 0) below = sorted.length;
  const missing = number - sorted.length;
  const at = (place) => {
    if (place < below) return sorted[place];
    return place < below + missing ? data.missing : sorted[place - missing];
  };
  return (at((number - 1) >> 1) + at(number >> 1)) / 2;
}

// The mean probability of all pairs of a cluster of several, computed once for each cut.
function cohesion(node, cut) {
  cut.cohesion ??= new Map();
  if (!cut.cohesion.has(node)) {
    const { starts, others, judged } = pairs();
    const together = cut.members.get(node);
    let excess = 0;
    for (const row of together) {
      for (let at = starts[row]; at < starts[row + 1]; at += 1) {
        if (cut.own[others[at]] === node) excess += judged[at] - data.missing;
      }
    }
    cut.cohesion.set(node, data.missing + excess / (together.length * (together.length - 1)));
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

const unfamiliar = new Set(data.unfamiliar);

// Linked pages are right together: each is as probable as the surest of them.
function equalise(assessed) {
  const greatest = new Map();
  const componentOf = (row) => data.component?.[row] ?? -1 - row;
  assessed.forEach(([score], row) => greatest.set(componentOf(row), Math.max(score, greatest.get(componentOf(row)) ?? 0)));
  assessed.forEach((fields, row) => {
    fields[0] = greatest.get(componentOf(row));
    if (fields[0] >= 0.5) fields[1] = -1;
  });
}

function scoreOf(row, cut) {
  const together = cut.members.get(cut.own[row]);
  let odds = 0;
  if (together.length === 1) {
    const outside = Math.max(nearestOf(row, cut, pairs().judged, data.missing)[1], 0);
    odds = data.alone[0] + data.alone[1] * logit(outside, PREDICTOR);
  } else {
    const inside = logit(medianOf(row, cut), PREDICTOR);
    const [base, own, ownByPages, ofCluster] = data.together;
    odds = base + (own + ownByPages * Math.log(together.length)) * inside
      + ofCluster * logit(cohesion(cut.own[row], cut), PREDICTOR);
  }
  const bound = unfamiliar.has(row) ? data.usual[Number(together.length === 1)] : 1;
  const score = rounded(Math.min(logistic(odds), bound) * 1e4);
  return Math.min(Math.max(score, 1), 9999) / 1e4;
}

// The most probable known pairs with a page of the same person, and of any other.
function neighboursOf(row, cut) {
  const { starts, others, shown } = pairs();
  let [closest, close, rival, far] = [-1, 0, -1, 0];
  for (let at = starts[row]; at < starts[row + 1]; at += 1) {
    const other = others[at];
    if (cut.own[other] === cut.own[row]) {
      if (closest < 0 || shown[at] > close) [closest, close] = [other, shown[at]];
    } else if (rival < 0 || shown[at] > far) [rival, far] = [other, shown[at]];
  }
  return [closest, close, rival, far];
}

// For each row the fields of data.assessed: score, person an unsure page may belong to, closest page, rival,
// whether it is confirmed.
function assess(cut) {
  if (cut.held === data.held) return data.assessed;
  const { shown } = pairs();
  const missing = calibrated(data.missing);
  const assessed = pages.map((_, row) => {
    const settled = confirmed(row, cut.members.get(cut.own[row]));
    const score = settled ? 1 : scoreOf(row, cut);
    const nearest = score < 0.5 ? nearestOf(row, cut, shown, missing)[0] : -1;
    return [score, nearest, ...neighboursOf(row, cut), Number(settled)];
  });
  equalise(assessed);
  // Where few pairs are known, those of near-duplicates are with the first, which stands for them.
  for (const [row, original] of data.known === null ? [] : data.copies) {
    const settled = assessed[row][6] || assessed[original][6];
    if (!settled && cut.own[row] === cut.own[original]) assessed[row].splice(0, 2, ...assessed[original].slice(0, 2));
  }
  return assessed;
}

const inWords = (probability) => data.certainties.find(([least]) => probability >= least)[1];
