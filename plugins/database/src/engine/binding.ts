/** The used part of the module `sqlite3`. */
export interface SqliteModule {
  readonly OPEN_READONLY: number
  readonly Database: new (file: string, callback: (error: Error | null) => void) => SqliteConnection
  readonly Statement: new (
    connection: SqliteConnection,
    sql: string,
    prepared: (error: Error | null) => void,
  ) => SqliteStatement
  verbose(): SqliteModule
}
export interface SqliteStatement {
  run(parameters: readonly unknown[], callback: (this: { readonly changes: number }, error: Error | null) => void): void
  all(parameters: readonly unknown[], callback: (error: Error | null, rows: Record<string, unknown>[]) => void): void
  /** Ends the run of the statement, also one that was refused. */
  reset(callback: () => void): void
  finalize(): void
}
export interface SqliteConnection {
  run(sql: string, callback: (error: Error | null) => void): void
  all(sql: string, callback: (error: Error | null, rows: Record<string, unknown>[]) => void): void
  close(callback: (error: Error | null) => void): void
}

/** Message for an operator whose installation lacks the native part. */
export const BINDING_HINT =
  'The native part of sqlite3 is missing. Add "allowScripts": { "sqlite3": true } to the package.json ' +
  'next to the configuration file and run: npm rebuild sqlite3'

/**
 * Loads sqlite3, whose native part is missing if install scripts were not allowed.
 *
 * @throws Error with a hint if the native part is missing
 */
export async function loadSqlite(load: () => Promise<unknown> = () => import('sqlite3')): Promise<SqliteModule> {
  let loaded: { default?: SqliteModule } & SqliteModule
  try {
    loaded = (await load()) as typeof loaded
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const missing =
      code === 'ERR_DLOPEN_FAILED' ||
      code === 'ERR_MODULE_NOT_FOUND' ||
      code === 'MODULE_NOT_FOUND' ||
      /bindings file/i.test(message)
    throw missing ? new Error(BINDING_HINT, { cause: error }) : error
  }
  const sqlite = loaded.default ?? loaded
  // The ORM asks for the verbose module, which records a stack trace for every statement.
  const plain: SqliteModule = {
    OPEN_READONLY: sqlite.OPEN_READONLY,
    Database: sqlite.Database,
    Statement: sqlite.Statement,
    verbose: () => plain,
  }
  return plain
}
