// The kernel: host, plugins, services, contributions, hooks, scopes.
export { systemClock, type Clock } from './base/clock.js'
export type { BaseContext, Context } from './core/context.js'
export { FatalError, KernelError, kernelErrors, NotReady, type KernelCode, type Place } from './base/errors.js'
export { asError, messageOf, stackOf, toError } from './base/foreign.js'
export { nearest } from './base/nearest.js'
export type { HookOptions } from './core/hooks.js'
export { HostControl, HostPaths, Supervisor } from './core/host-services.js'
export type { Checked, HostOptions, Outcome, PluginEntry, Refusal, Report } from './core/entry.js'
export { Host } from './core/host.js'
export { createHost } from './create-host.js'
export type { PluginView, Residue } from './core/inspect.js'
export type { Origin, PluginState, RecordedError } from './core/instance.js'
export { changed, draining, logged, putBack, type Logger, type LogLevel, type LogRecord } from './base/owner.js'
export {
  assertPlugin,
  claimsOf,
  definePlugin,
  type AnyPlugin,
  type Claims,
  type ConfigOf,
  type ManyClaims,
  type Mistake,
  type Plugin,
  type Running,
  type SingleClaim,
} from './core/plugin.js'
export type { Contribution, Delta, Reader } from './core/registry.js'
export {
  hook,
  ifEnabled,
  late,
  point,
  service,
  type Description,
  type Hook,
  type IfEnabled,
  type Late,
  type Need,
  type Needs,
  type Point,
  type Ref,
  type Resolved,
  type Service,
} from './base/token.js'
export { Configuration, exchanged, wrote, type Applied, type Exchange, type OwnWrite } from './config/configuration.js'
export type { Problem } from './config/problem.js'
export { pathRedactor } from './config/paths.js'
