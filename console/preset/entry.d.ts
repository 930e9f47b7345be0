// Types of the API that an entry of the console receives.
/// <reference path="./react.d.ts" />
import type { Client, EntryHostApi } from '@mynah/sdk'

export type { RouteMeta, RouteRegistration, ToolRegistration } from '@mynah/sdk'

/**
 * The argument of `register`.
 *
 * @example
 * export function register(host: HostApi) {
 *   host.addRoute({ path: '/greeter', name: host.t({ en: 'Greeter', 'zh-CN': '问候' }), element: () => <Greeter
 * host={host} /> })
 * }
 */
export interface HostApi extends EntryHostApi {
  /** The client of the connected host; `client.with<typeof contract>()` adds a plugin's own contract. */
  readonly client: Client
  /** Goes to a path of the console. */
  navigate(path: string, options?: { replace?: boolean }): void
  /** Shows a short message; failures (`err`) stay until they are dismissed. */
  toast(text: string, tone?: 'info' | 'ok' | 'warn' | 'err'): void
  /** Picks the text of the current language, or English. */
  t(texts: { readonly en: string; readonly 'zh-CN'?: string }): string
  locale(): 'en' | 'zh-CN'
}

/**
 * Exported by the module of an entry, by this name or as `default.register`. A returned function is called when the
 * entry is removed.
 */
export type Register = (host: HostApi) => void | (() => void) | Promise<void | (() => void)>
