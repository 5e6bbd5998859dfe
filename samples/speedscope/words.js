// Counts words, and walks a tree of them: what samples/speedscope/make takes a profile of.
'use strict'

function words(seed, count) {
  const list = []
  for (let i = 0; i < count; i++) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    list.push('w' + (seed % 5000).toString(36))
  }
  return list
}

class Tree {
  constructor() {
    this.root = null
  }
  add(word) {
    const place = node =>
      node === null ? {word, n: 1, left: null, right: null}
        : word === node.word ? (node.n++, node)
        : word < node.word ? (node.left = place(node.left), node)
        : (node.right = place(node.right), node)
    this.root = place(this.root)
  }
  total(node = this.root) {
    return node === null ? 0 : node.n + this.total(node.left) + this.total(node.right)
  }
}

function histogram(list) {
  const counts = new Map()
  list.forEach(word => counts.set(word, (counts.get(word) || 0) + 1))
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

const tree = new Tree()
const list = words(42, 30000)
list.forEach(word => tree.add(word))
console.log(histogram(list).length, tree.total())
