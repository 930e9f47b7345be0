// The kernel: host, plugins, services, contributions, hooks, scopes.
export { systemClock, type Clock } from './base/clock.js'
export type { BaseContext, Context } from './core/context.js'
export {
  FatalError,
  KernelError,
  kernelCauses,
  kernelErrors,
  NotReady,
  type KernelCode,
  type SourceLocation,
} from './base/errors.js'
export { messageOf, stackOf, toError } from './base/to-error.js'
export { closestMatch } from './base/closest-match.js'
export type { HookOptions } from './core/hooks.js'
export { HostControl, HostPaths, Supervisor } from './core/host-services.js'
export type { Checked, HostOptions, Outcome, PluginEntry, Refusal, Report } from './core/entry.js'
export { Host } from './core/host.js'
export { createHost } from './create-host.js'
export type { Renewal } from './core/definition.js'
export type { KeepOptions, KeptStore } from './core/kept.js'
export { packagesOf, type PluginView, type Residue } from './core/inspect.js'
export type { RecordedError } from './core/error-history.js'
export type { PluginState } from './core/instance.js'
export type { Origin } from './core/origin.js'
export { logged, type Logger, type LogLevel, type LogRecord } from './base/log.js'
export { changed, draining, configRolledBack, started } from './base/host-hooks.js'
export {
  assertPlugin,
  claimsOf,
  definePlugin,
  type AnyPlugin,
  type Claims,
  type ConfigOf,
  type ItemSchema,
  type ManyClaims,
  type Mistake,
  type Plugin,
  type PluginHandle,
  type SingleClaim,
} from './core/plugin.js'
export type { Contribution, Delta, Reader } from './core/registry.js'
export {
  hook,
  ifEnabled,
  ref,
  point,
  service,
  type Description,
  type Hook,
  type IfEnabled,
  type RefNeed,
  type Need,
  type Needs,
  type Point,
  type Ref,
  type Resolved,
  type Service,
} from './base/token.js'
export {
  Configuration,
  ConfigurationWriter,
  exchanged,
  wrote,
  type Applied,
  type Exchange,
  type OwnWrite,
  type Renewed,
} from './config/configuration.js'
export type { InstalledPlugin } from './config/resolve.js'
export type { ListedName } from './config/sections.js'
export { reloadConfiguration, type HeldPlugins, type ReloadableHost, type Reloaded } from './config/reload.js'
export { SharedConfiguration, type FileComparison } from './config/shared-configuration.js'
export { installCommandOf } from './config/own-plugins.js'
export type { Problem } from './config/problem.js'
export { pathRedactor } from './config/paths.js'
export {
  Cluster,
  endpointPlace,
  HOUSE,
  type ClusterHostView,
  type HostSession,
  type PlaceWork,
  type StatementRunner,
} from './core/cluster.js'
