// Public API of the database for plugins. It needs no database driver, so that a plugin can do without the database.
export type { Dialect, Statements } from './statements.js'
export * from './table.js'
export * from './database.js'
export { newId } from '@mynah/kernel/util'
