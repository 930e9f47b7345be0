/**
 * Returns the strongly connected components of a graph (Tarjan's algorithm). A component comes after all components
 * that it points to. Works without recursion, since a chain may be as long as the list of nodes.
 */
export function strongComponents<T>(nodes: readonly T[], edgesOf: (node: T) => readonly T[]): T[][] {
  const components: T[][] = []
  const index = new Map<T, number>()
  const low = new Map<T, number>()
  const stack: T[] = []
  const onStack = new Set<T>()
  const visit = (node: T): { node: T; edges: Iterator<T> } => {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    stack.push(node)
    onStack.add(node)
    return { node, edges: edgesOf(node)[Symbol.iterator]() }
  }
  const lower = (node: T, to: number): void => void low.set(node, Math.min(low.get(node) as number, to))
  for (const start of nodes) {
    if (index.has(start)) continue
    const path = [visit(start)]
    for (let frame = path.at(-1); frame; frame = path.at(-1)) {
      const { node, edges } = frame
      const next = edges.next()
      if (!next.done) {
        if (!index.has(next.value)) path.push(visit(next.value))
        else if (onStack.has(next.value)) lower(node, index.get(next.value) as number)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent) lower(parent.node, low.get(node) as number)
      if (low.get(node) !== index.get(node)) continue
      const component = stack.splice(stack.lastIndexOf(node))
      for (const member of component) onStack.delete(member)
      components.push(component)
    }
  }
  return components
}

/** Returns the shortest path from a node back to itself within its component, or undefined when there is none. */
export function shortestCycle<T>(
  start: T,
  component: ReadonlySet<T>,
  edgesOf: (node: T) => readonly T[],
): T[] | undefined {
  const previous = new Map<T, T>()
  const reached = [start]
  for (const node of reached) {
    for (const next of edgesOf(node)) {
      if (next === start) {
        const path = [node, start]
        while (path[0] !== start) path.unshift(previous.get(path[0] as T) as T)
        return path
      }
      if (!component.has(next) || previous.has(next)) continue
      previous.set(next, node)
      reached.push(next)
    }
  }
  return undefined
}
