// Which pages are together after so many merges: people are nodes of the tree, pages are rows.
class Cut {
  constructor(held, members) {
    this.held = held;
    this.members = members; // node -> rows, ascending
    this.own = new Array(size); // row -> node
    for (const [node, together] of members) for (const row of together) this.own[row] = node;
  }

  static asAnswered() {
    const members = new Map();
    data.own.forEach((node, row) => members.set(node, [...(members.get(node) ?? []), row]));
    return new Cut(data.held, members);
  }

  static after(held) {
    const members = new Map(rows.map((_, row) => [row, [row]]));
    data.nodes.slice(0, held).forEach(([first, second], merge) => {
      const union = [...members.get(first), ...members.get(second)];
      members.delete(first);
      members.delete(second);
      members.set(size + merge, union.sort((one, other) => one - other));
    });
    return new Cut(held, members);
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
