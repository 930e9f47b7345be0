/** A piece of SQL with its parameters, from $1 on. */
export interface Values {
  readonly sql: string
  readonly parameters: unknown[]
}

type WellFormed = { isWellFormed(): boolean }

/** Returns whether SQLite reads a value from JSON exactly as if it were bound. */
function isExact(value: unknown): boolean {
  if (typeof value === 'string') return (value as string & WellFormed).isWellFormed() && !value.includes('\0')
  return value === null || (typeof value === 'number' && Number.isFinite(value))
}

/**
 * Returns SQL that yields rows in order, in columns named column1, column2, …
 *
 * SQLite gets all values as one JSON parameter if possible. The text is then the same for any number of rows and is parsed
 * once, while parsing a thousand placeholders takes longer than writing the rows.
 *
 * @param types casts after the placeholders of the first row, for systems that need types
 */
export function valuesClause(
  rows: readonly (readonly unknown[])[],
  options: { readonly json: boolean; readonly types?: readonly string[] },
): Values {
  const [first = []] = rows
  if (options.json && rows.length > 1 && rows.every((row) => row.every(isExact))) {
    const columns = first.map((_, index) => `value ->> ${index} AS column${index + 1}`)
    return { sql: `SELECT ${columns.join(', ')} FROM json_each($1) WHERE true`, parameters: [JSON.stringify(rows)] }
  }
  const parameters: unknown[] = []
  const tuples = rows.map((row, at) => {
    const castOf = (index: number): string => (at === 0 ? (options.types?.[index] ?? '') : '')
    return `(${row.map((value, index) => `$${parameters.push(value)}${castOf(index)}`).join(', ')})`
  })
  return { sql: `VALUES ${tuples.join(', ')}`, parameters }
}
