// What an entry of the console is given and may register.
/// <reference path="./react.d.ts" />
import type { Client, EntryHostApi } from '@mynah/sdk'

export type { RouteMeta, RouteRegistration, ToolRegistration } from '@mynah/sdk'

/**
 * What `register` is called with.
 *
 * @example
 * export function register(host: HostApi) {
 *   host.addRoute({ path: '/greeter', name: host.t({ en: 'Greeter', 'zh-CN': '问候' }), element: () => <Greeter host={host} /> })
 * }
 */
export interface HostApi extends EntryHostApi {
  /** The client of the connected host; `client.with<typeof contract>()` adds a plugin's own contract. */
  readonly client: Client
  /** Goes to a path of the console. */
  navigate(path: string, options?: { replace?: boolean }): void
  /** Shows a short message; failures (`err`) stay until they are dismissed. */
  toast(text: string, tone?: 'info' | 'ok' | 'warn' | 'err'): void
  /** Picks the text of the current language, English where that is missing. */
  t(texts: { readonly en: string; readonly 'zh-CN'?: string }): string
  locale(): 'en' | 'zh-CN'
}

/** What the module of an entry exports, by this name or as `default.register`; a function that it answers is called when the entry goes. */
export type Register = (host: HostApi) => void | (() => void) | Promise<void | (() => void)>
