/** Values of one condition `$in`, half of what the database takes. */
const BATCH = 500

/** Runs a query for lists of any length, in batches, one after the other. Returns all of its rows. */
export async function inBatches<T, R>(
  values: readonly T[],
  query: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const rows: R[] = []
  for (let at = 0; at < values.length; at += BATCH) rows.push(...(await query(values.slice(at, at + BATCH))))
  return rows
}
