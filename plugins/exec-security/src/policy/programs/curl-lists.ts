const MAX_LISTS = 64

/** Every choice of the lists that curl expands, also of those with one item. Ranges are kept. */
export function expandCurlLists(shape: string): readonly string[] {
  const list = /\{([^{}]*)\}/.exec(shape)
  if (list === null) return [shape]
  const rest = expandCurlLists(shape.slice(list.index + list[0].length))
  const choices = (list[1] ?? '').split(',')
  if (rest.length * choices.length > MAX_LISTS) return [shape]
  return choices.flatMap((choice) => rest.map((end) => shape.slice(0, list.index) + choice + end))
}
