// The client of a Mynah host, for browsers and Node.
export { createClient, type Client, type ClientOptions } from './client.js'
export { normalizeBase } from './address.js'
export {
  clearToken,
  forgetToken,
  loadConnection,
  readLink,
  saveConnection,
  type Connection,
  type ConnectionStorage,
} from './connection.js'
export { HostError, NetworkError, type NetworkReason } from './errors.js'
export { probe, type ProbeResult } from './probe.js'
export type { EventStream } from './events.js'
export type { Frame, StreamState } from './host-stream.js'
export type { Clock } from './clock.js'
export type { Fetch, Obstacle } from './obstacle.js'
export type {
  CallOptions,
  CoreWire,
  EventPayload,
  Hints,
  Methods,
  Operations,
  RestArguments,
  RestResult,
  RpcArguments,
  RpcResult,
  Wire,
  WireWith,
} from './contract-types.js'
export { loadConsoleEntries, startConsoleEntries, type ConsoleEntries, type LoadEntriesOptions } from './entries.js'
export {
  EntryError,
  type DeclaredRoute,
  type EntryFailure,
  type EntryHostApi,
  type EntryRoute,
  type EntryState,
  type EntryTool,
  type RouteMeta,
  type RouteRegistration,
  type ToolRegistration,
} from './entry-types.js'
export type { ImportModule } from './entry-module.js'
export type { IsElement } from './entry-validation.js'
