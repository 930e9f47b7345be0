// The refusals of the six families: their codes, and their words for refusals without a code.
import type { FailureClass } from '../api/errors.js'

/** Codes, types and statuses of vendors, in lower case. */
const CODES: Readonly<Record<string, FailureClass>> = {
  context_length_exceeded: 'overflow',
  model_max_prompt_tokens_exceeded: 'overflow',
  request_too_large: 'overflow',
  exceed_context_size_error: 'overflow',
  string_above_max_length: 'overflow',
  insufficient_quota: 'billing',
  billing_hard_limit_reached: 'billing',
  billing_not_active: 'billing',
  billing_error: 'billing',
  insufficient_balance: 'billing',
  payment_required: 'billing',
  arrearage: 'billing',
  rate_limit_exceeded: 'rate-limit',
  rate_limit_error: 'rate-limit',
  rate_limited: 'rate-limit',
  resource_exhausted: 'rate-limit',
  too_many_requests: 'rate-limit',
  requests: 'rate-limit',
  tokens: 'rate-limit',
  throttling: 'rate-limit',
  overloaded_error: 'overloaded',
  overloaded: 'overloaded',
  unavailable: 'overloaded',
  service_unavailable: 'overloaded',
  engine_overloaded: 'overloaded',
  service_unavailable_error: 'overloaded',
  capacity_exceeded: 'overloaded',
  invalid_api_key: 'auth',
  authentication_error: 'auth',
  permission_error: 'auth',
  unauthenticated: 'auth',
  permission_denied: 'auth',
  api_key_invalid: 'auth',
  invalid_authentication: 'auth',
  unsupported_country_region_territory: 'auth',
  account_deactivated: 'auth',
  model_not_found: 'not-found',
  not_found_error: 'not-found',
  not_found: 'not-found',
  model_not_exist: 'not-found',
  deployment_not_found: 'not-found',
  content_filter: 'refusal',
  content_policy_violation: 'refusal',
  moderation_blocked: 'refusal',
  data_inspection_failed: 'refusal',
  safety: 'refusal',
  prohibited_content: 'refusal',
  content_filter_error: 'refusal',
  timeout_error: 'timeout',
  deadline_exceeded: 'timeout',
  request_timeout: 'timeout',
  server_error: 'server',
  api_error: 'server',
  internal: 'server',
  internal_error: 'server',
  internal_server_error: 'server',
  aborted: 'server',
  data_loss: 'server',
}

/** Words of vendors without a code for a request that is larger than the context window. */
const OVERFLOW_WORDS = [
  'prompt is too long',
  'input is too long',
  'maximum context length',
  'context length exceeded',
  'context_length_exceeded',
  'exceeds the maximum number of tokens',
  'exceeds the context window',
  'context window exceeds limit',
  'exceeds the available context size',
  'greater than the context length',
  'maximum prompt length',
  'reduce the length of the messages',
  'exceeded model token limit',
  'too large for model with',
  'longer than the context',
  "exceeds the model's maximum context",
  'input length and `max_tokens` exceed context limit',
  'input token count exceeds',
  'range of input length should be',
  'prompt too long',
  'token limit exceeded for input',
  'larger than the context',
  "model's context window",
]
const BILLING_WORDS = [
  'credit balance is too low',
  'insufficient balance',
  'insufficient credits',
  'insufficient funds',
  'check your plan and billing',
  'payment required',
  'account is not active',
  'exceeded your current quota, please check',
]
/** Words for limits that reset by themselves, even if they mention a quota. */
const LIMIT_WORDS = [
  'rate limit',
  'per minute',
  'per day',
  'too many requests',
  'weekly limit',
  'daily limit',
  'spend limit',
  'tokens per min',
  'requests per min',
  'retry in',
]
const AUTH_WORDS = ['api key not valid', 'invalid api key', 'incorrect api key', 'invalid x-api-key', 'no api key']
const MODEL_WORDS = [
  'model not found',
  'does not exist or you do not have access',
  'model does not exist',
  'no such model',
  'is not found for api version',
  'unknown model',
  'try pulling it first',
]
const OVERLOAD_WORDS = ['overloaded', 'at capacity', 'currently unavailable', 'server busy', 'high demand']
const REFUSAL_WORDS = ['content policy', 'content management policy', 'safety system', 'blocked by our']

/** Characters of a message that are searched. */
const MAX_MESSAGE = 4_000

/** Returns the class of a vendor's own error code. */
export function classOfCode(code: unknown): FailureClass | undefined {
  return typeof code === 'string' && code.length <= 64 && Object.hasOwn(CODES, code.toLowerCase())
    ? CODES[code.toLowerCase()]
    : undefined
}

/** Returns the class that a vendor's words point to, when its status is ambiguous. */
export function classOfWords(message: string, status: number | undefined): FailureClass | undefined {
  const text = message.slice(0, MAX_MESSAGE).toLowerCase()
  const classes = TESTS.filter(({ appliesTo }) => appliesTo(status))
  return classes.find(({ words }) => words.some((word) => text.includes(word)))?.class
}

/** A class and the words that point to it, by precedence. */
interface WordTest {
  readonly class: FailureClass
  readonly words: readonly string[]
  readonly appliesTo: (status: number | undefined) => boolean
}

// A limit on tokens per minute also says that there are too many tokens: 429 is never about the window.
const isLimit = (status: number | undefined): boolean => status === 429 || status === 402
const isOther = (status: number | undefined): boolean => !isLimit(status)
/** Returns whether a status leaves open whether the request or the service is at fault. */
const isOpen = (status: number | undefined): boolean =>
  isOther(status) && (status === undefined || status >= 500 || status === 200)

const TESTS: readonly WordTest[] = [
  { class: 'rate-limit', words: LIMIT_WORDS, appliesTo: isLimit },
  { class: 'billing', words: BILLING_WORDS, appliesTo: isLimit },
  { class: 'overflow', words: OVERFLOW_WORDS, appliesTo: isOther },
  { class: 'billing', words: BILLING_WORDS, appliesTo: isOther },
  { class: 'auth', words: AUTH_WORDS, appliesTo: isOther },
  { class: 'not-found', words: MODEL_WORDS, appliesTo: isOther },
  { class: 'rate-limit', words: LIMIT_WORDS, appliesTo: isOpen },
  { class: 'overloaded', words: OVERLOAD_WORDS, appliesTo: isOpen },
  { class: 'refusal', words: REFUSAL_WORDS, appliesTo: isOther },
]

const STATUS_CLASSES: Readonly<Record<number, FailureClass>> = {
  401: 'auth',
  402: 'billing',
  403: 'auth',
  404: 'not-found',
  // The request itself is refused, so that every other model would refuse it as well. Other refusals are about the
  // model.
  406: 'format',
  408: 'timeout',
  410: 'not-found',
  411: 'format',
  413: 'overflow',
  415: 'format',
  417: 'format',
  422: 'format',
  429: 'rate-limit',
  431: 'format',
  499: 'timeout',
  503: 'overloaded',
  504: 'timeout',
  522: 'timeout',
  524: 'timeout',
  529: 'overloaded',
}

/** Returns the class of an HTTP status that nothing else explains. */
export function classOfStatus(status: number, hasBody: boolean): FailureClass {
  // One vendor reports an overflow by a 400 without a body.
  if (status === 400) return hasBody ? 'format' : 'overflow'
  return STATUS_CLASSES[status] ?? 'server'
}
