// What plugin authors import: the kernel's and chat's authoring API, declarations of the wire, and every point.
export {
  changed, Configuration, createHost, definePlugin, draining, FatalError, hook, HostControl, HostPaths, ifEnabled, KernelError, late, logged, NotReady, point, service, Supervisor,
  type Applied, type BaseContext, type Clock, type Context, type Contribution, type Delta, type Hook, type HookOptions, type HostOptions, type IfEnabled, type Late, type Logger,
  type LogLevel, type LogRecord, type ManyClaims, type Mistake, type Need, type Needs, type Plugin, type PluginEntry, type PluginView, type Point, type Reader, type Ref, type Resolved, type Running, type Service, type SingleClaim,
} from '@mynah/kernel'
export { Type } from '@mynah/contract/type'
export { contract, WireError, type Contract, type RestOperation, type RpcMethod, type StreamEvent } from '@mynah/contract'
export { Http, readinessChecks, route, routes, type Call, type HttpHost, type Principal, type RawCall, type Route } from '@mynah/plugin-http-core/api'
export { method, rpcMethods, type BoundMethod } from '@mynah/plugin-console-rpc/api'
export { declare, event, EventLog, publish, snapshotChanged, streamEvents, streamSnapshots, type DeclaredEvent, type LoggedEvent, type Publication, type Snapshot } from '@mynah/plugin-events/api'
export { consoleEntries, type ConsoleEntrySource } from '@mynah/plugin-entries/api'
export * from '@mynah/plugin-chat/api'
