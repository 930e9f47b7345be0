import { Http } from '@mynah/plugin-http-core/api'
import type { LoadedHost } from '@mynah/kernel/loader'
import type { LogTarget } from './log-format.js'
import type { HostOrder } from './protocol.js'
import { tokenIn } from './tokens.js'

const LOOPBACK = /^http:\/\/(?:localhost|127\.[\d.]{1,11}|\[::1\]):/

type Say = (level: 'info' | 'warn' | 'error', message: string) => void

/** Replaces the wildcard address by the loopback address, which can be opened in a browser. */
export const reachable = (origin: string): string =>
  origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')

/**
 * Prints address, token and console of a started host. Shows the token itself only on a terminal and never in the log.
 */
export async function printBanner(
  { host, paths, problems, values }: LoadedHost,
  order: HostOrder,
  output: LogTarget,
  say: Say,
): Promise<void> {
  const plugins = host.inspect()
  const down = plugins.filter(({ state }) => state === 'failed' || state === 'pending')
  // A line of the log is one line: those that say what a plugin waits for follow its name.
  for (const { name } of down) say('warn', host.why(name).replaceAll(/\n\s*/g, '; '))
  const up = plugins.filter(({ state }) => state === 'active' || state === 'degraded').length
  const http = host.get(Http)
  const validity = problems.length ? '' : ', the configuration is in order'
  const summary = `${up} of ${up + down.length} plugins are up${validity}`
  if (!http) return say('info', `${summary}; no HTTP server`)
  const token = await tokenIn(values, order.file, paths.root, process.env)
  const base = reachable(http.origin)
  const open = order.console ? `${order.console}/?apiBaseUrl=${encodeURIComponent(base)}` : undefined
  if (!output.pretty) {
    // The address has a line of the server itself.
    say('info', `${summary}; the token is ${token.where}${open ? `; console: ${open}` : ''}`)
    return
  }
  say('info', summary)
  // The console takes a token from a link to this machine only. Browsers send what is behind "#" to no server.
  const secret = token.value && LOOPBACK.test(base) ? `#token=${encodeURIComponent(token.value)}` : ''
  const next = secret ? 'open the console' : 'open the console and sign in with the token'
  const lines = [
    ...(open ? [['Console', open + secret]] : []),
    ['Host', http.origin],
    ['Token', token.value ? `${token.value}  (${token.where})` : token.where],
    ['Next', open ? next : 'mynah start --console opens the web console; mynah help lists all commands'],
  ]
  output.write(
    `\n${lines.map(([label, value]) => `  ${(label as string).padEnd(9)}${value as string}`).join('\n')}\n\n`,
  )
}

/** Returns the token that a link to the console may have: that of a host which listens on this machine only. */
export async function linkToken({ host, paths, values }: LoadedHost, order: HostOrder): Promise<string | undefined> {
  const http = host.get(Http)
  if (!http || !LOOPBACK.test(reachable(http.origin))) return undefined
  return (await tokenIn(values, order.file, paths.root, process.env)).value
}
