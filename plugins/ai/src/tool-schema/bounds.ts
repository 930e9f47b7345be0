import { definitionOf, definitionsOf, IN_PLACE, INNER, schemasAt, type Schema } from './schema.js'
import { UnusableSchema } from './unusable-schema.js'

/** The most references that are followed for one place of an input. */
const MAX_FOLLOWED = 1_000

/**
 * Refuses schemas whose check would not end, or would take too long even for the smallest input.
 *
 * @throws UnusableSchema
 */
export function assertBounded(whole: Schema): void {
  const definitions = definitionsOf(whole)
  const followed = new Map<string, number>()
  const open = new Set<string>()
  const places: (Schema | boolean)[] = [whole]

  /** Returns the number of references that are followed for the place of a schema. */
  function count(schema: Schema | boolean, depth = 0): number {
    if (typeof schema === 'boolean') return 0
    for (const keyword of INNER) places.push(...schemasAt(schema, keyword))
    const name = definitionOf(schema)
    let sum = name === undefined ? 0 : 1 + countAt(name, depth)
    for (const keyword of IN_PLACE) for (const inner of schemasAt(schema, keyword)) sum += count(inner, depth + 1)
    if (Math.max(sum, depth) > MAX_FOLLOWED)
      throw new UnusableSchema('', 'has so many references that checking an input takes too long')
    return sum
  }

  function countAt(name: string, depth = 0): number {
    const known = followed.get(name)
    if (known !== undefined) return known
    if (open.has(name)) throw new UnusableSchema(name ? `$defs.${name}` : '', 'refers to itself without end')
    open.add(name)
    const sum = count(definitions.get(name) ?? true, depth + 1)
    open.delete(name)
    followed.set(name, sum)
    return sum
  }

  for (let place = places.pop(); place !== undefined; place = places.pop()) count(place)
  for (const name of definitions.keys()) countAt(name)
}
