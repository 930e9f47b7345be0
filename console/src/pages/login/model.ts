import type { ProbeResult } from '@mynah/sdk'
import { failureOf } from '../../lib/failure.js'
import type { LoginKey } from './texts.js'

export interface Verdict {
  readonly tone: 'ok' | 'warn' | 'err' | 'info'
  readonly title: LoginKey
  readonly text?: LoginKey
  readonly values?: Readonly<Record<string, string | number>>
  /** Message of the host or the browser, in English. */
  readonly said?: string
  /** The step that failed, of those on the way to a host. */
  readonly step?: Step
}

/** On the way to a host, in order. */
export const steps = ['address', 'page', 'answer', 'host'] as const
type Step = (typeof steps)[number]

const failing: Readonly<Record<Extract<ProbeResult, { reachable: false }>['reason'], Step>> = {
  'invalid-url': 'address',
  'mixed-content': 'page',
  'local-network': 'page',
  refused: 'answer',
  timeout: 'answer',
  cors: 'host',
  'not-mynah': 'host',
}

/** Versions are compatible if their major version is equal. */
const major = (version: string): string => version.split('.')[0] ?? version

/** Converts the result of a probe. */
export function verdictOf(result: ProbeResult, page: { readonly origin: string; readonly contract: string }): Verdict {
  if (!result.reachable)
    return {
      tone: 'err',
      title: `no.${result.reason}`,
      text: `no.${result.reason}.text`,
      values: { origin: page.origin },
      step: failing[result.reason],
    }
  const { name, version, latency, status, contract } = result
  const values = { name, version, latency: Math.round(latency), status, contract, own: page.contract }
  if (major(contract) !== major(page.contract)) return { tone: 'warn', title: 'reachable', text: 'contract', values }
  if (status === 'starting' || status === 'stopping')
    return { tone: 'warn', title: 'reachable', text: 'starting', values }
  return { tone: 'ok', title: 'reachable', text: 'reachable.text', values }
}

/** Converts a failed sign-in. */
export function refusalOf(error: unknown): Verdict {
  const failure = failureOf(error)
  if (failure.status === 401) return { tone: 'err', title: 'unauthorized', said: failure.text }
  if (failure.status === 429)
    return {
      tone: 'err',
      title: 'limited',
      text: 'limited.text',
      values: { seconds: Math.ceil((failure.retryAfter ?? 60_000) / 1000) },
    }
  return {
    tone: 'err',
    title: FAILURE_TITLES[failure.kind],
    said: failure.text,
  }
}

const FAILURE_TITLES = { network: 'network', 'not-ready': 'notReady', host: 'failed', missing: 'failed' } as const

const HAS_SCHEME = /^[a-z][a-z0-9+.-]{0,20}:\/\//i
/** Path endings that people copy with an address. */
const COPIED = /(?:\/(?:api|pub\/health|pub\/openapi\.json|entries))?\/{0,8}$/

/**
 * Completes a typed or pasted address: without a scheme, http for this machine and https for others. Paths of the API
 * are cut off.
 */
export function completeBase(text: string): string {
  const typed = text.trim()
  if (typed === '') return ''
  const scheme = /^(localhost|127\.|\[::1\])/i.test(typed) ? 'http' : 'https'
  const address = HAS_SCHEME.test(typed) ? typed : `${scheme}://${typed}`
  return address.replace(COPIED, '')
}

/** Returns whether the text can be an address of a host at all. */
export function isAddress(text: string): boolean {
  const base = completeBase(text)
  if (/\s/.test(base) || !URL.canParse(base)) return false
  const { protocol, hostname, search, hash, username } = new URL(base)
  return (
    (protocol === 'http:' || protocol === 'https:') &&
    hostname !== '' &&
    search === '' &&
    hash === '' &&
    username === ''
  )
}

/** Returns the address with the default port, if another port did not answer. */
export function usualPort(base: string, usual: number): string | undefined {
  if (!URL.canParse(base)) return undefined
  const url = new URL(base)
  if (url.port === String(usual) || url.protocol !== 'http:') return undefined
  url.port = String(usual)
  return url.href.replace(/\/+$/, '')
}
