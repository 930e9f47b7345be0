import type { PluginDetail, PluginItem, PluginNeed } from '@mynah/contract/types'

/** A plugin on one side of another one, with the services between them. */
export interface Neighbour {
  readonly name: string
  /** As the list has it; undefined if it is not there yet. */
  readonly plugin: PluginItem | undefined
  readonly services: readonly string[]
  /** Whether one of the two runs without the other. */
  readonly optional: boolean
}

/** Returns the plugins on the other side of needs, those that cannot be missing first. */
export function neighboursOf(needs: readonly PluginNeed[], all: readonly PluginItem[]): Neighbour[] {
  const names = [...new Set(needs.flatMap(({ plugin }) => plugin ?? []))]
  return names
    .map((name) => {
      const between = needs.filter(({ plugin }) => plugin === name)
      return {
        name,
        plugin: all.find((item) => item.name === name),
        services: [...new Set(between.map(({ service }) => service))],
        optional: between.every(({ kind }) => kind !== 'required'),
      }
    })
    .sort((a, b) => Number(a.optional) - Number(b.optional) || a.name.localeCompare(b.name))
}

/** Returns the services that no plugin provides: the host does, or nothing. */
export const withoutPlugin = ({ needs = [] }: Pick<PluginDetail, 'needs'>): string[] =>
  needs.filter(({ plugin }) => plugin === undefined).map(({ service }) => service)

/** Returns the curves from the middle of each of `rows` to the middle of the whole height, as paths of an SVG. */
export function curves(rows: number, rowHeight: number, width: number, height: number): string[] {
  const middle = height / 2
  const top = (height - rows * rowHeight) / 2
  return Array.from({ length: rows }, (_, index) => {
    const y = top + (index + 0.5) * rowHeight
    return `M0 ${y}C${width / 2} ${y} ${width / 2} ${middle} ${width} ${middle}`
  })
}
