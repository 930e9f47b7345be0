// For tests of plugins that store things: an empty store on every database system that can run here.
export * from './fixture.js'
export { openSqlite } from '../engine/sqlite.js'
export { Store } from '../store/store.js'
export { needPostgres } from './postgres-server.js'
export { startProxy, type TcpProxy } from './tcp-proxy.js'
export { openPostgres } from '../engine/postgres.js'
