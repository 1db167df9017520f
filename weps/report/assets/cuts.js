// Which pages are together after so many merges: people are nodes of the tree, pages are rows.
class Cut {
  constructor(held, own) {
    this.held = held;
    this.own = own; // row -> node
    this.members = new Map(); // node -> rows, ascending
    own.forEach((node, row) => {
      if (this.members.has(node)) this.members.get(node).push(row);
      else this.members.set(node, [row]);
    });
  }

  static asAnswered() {
    return new Cut(data.held, data.own);
  }

  static after(held) {
    const top = Array.from({ length: size + held }, (_, node) => node);
    for (let merge = held - 1; merge >= 0; merge -= 1) {
      for (const part of data.nodes[merge]) top[part] = top[size + merge];
    }
    return new Cut(held, top.slice(0, size));
  }

  // The probable people among those of the cut: node -> rows, ascending.
  get parts() {
    this.found ??= new Map([...this.members.keys()].flatMap((node) => people.get(node).parts)
      .map((part) => [part, ascending(rowsOf(part))]));
    return this.found;
  }

  // The rows of a person or part; none of any other node.
  rows(node) {
    return this.members.get(node) ?? this.parts.get(node);
  }

  has(node, row) {
    return this.own[row] === node || Boolean(this.parts.get(node)?.includes(row));
  }

  get alone() {
    return [...this.members.values()].filter((together) => together.length === 1).length;
  }
}

// The merges within a node, most probable first.
function mergesWithin(node) {
  const found = [];
  for (const open = [node]; open.length;) {
    const merge = open.pop() - size;
    if (merge < 0) continue;
    found.push(merge);
    open.push(...data.nodes[merge]);
  }
  return found.sort((one, other) => one - other);
}
