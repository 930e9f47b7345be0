// The kernel: host, plugins, services, contributions, hooks, scopes.
export { systemClock, type Clock } from './core/clock.js'
export type { BaseContext, Context } from './core/context.js'
export { FatalError, KernelError, kernelErrors, messageOf, NotReady, toError, type KernelCode, type Place } from './core/errors.js'
export { nearest } from './core/graph.js'
export { guardProcess } from './core/guard.js'
export type { HookOptions } from './core/hooks.js'
export { HostControl, HostPaths, Supervisor } from './core/host-services.js'
export type { HostOptions, PluginEntry, Refusal, Report } from './core/entry.js'
export { createHost, Host } from './core/host.js'
export type { Outcome } from './core/roster.js'
export type { PluginView, Residue } from './core/inspect.js'
export type { Origin, PluginState, RecordedError } from './core/instance.js'
export { changed, logged, type Logger, type LogLevel, type LogRecord } from './core/owner.js'
export { assertPlugin, claimsOf, definePlugin, type AnyPlugin, type Claims, type ConfigOf, type Plugin, type Running } from './core/plugin.js'
export type { Contribution, Delta, Reader } from './core/registry.js'
export {
  hook, ifEnabled, late, point, service,
  type Description, type Hook, type IfEnabled, type Late, type Need, type Needs, type Point, type Ref, type Resolved, type Service,
} from './core/token.js'
export { startWatchdog } from './core/watchdog.js'
export type { Mistake } from './config/check.js'
export { Configuration, type Applied } from './config/configuration.js'
export type { Problem } from './config/problem.js'
