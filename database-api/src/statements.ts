/** Plain SQL. Parameters are written `$1`, `$2`, … in both dialects. */
export interface Statements {
  readonly dialect: Dialect
  /** Rows of a query or of a `RETURNING` clause. */
  query<R = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<R[]>
}

export type Dialect = 'sqlite' | 'postgres'
