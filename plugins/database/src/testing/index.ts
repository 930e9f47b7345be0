// For tests of plugins that store things: an empty store on every database system that can run here.
export * from './fixture.js'
export { openSqlite } from '../engine/sqlite.js'
export { Store } from '../store/store.js'
