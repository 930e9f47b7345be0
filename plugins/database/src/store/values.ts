// Values of many rows as a piece of SQL that yields them in order, in columns called column1, column2, …

/** A piece of SQL, and what its placeholders stand for, from $1 on. */
export interface Values {
  readonly sql: string
  readonly parameters: unknown[]
}

type WellFormed = { isWellFormed(): boolean }

/** Whether SQLite reads it from JSON as it would have been bound. */
function isExact(value: unknown): boolean {
  if (typeof value === 'string') return (value as string & WellFormed).isWellFormed() && !value.includes('\0')
  return value === null || (typeof value === 'number' && Number.isFinite(value))
}

/**
 * Values of rows that have the same columns.
 *
 * SQLite takes them as one parameter where it can: the text is then the same for any number of rows, so that it is parsed once,
 * while a list of a thousand placeholders takes it longer than the rows themselves.
 *
 * @param types What is written behind a placeholder of each column in the first row, for a system that asks for types.
 */
export function valuesOf(
  rows: readonly (readonly unknown[])[],
  options: { readonly json: boolean; readonly types?: readonly string[] },
): Values {
  const [first = []] = rows
  if (options.json && rows.length > 1 && rows.every((row) => row.every(isExact))) {
    const columns = first.map((_, index) => `value ->> ${index} AS column${index + 1}`)
    return { sql: `SELECT ${columns.join(', ')} FROM json_each($1) WHERE true`, parameters: [JSON.stringify(rows)] }
  }
  const parameters: unknown[] = []
  const tuples = rows.map(
    (row, at) =>
      `(${row.map((value, index) => `$${parameters.push(value)}${at === 0 ? (options.types?.[index] ?? '') : ''}`).join(', ')})`,
  )
  return { sql: `VALUES ${tuples.join(', ')}`, parameters }
}
