/** A page of rows, from the host or cut here. */
export interface ListPage<T> {
  readonly rows: readonly T[]
  readonly total: number
  readonly page: number
  readonly totalPages: number
  /** Number of rows without the filter, if known. */
  readonly unfilteredTotal?: number
  /** A remark of the host about the list. */
  readonly note?: string
}

export interface PaginateOptions<T> {
  readonly filter: string
  readonly page: number
  readonly pageSize: number
  /** Text of a row that the filter searches. */
  readonly text: (row: T) => string
  /** `name` ascending, `-name` descending. */
  readonly sort?: string
  readonly by?: Readonly<Record<string, (row: T) => string | number>>
}

/** Returns the requested page, or the last one if there are fewer. */
export function paginate<T>(
  all: readonly T[],
  { filter, page, pageSize, text, sort, by }: PaginateOptions<T>,
): ListPage<T> {
  const needle = filter.trim().toLowerCase()
  const found = needle ? all.filter((row) => text(row).toLowerCase().includes(needle)) : [...all]
  const down = sort?.startsWith('-') ?? false
  const value = by?.[down ? (sort ?? '').slice(1) : (sort ?? '')]
  if (value) {
    found.sort((a, b) => {
      const [left, right] = [value(a), value(b)]
      const order =
        typeof left === 'number' && typeof right === 'number' ? left - right : String(left).localeCompare(String(right))
      return down ? -order : order
    })
  }
  const totalPages = Math.ceil(found.length / pageSize)
  const actual = Math.min(Math.max(1, page), Math.max(1, totalPages))
  return {
    rows: found.slice((actual - 1) * pageSize, actual * pageSize),
    total: found.length,
    page: actual,
    totalPages,
    unfilteredTotal: all.length,
  }
}

/** Returns the number in an address, or 1. */
export function parsePageNumber(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}
