// What the login page says about an address and about a failed attempt.
import type { ProbeResult } from '@mynah/sdk'
import { failureOf } from '../../lib/failure.js'
import type { MessageKey } from '../../locales/en.js'

export interface Verdict {
  readonly tone: 'ok' | 'warn' | 'err' | 'info'
  readonly title: MessageKey
  readonly text?: MessageKey
  readonly values?: Readonly<Record<string, string | number>>
  /** In English from the host or the browser. */
  readonly said?: string
}

/** The major version of the wire decides whether both understand each other. */
const major = (version: string): string => version.split('.')[0] ?? version

/** What a probe found. */
export function verdictOf(result: ProbeResult, page: { readonly origin: string; readonly contract: string }): Verdict {
  if (!result.reachable) return { tone: 'err', title: `login.${result.reason}`, text: `login.${result.reason}.text`, values: { origin: page.origin } }
  const { name, version, latency, status, contract } = result
  const values = { name, version, latency: Math.round(latency), status, contract, own: page.contract }
  if (major(contract) !== major(page.contract)) return { tone: 'warn', title: 'login.reachable', text: 'login.contract', values }
  if (status === 'starting' || status === 'stopping') return { tone: 'warn', title: 'login.reachable', text: 'login.starting', values }
  return { tone: 'ok', title: 'login.reachable', text: 'login.reachable.text', values }
}

/** Why signing in failed. */
export function refusalOf(error: unknown): Verdict {
  const failure = failureOf(error)
  if (failure.status === 401) return { tone: 'err', title: 'login.unauthorized', said: failure.text }
  if (failure.status === 429) return { tone: 'err', title: 'login.limited', text: 'login.limited.text', values: { seconds: Math.ceil((failure.retryAfter ?? 60_000) / 1000) } }
  return { tone: 'err', title: failure.kind === 'network' ? 'list.network' : failure.kind === 'not-ready' ? 'list.notReady' : 'login.failed', said: failure.text }
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]{0,20}:\/\//i
/** What people copy along from documents and from other tools. */
const COPIED = /(?:\/(?:api|pub\/health|pub\/openapi\.json|entries))?\/{0,8}$/

/** The address as people type or paste it: without a scheme, http is meant for this machine and https for the rest; a path of the interface is cut off. */
export function completeBase(text: string): string {
  const typed = text.trim()
  if (typed === '') return ''
  const whole = HAS_SCHEME.test(typed) ? typed : /^(localhost|127\.|\[::1\])/i.test(typed) ? `http://${typed}` : `https://${typed}`
  return whole.replace(COPIED, '')
}

/** Whether the text can be an address of a host at all. */
export function isAddress(text: string): boolean {
  const base = completeBase(text)
  if (/\s/.test(base) || !URL.canParse(base)) return false
  const { protocol, hostname, search, hash, username } = new URL(base)
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '' && search === '' && hash === '' && username === ''
}

/** The port that hosts have unless told otherwise, where another one was asked in vain. */
export function usualPort(base: string, usual: number): string | undefined {
  if (!URL.canParse(base)) return undefined
  const url = new URL(base)
  if (url.port === String(usual) || url.protocol !== 'http:') return undefined
  url.port = String(usual)
  return url.href.replace(/\/+$/, '')
}
