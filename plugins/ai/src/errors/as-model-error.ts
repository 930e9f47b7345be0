// Converts anything thrown or streamed to a ModelError. Its structure decides the class, and its words only when the
// structure does not.
import { messageOf } from '@mynah/kernel'
import { isModelError, ModelError, type FailureClass } from '../api/errors.js'
import type { Candidate } from '../api/models.js'
import { networkFailureOf } from './network.js'
import { scrub } from './scrub.js'
import { classOfCode, classOfStatus, classOfWords } from './vendor.js'
import { parsedOr, wordsIn } from './words.js'

type Json = Record<string, unknown>
const record = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null ? (value as Json) : undefined

/** Names of the errors of provider packages. */
const NAMES: Readonly<Record<string, FailureClass>> = {
  AI_LoadAPIKeyError: 'auth',
  AI_NoSuchModelError: 'not-found',
  AI_UnsupportedFunctionalityError: 'unsupported',
  AI_EmptyResponseBodyError: 'server',
  AI_JSONParseError: 'server',
  AI_TypeValidationError: 'server',
  AI_InvalidResponseDataError: 'server',
  AI_NoContentGeneratedError: 'server',
  AI_InvalidArgumentError: 'format',
  AI_InvalidPromptError: 'format',
}

const WORDS: Readonly<Record<FailureClass, string>> = {
  'rate-limit': 'takes no more requests for now',
  overloaded: 'is overloaded',
  server: 'failed',
  network: 'could not be reached',
  timeout: 'did not answer in time',
  auth: 'refuses the key',
  billing: 'has no credit left on the account',
  'not-found': 'does not have this model',
  overflow: 'says that the request is larger than its window',
  format: 'does not take the request',
  refusal: 'refuses the content',
  unsupported: 'cannot do this',
  'not-installed': 'needs a package that is not installed',
  budget: 'is over the budget',
  'not-allowed': 'may not use this model',
  unconfigured: 'is not configured',
  aborted: 'was stopped',
  unknown: 'failed',
}

/** Secrets that no message may show, such as the key that was sent. */
export type Secrets = readonly string[]

/** Returns a failure with the host's words, and the vendor's when they add something and are safe. */
export function createFailure(
  failure: FailureClass,
  who: Candidate | undefined,
  said: string,
  {
    secrets,
    ...extra
  }: {
    status?: number | undefined
    retryAfterMs?: number | undefined
    cause?: unknown
    secrets?: Secrets | undefined
  } = {},
): ModelError {
  const subject = who ? `${who.provider}:${who.model}` : 'The model'
  const words = scrub(said, secrets)
  const status = extra.status !== undefined && extra.status >= 400 ? ` (status ${extra.status})` : ''
  return new ModelError(failure, `${subject} ${WORDS[failure]}${status}${words ? `: ${words}` : ''}`, {
    ...who,
    ...extra,
  })
}

/** Returns any thrown or streamed value as a {@link ModelError} whose message has none of the `secrets`. */
export function asModelError(thrown: unknown, who?: Candidate, secrets?: Secrets): ModelError {
  try {
    return isModelError(thrown) ? thrown : classify(thrown, who, secrets)
  } catch {
    // The value throws when it is read.
    return createFailure('unknown', who, '')
  }
}

/** Returns an error as a failure of `who`. The connection, which does not know its model, throws errors without one. */
export function asErrorOf(error: unknown, who: Candidate, secrets: Secrets): ModelError {
  if (!isModelError(error) || error.provider !== undefined) return asModelError(error, who, secrets)
  return new ModelError(
    error.class,
    error.message.replace(/^The (?:model|provider)(?= )/, `${who.provider}:${who.model}`),
    { ...who, status: error.status, retryAfterMs: error.retryAfterMs, cause: error.cause },
  )
}

function classify(thrown: unknown, who: Candidate | undefined, secrets: Secrets | undefined): ModelError {
  const error = record(thrown)
  if (!error)
    return createFailure(classOfWords(messageOf(thrown), undefined) ?? 'unknown', who, messageOf(thrown), { secrets })
  const name = textIn(error, 'name')
  const message = textIn(error, 'message')
  const status = typeof error['statusCode'] === 'number' ? error['statusCode'] : undefined
  if (status !== undefined || 'responseBody' in error) return ofResponse(error, status, who, secrets)
  const network = networkFailureOf(error)
  if (network) return createFailure(network.class, who, network.reason, { cause: thrown })
  if (name === 'AbortError') return createFailure('aborted', who, '')
  if (name === 'TimeoutError') return createFailure('timeout', who, '')
  const named = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  if (named) {
    const isUnreadable = name.startsWith('AI_TypeValidation') || name.startsWith('AI_JSONParse')
    return createFailure(named, who, isUnreadable ? 'its answer is not understood' : message, { secrets })
  }
  return ofStreamed(thrown, error, who, secrets)
}

/** Returns the failure of an error in a stream: `{ type, code, message }`, or the same below `error`. */
function ofStreamed(
  thrown: unknown,
  error: Json,
  who: Candidate | undefined,
  secrets: Secrets | undefined,
): ModelError {
  const inner = detailsOf(error)
  const streamed =
    firstClass(inner.codes) ??
    classOfWords(inner.message, inner.status) ??
    (inner.status === undefined ? 'unknown' : classOfStatus(inner.status, true))
  return createFailure(streamed, who, inner.message, {
    status: inner.status,
    cause: thrown instanceof Error ? thrown : undefined,
    secrets,
  })
}

const textIn = (object: Json, field: string): string => {
  const value = object[field]
  return typeof value === 'string' ? value : ''
}

/** Returns the failure of an HTTP answer. Its error object holds the whole request, so it is not kept as the cause. */
function ofResponse(
  error: Json,
  status: number | undefined,
  who: Candidate | undefined,
  secrets: Secrets | undefined,
): ModelError {
  const body = textIn(error, 'responseBody')
  const inner = detailsOf(body ? documentOf(body, status) : error['data'])
  const message = inner.message || textIn(error, 'message')
  const retryAfterMs = retryAfterOf(record(error['responseHeaders']), inner.retryDelay)
  if (status === undefined || status < 400) {
    const network = networkFailureOf(error)
    if (network) return createFailure(network.class, who, network.reason)
    // A success whose body is not JSON, or is an error.
    const found = firstClass(inner.codes) ?? classOfWords(message, inner.status) ?? 'server'
    const text = inner.message || 'its answer is not understood'
    return createFailure(found, who, text, { status: inner.status, retryAfterMs, secrets })
  }
  const found = classOfResponse(status, body, message, inner.codes)
  // A web page was not written by the API and says nothing about the request.
  const isPage = looksLikeHtml(body)
  const words = inner.message || (body ? message : '')
  const text = isPage ? 'it answered with a web page; check its base URL' : words
  return createFailure(isPage && found === 'format' ? 'server' : found, who, text, { status, retryAfterMs, secrets })
}

/** Returns the document of a body, or its text. The text of a success is that of an answer, and no error. */
function documentOf(body: string, status = 0): unknown {
  const document = parsedOr(body)
  return typeof document === 'string' && status < 400 ? undefined : document
}

/** The tokens of a limit for a minute, and those of a request. */
const LIMIT_AND_REQUEST = /\blimit:? (\d{1,12})\b.{0,60}\brequested:? (\d{1,12})\b/i

/** Returns whether a request is larger than a limit of tokens for a minute, so that no wait helps. */
function isOverLimit(status: number, message: string): boolean {
  const [, limit, requested] =
    LIMIT_AND_REQUEST.exec(message.slice(0, 2_000).replaceAll(/(?<=\d)[,_](?=\d)/g, '')) ?? []
  return status === 413 || (limit !== undefined && Number(requested) > Number(limit))
}

function classOfResponse(status: number, body: string, message: string, codes: readonly unknown[]): FailureClass {
  if ((status === 413 || status === 429) && isOverLimit(status, message)) return 'overflow'
  const words = classOfWords(message, status)
  const coded = firstClass(codes)
  // Codes of a vendor are general (`invalid_request_error`) or exact; 429 may be billing, and 400 a refused key.
  if (coded && !(coded === 'not-found' && status !== 404 && status !== 400)) return refined(coded, words)
  return words ?? classOfStatus(status, body.trim() !== '')
}

/** Google reports `RESOURCE_EXHAUSTED` for a spent account as well as for a rate limit, so that words decide. */
function refined(coded: FailureClass, words: FailureClass | undefined): FailureClass {
  if (coded === 'rate-limit' && words === 'billing') return 'billing'
  return coded
}

interface Details {
  readonly codes: readonly unknown[]
  readonly message: string
  readonly status?: number
  readonly retryDelay?: string
}

/** Returns the codes, message and status of a vendor's error object. */
function detailsOf(value: unknown): Details {
  const outer = record(Array.isArray(value) ? value[0] : value)
  const error = record(outer?.['error']) ?? outer
  const message = wordsIn(value)
  if (!error) return { codes: [], message }
  const list = Array.isArray(error['details']) ? error['details'].slice(0, 10).map(record) : []
  const retryDelay = list
    .map((detail) => detail?.['retryDelay'])
    .find((delay): delay is string => typeof delay === 'string')
  const numeric = [error['code'], error['status'], outer?.['status']].find(
    (each): each is number => typeof each === 'number' && each >= 400 && each < 600,
  )
  return {
    codes: [
      error['code'],
      ...list.map((detail) => detail?.['reason']),
      error['type'],
      error['status'],
      outer?.['type'],
    ],
    message,
    ...(numeric === undefined ? {} : { status: numeric }),
    ...(retryDelay === undefined ? {} : { retryDelay }),
  }
}

function firstClass(codes: readonly unknown[]): FailureClass | undefined {
  for (const code of codes) {
    const found = classOfCode(code)
    if (found) return found
  }
  return undefined
}

const LONGEST_RETRY_MS = 24 * 3_600_000

/** Returns the milliseconds until the provider wants to be asked again. */
function retryAfterOf(headers: Json | undefined, delay: string | undefined): number | undefined {
  const bounded = (ms: number): number | undefined =>
    Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LONGEST_RETRY_MS) : undefined
  const ms = headers?.['retry-after-ms']
  if (typeof ms === 'string' && ms.trim() !== '') return bounded(Number(ms))
  const after = headers?.['retry-after']
  if (typeof after === 'string' && after.trim() !== '')
    return bounded(/^[\d.]+$/.test(after.trim()) ? Number(after) * 1000 : Date.parse(after) - Date.now())
  return delay !== undefined && /^[\d.]{1,12}s$/.test(delay) ? bounded(Number.parseFloat(delay) * 1000) : undefined
}

function looksLikeHtml(body: string): boolean {
  return /^\s{0,200}<(?:!doctype|html|head|body)/i.test(body.slice(0, 400))
}
