import { expect } from 'chai'
import fc from 'fast-check'
import { asModelError } from './as-model-error.js'
import { scrub } from './scrub.js'

const answer = (statusCode: number, body: unknown, headers: Record<string, string> = {}) => ({
  name: 'AI_APICallError',
  statusCode,
  responseHeaders: headers,
  responseBody: typeof body === 'string' ? body : JSON.stringify(body),
  data: typeof body === 'string' ? undefined : body,
  message: 'failed',
  requestBodyValues: { messages: ['the whole prompt'] },
})
const classOf = (thrown: unknown) => asModelError(thrown, { provider: 'it', model: 'm' }).class

describe('asModelError', () => {
  const cases: readonly (readonly [expected: string, status: number, body: unknown, what: string])[] = [
    // openai
    [
      'rate-limit',
      429,
      {
        error: {
          message:
            'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000. Please reduce the length of the messages',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      },
      'TPM speaks of length, and is a limit',
    ],
    [
      'billing',
      429,
      {
        error: {
          message: 'You exceeded your current quota, please check your plan and billing details.',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      },
      'quota',
    ],
    [
      'overflow',
      400,
      {
        error: {
          message: "This model's maximum context length is 128000 tokens.",
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        },
      },
      'length',
    ],
    [
      'auth',
      401,
      { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
      'key',
    ],
    [
      'not-found',
      404,
      {
        error: {
          message: 'The model `x` does not exist or you do not have access to it.',
          type: 'invalid_request_error',
          code: 'model_not_found',
        },
      },
      'model',
    ],
    [
      'refusal',
      400,
      {
        error: {
          message: 'Your request was rejected as a result of our safety system.',
          code: 'content_policy_violation',
        },
      },
      'content',
    ],
    // anthropic
    [
      'overflow',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      },
      'prompt',
    ],
    [
      'overflow',
      413,
      { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
      'size',
    ],
    ['overloaded', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded'],
    [
      'rate-limit',
      429,
      {
        type: 'error',
        error: { type: 'rate_limit_error', message: 'This request would exceed your organization’s rate limit' },
      },
      'limit',
    ],
    [
      'billing',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the Anthropic API.',
        },
      },
      'credit',
    ],
    [
      'auth',
      403,
      { type: 'error', error: { type: 'permission_error', message: 'Your API key does not have permission' } },
      'permission',
    ],
    // google
    [
      'auth',
      400,
      {
        error: {
          code: 400,
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
          details: [{ reason: 'API_KEY_INVALID' }],
        },
      },
      'key',
    ],
    [
      'overflow',
      400,
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
      'count',
    ],
    [
      'rate-limit',
      429,
      {
        error: { code: 429, message: 'Quota exceeded for metric: requests per minute', status: 'RESOURCE_EXHAUSTED' },
      },
      'minute',
    ],
    [
      'overloaded',
      503,
      { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
      'unavailable',
    ],
    [
      'not-found',
      404,
      { error: { code: 404, message: 'models/x is not found for API version v1beta', status: 'NOT_FOUND' } },
      'version',
    ],
    // deepseek, relays and runtimes
    [
      'billing',
      402,
      { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
      'balance',
    ],
    ['rate-limit', 402, { error: { message: 'Weekly limit reached, retry in 3 days' } }, 'weekly'],
    ['overflow', 400, { error: 'the request exceeds the available context size, try increasing it' }, 'llama.cpp'],
    ['overflow', 400, '', 'no body at all'],
    ['not-found', 404, { error: 'model "x" not found, try pulling it first' }, 'ollama'],
    ['overloaded', 503, { error: 'server busy, please try again' }, 'ollama'],
    ['server', 500, { error: { message: 'oops' } }, '500'],
    ['server', 502, '<html>bad gateway</html>', '502'],
    ['timeout', 504, '', '504'],
    ['timeout', 524, '<html>', '524'],
    ['timeout', 408, '{}', '408'],
    ['format', 400, { error: { message: 'tools[0].function.name is invalid' } }, 'format'],
    ['format', 422, { detail: 'no' }, '422'],
    ['server', 200, '<html>', 'a success that is none'],
    ['rate-limit', 200, { error: { code: 'rate_limit_exceeded', message: 'x' } }, 'an error in a success'],
  ]
  for (const [expected, status, body, what] of cases)
    it(`returns ${expected} for ${status}: ${what}`, () => {
      expect(classOf(answer(status, body))).to.equal(expected)
    })

  const told: readonly (readonly [body: unknown, words: string])[] = [
    [{ error: { message: 'no plums' } }, 'no plums'],
    [{ error: 'no plums' }, 'no plums'],
    [{ error: 'Bad Request', message: 'no plums', statusCode: 400 }, 'no plums'],
    [{ detail: 'no plums' }, 'no plums'],
    [{ detail: { error: { message: 'no plums' } } }, 'no plums'],
    [
      {
        detail: [
          { loc: ['body', 'stop'], msg: 'too many', type: 'x', input: 'echo' },
          { loc: ['seed'], msg: 'no' },
        ],
      },
      'stop: too many; seed: no',
    ],
    [{ success: false, errors: [{ code: 7003, message: 'no plums' }], result: null }, 'no plums'],
    [[{ error: { code: 400, message: 'no plums', status: 'INVALID_ARGUMENT' } }], 'no plums'],
    [{ title: 'One or more errors occurred', errors: { stop: ['no plums'] }, message: '' }, 'stop: no plums'],
    [
      {
        error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"no plums"}}' } },
      },
      'Provider returned error: no plums',
    ],
    ['no plums', 'no plums'],
    [{ error: { message: `no plums for sk-0123456789abcdef` } }, 'no plums for (key)'],
  ]
  for (const [body, words] of told)
    it(`has the words of ${JSON.stringify(body).slice(0, 60)}`, () => {
      for (const [status, name] of [
        [400, 'does not take the request'],
        [401, 'refuses the key'],
        [402, 'has no credit left on the account'],
      ] as const)
        expect(asModelError(answer(status, body), { provider: 'it', model: 'm' }).message).to.equal(
          `it:m ${name} (status ${status}): ${words}`,
        )
    })

  it('shows no part of a key that is refused', () => {
    for (const part of ['abcd****wxyz', '***wxyz', 'Zx81abcdef0123456789abcdef0123456789'])
      expect(asModelError(answer(401, { error: { message: `It was ${part}.` } })).message).to.match(
        /: It was \(key\)\.$/,
      )
  })

  it('follows the causes of a failed connection', () => {
    const failed = (code: string) =>
      Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error(`connect ${code} 10.0.0.1:443`), { code }),
      })
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'UND_ERR_SOCKET'])
      expect(classOf(failed(code)), code).to.equal('network')
    for (const code of ['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
      expect(classOf(failed(code)), code).to.equal('timeout')
    expect(classOf(new TypeError('terminated'))).to.equal('network')
    expect(asModelError(failed('ECONNREFUSED')).message).not.to.contain('10.0.0.1')
  })

  it('follows names of the packages’ own errors', () => {
    const named = (name: string) => Object.assign(new Error('text'), { name })
    expect(
      [
        'AI_LoadAPIKeyError',
        'AI_NoSuchModelError',
        'AI_UnsupportedFunctionalityError',
        'AI_JSONParseError',
        'AI_InvalidPromptError',
        'AbortError',
        'TimeoutError',
        'Error',
      ].map((name) => classOf(named(name))),
    ).to.deep.equal(['auth', 'not-found', 'unsupported', 'server', 'format', 'aborted', 'timeout', 'unknown'])
  })

  it('reads the time of a retry in every form', () => {
    const after = (headers: Record<string, string>, body: unknown = {}) =>
      asModelError(answer(429, body, headers)).retryAfterMs
    expect(after({ 'retry-after': '7' })).to.equal(7_000)
    expect(after({ 'retry-after': '0.5' })).to.equal(500)
    expect(after({ 'retry-after-ms': '250', 'retry-after': '9' })).to.equal(250)
    expect(after({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).to.be.within(55_000, 60_000)
    expect(after({}, { error: { message: 'x', details: [{ '@type': 'RetryInfo', retryDelay: '34s' }] } })).to.equal(
      34_000,
    )
    expect(after({ 'retry-after': '99999999999' })).to.equal(24 * 3_600_000)
    for (const value of ['soon', '', '-5', 'NaN']) expect(after({ 'retry-after': value }), value).to.equal(undefined)
  })

  it('classifies any value, and keeps neither the request nor a secret', () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error('no')
        },
        has() {
          throw new Error('no')
        },
        getPrototypeOf() {
          throw new Error('no')
        },
      },
    )
    for (const thrown of [
      undefined,
      null,
      5,
      'text',
      Symbol('s'),
      [],
      {},
      Object.create(null),
      hostile,
      () => 1,
      new Error(''),
      { error: hostile },
    ])
      expect(asModelError(thrown).name).to.equal('ModelError')
    fc.assert(
      fc.property(fc.anything(), fc.integer({ min: 100, max: 599 }), (body, status) => {
        expect(asModelError(answer(status, typeof body === 'bigint' ? 'big' : (body as object))).class).to.be.a(
          'string',
        )
      }),
      { numRuns: 200 },
    )
    expect(
      JSON.stringify(
        asModelError(answer(500, { error: { message: 'x' } })),
        Object.getOwnPropertyNames(Error.prototype).concat('cause', 'message', 'requestBodyValues'),
      ),
    ).not.to.contain('whole prompt')
  })
})

describe('the text of a foreign error', () => {
  it('is shown short, in one line, without keys and addresses', () => {
    expect(
      scrub('See https://user:pw@inner.example/x?key=abc for\n\nsk-proj-0123456789abcdef or AIzaSyA0123456789'),
    ).to.equal('See (address) for (key) or (key)')
    expect(scrub('x'.repeat(10_000_000))).to.have.length(300)
    expect(scrub('claude-3-5-sonnet-20241022 is not available')).to.equal('claude-3-5-sonnet-20241022 is not available')
  })
})
