import { WireError, type Code } from '@mynah/contract'

type Reason = readonly [code: Code, say: (detail: string) => string]

const MAX_DETAIL = 600
const TOKEN_REFUSED: Reason = [
  'forbidden',
  (detail) => `the registry refuses the token in the configuration of npm: ${detail}`,
]
const GONE: Reason = ['upstream_unavailable', (detail) => `the registry does not answer: ${detail}`]
const NOT_WRITABLE: Reason = ['unsupported', () => 'the folder of the packages cannot be written']
const CHANGED: Reason = [
  'conflict',
  (detail) => `what the registry sends now is not what was planned; make a new plan: ${detail}`,
]

/** The meaning of the codes of npm. */
const REASONS: Readonly<Record<string, Reason>> = {
  E404: ['not_found', (detail) => `the registry does not have it: ${detail}`],
  ETARGET: ['not_found', (detail) => `there is no such version: ${detail}`],
  ERESOLVE: ['conflict:peers', (detail) => `it does not fit what is installed: ${detail}`],
  EINTEGRITY: CHANGED,
  E401: TOKEN_REFUSED,
  E403: TOKEN_REFUSED,
  ENOTFOUND: GONE,
  EAI_AGAIN: GONE,
  ECONNREFUSED: GONE,
  ECONNRESET: GONE,
  ETIMEDOUT: GONE,
  ERR_SOCKET_TIMEOUT: GONE,
  EIDLETIMEOUT: GONE,
  E500: GONE,
  E502: GONE,
  E503: GONE,
  E504: GONE,
  ENOSPC: ['unsupported', () => 'the disk is full'],
  EDQUOT: ['unsupported', () => 'the disk quota is used up'],
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: NOT_WRITABLE,
  EBADENGINE: ['unsupported', (detail) => `it does not run on this version of Node: ${detail}`],
}

/** Converts the failure of npm, without secrets and paths. */
export function npmFailure(
  report: Readonly<Record<string, unknown>>,
  errors: string,
  exitCode: number | null,
  redact: (text: string) => string,
): WireError {
  const code = String(report['code'] ?? /npm error code (\w+)/.exec(errors)?.[1] ?? '')
  const said = [report['summary'], report['detail']].filter((part) => typeof part === 'string' && part).join(' ')
  const detail = redact(said || lastLines(errors))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_DETAIL)
  const found = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
  if (found) return new WireError(found[0], found[1](detail))
  return new WireError('upstream_unavailable', `npm failed (${code || `exit code ${exitCode}`}): ${detail}`)
}

const lastLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() && !line.includes('complete log of this run'))
    .slice(-5)
    .join(' ')
    .replace(/npm error /g, '')
