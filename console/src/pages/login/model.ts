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

/** The address as people type it: without a scheme, http is meant for this machine and https for the rest. */
export function completeBase(text: string): string {
  const typed = text.trim()
  if (typed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return typed
  return /^(localhost|127\.|\[::1\])/i.test(typed) ? `http://${typed}` : `https://${typed}`
}
