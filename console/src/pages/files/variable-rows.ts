import type { EnvLine } from './model.js'

export type Variable = Extract<EnvLine, { name: string }>

/** Rows that are drawn at once: more of them, each with a field, take too long. */
export const STEP = 40
/** Fewer than at first: those before them are compared again. */
export const MORE = 20

interface Variables {
  readonly lines: readonly Variable[]
  /** Names that were taken out. */
  readonly gone: readonly string[]
}

interface View {
  /** Part of a name, in any case. Values are never searched: matches would give them away. */
  readonly filter: string
  readonly most: number
  /** These are in view wherever they are in the file. */
  readonly touched: ReadonlySet<string>
}

/** Returns the rows of the table, and how many more there are. */
export function rowsToShow({ lines, gone }: Variables, { filter, most, touched }: View) {
  const needle = filter.trim().toLowerCase()
  const isFound = (name: string): boolean => name.toLowerCase().includes(needle)
  const found = lines.filter(({ name }) => isFound(name))
  const shown = found.filter(({ name }, index) => index < most || touched.has(name))
  const foundGone = gone.filter(isFound)
  const shownGone = foundGone.filter((name, index) => index < most || touched.has(name))
  return { shown, gone: shownGone, left: found.length + foundGone.length - shown.length - shownGone.length }
}
