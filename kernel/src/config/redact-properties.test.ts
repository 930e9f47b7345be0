import { expect } from 'chai'
import fc from 'fast-check'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type TSchema } from 'typebox'
import { createHost, definePlugin, type LogRecord } from '../index.js'
import { loadHost } from '../loader.js'
import { Redactor, secretsOf } from './redact.js'
import { folder, removeFolders } from '../test/folder.js'

const line = (message: string, fields?: Record<string, unknown>): LogRecord => ({
  time: 0,
  level: 'info',
  name: 'x',
  message,
  ...(fields ? { fields } : {}),
})
const found = (schema: TSchema, config: unknown): string[] =>
  secretsOf([{ plugin: definePlugin({ name: 'subject', config: { key: 'subject', schema } }), config }])

describe('Redactor.learn', () => {
  // Of the mask itself nothing can be hidden.
  const secrets = fc.string({ unit: 'binary', minLength: 6, maxLength: 20 }).filter((text) => !text.includes('•'))
  const noise = fc.string({ unit: 'binary', maxLength: 10 }).filter((text) => !text.includes('•'))

  it('removes a secret from any message, with any other secrets', () => {
    fc.assert(
      fc.property(
        fc.array(secrets, { minLength: 1, maxLength: 5 }),
        fc.array(noise, { minLength: 1, maxLength: 4 }),
        (learned, around) => {
          const redact = new Redactor('/srv/bot')
          redact.learn(learned)
          const { message } = redact.secrets(line(around.join(learned.join(around[0]))))
          for (const secret of learned) expect(message).not.to.contain(secret)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('removes a secret from fields, keys and errors at any depth', () => {
    const place: fc.Arbitrary<(secret: string) => unknown> = fc.constantFrom<((secret: string) => unknown)[]>(
      (secret) => secret,
      (secret) => [`x ${secret}`],
      (secret) => ({ a: secret }),
      (secret) => ({ [secret]: 1 }),
      (secret) => new Error(secret),
      (secret) => ({ a: [{ b: `${secret}${secret}` }] }),
    )
    const wrap = fc.constantFrom<((value: unknown) => unknown)[]>(
      (value) => [value],
      (value) => ({ inner: value }),
      (value) => [1, { list: [value] }],
    )
    fc.assert(
      fc.property(secrets, place, fc.array(wrap, { maxLength: 10 }), (secret, put, wraps) => {
        const redact = new Redactor('/srv/bot')
        redact.learn([secret])
        const { fields } = redact.secrets(
          line('x', { value: wraps.reduce((value, around) => around(value), put(secret)) }),
        )
        const left: string[] = []
        const collect = (value: unknown): void => {
          if (typeof value === 'string') left.push(value)
          else if (value instanceof Error) left.push(value.message)
          else if (typeof value === 'object' && value !== null)
            for (const [key, inner] of Object.entries(value)) {
              left.push(key)
              collect(inner)
            }
        }
        collect(fields)
        expect(left.filter((text) => text.includes(secret))).to.deep.equal([])
      }),
      { numRuns: 300 },
    )
  })

  it('masks a secret in circular fields', () => {
    const redact = new Redactor('/srv/bot')
    redact.learn(['canary-one'])
    const loop: Record<string, unknown> = { text: 'canary-one' }
    loop['self'] = loop
    expect(JSON.stringify(redact.secrets(line('x', { loop }))))
      .to.contain('••••')
      .and.not.to.contain('canary-one')
  })

  it('adds to the secrets, and masks the longest of those that begin alike', () => {
    const redact = new Redactor('/srv/bot')
    redact.learn(['secret', 'secret-long', undefined, 'five5'])
    redact.learn(['another'])
    expect(redact.secrets(line('secret-long secret another five5')).message).to.equal('•••• •••• •••• five5')
  })

  it('takes a secret as text, not as a pattern', () => {
    const redact = new Redactor('/srv/bot')
    redact.learn(['a.c*[x](y)|$^+?{2}\\d'])
    expect(redact.secrets(line('abc a.c*[x](y)|$^+?{2}\\d abccx')).message).to.equal('abc •••• abccx')
  })

  it('does not change the record, and adds no fields', () => {
    const redact = new Redactor('/srv/bot')
    redact.learn(['canary-one'])
    const fields = { a: ['canary-one'] }
    const record = line('canary-one', fields)
    redact.secrets(record)
    expect(record).to.deep.equal(line('canary-one', { a: ['canary-one'] }))
    expect(redact.secrets(line('x'))).to.deep.equal(line('x'))
  })
})

describe('Redactor fields', () => {
  for (const [key, masked] of [
    ['token', true],
    ['Token', true],
    ['botToken', true],
    ['access_token', true],
    ['x-token', true],
    ['apiKey', true],
    ['api_key', true],
    ['api-key', true],
    ['apikey', true],
    ['APIKEY', true],
    ['openaiApiKey', true],
    ['password', true],
    ['dbPassword', true],
    ['secret', true],
    ['clientSecret', true],
    ['tokens', false],
    ['maxTokens', false],
    ['key', false],
    ['keyboard', false],
    ['tokenizer', false],
    ['passwordless', false],
    ['name', false],
    ['monkey', false],
  ] as const) {
    it(`called ${key} is ${masked ? 'masked' : 'shown'}`, () => {
      expect(new Redactor('/srv').secrets(line('x', { [key]: 'abc' })).fields).to.deep.equal({
        [key]: masked ? '••••' : 'abc',
      })
    })
  }

  it('with a secret name show empty values and numbers, and hide each item of a list', () => {
    expect(
      new Redactor('/srv').secrets(line('x', { token: '', secret: null, password: 5, apiKey: ['a', { b: 'c' }] }))
        .fields,
    ).to.deep.equal({ token: '', secret: null, password: 5, apiKey: ['••••', { b: 'c' }] })
  })
})

describe('Redactor credentials', () => {
  for (const [text, expected] of [
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer ••••'],
    ['bearer   abcdef', 'bearer   ••••'],
    ['Bearer abc', 'Bearer abc'],
    ['the bearer of news', 'the bearer of news'],
    ['postgres://me:pw@db/x', 'postgres://me:••••@db/x'],
    ['https://:pw@x', 'https://:••••@x'],
    ['https://x.test:80/a@b', 'https://x.test:80/a@b'],
    ['https://me@x', 'https://me@x'],
    ['/a?key=1&b=2', '/a?key=••••&b=2'],
    ['/a?b=2&api_key=x#frag', '/a?b=2&api_key=••••#frag'],
    ['?access_token=a&apikey=b&secret=c&password=d', '?access_token=••••&apikey=••••&secret=••••&password=••••'],
    ['?keys=1&monkey=2', '?keys=1&monkey=2'],
  ] as const) {
    it(`are masked in "${text}": "${expected}"`, () =>
      expect(new Redactor('/srv').secrets(line(text)).message).to.equal(expected))
  }
})

describe('secretsOf', () => {
  const marked = Type.String({ secret: true })

  for (const [what, schema, config] of [
    ['a field', Type.Object({ pass: marked }), { pass: 'hidden' }],
    ['the items of a list', Type.Object({ all: Type.Array(marked) }), { all: ['hidden'] }],
    [
      'objects in lists in objects',
      Type.Object({ a: Type.Array(Type.Object({ b: Type.Array(Type.Object({ c: marked })) })) }),
      { a: [{ b: [{ c: 'hidden' }] }] },
    ],
    [
      'a record',
      Type.Object({ a: Type.Record(Type.String(), Type.Object({ c: marked })) }),
      { a: { any: { c: 'hidden' } } },
    ],
    ['fields of any name', Type.Object({}, { additionalProperties: marked }), { any: 'hidden' }],
    ['a choice of text and nothing', Type.Object({ a: Type.Union([marked, Type.Null()]) }), { a: 'hidden' }],
    [
      'any of several objects',
      Type.Object({
        a: Type.Union([
          Type.Object({ kind: Type.Literal('open') }),
          Type.Object({ kind: Type.Literal('x'), pass: Type.String() }),
          Type.Object({ kind: Type.Literal('y'), pass: marked }),
        ]),
      }),
      { a: { kind: 'y', pass: 'hidden' } },
    ],
    [
      'any of several lists',
      Type.Object({ a: Type.Union([Type.Array(Type.Number()), Type.Array(marked)]) }),
      { a: ['hidden'] },
    ],
    [
      'a choice in a choice',
      Type.Object({ a: Type.Union([Type.Union([Type.Object({ pass: marked })]), Type.Null()]) }),
      { a: { pass: 'hidden' } },
    ],
  ] as const) {
    it(`finds secrets in ${what}`, () => expect(found(schema, config)).to.deep.equal(['hidden']))
  }

  it('finds values with a secret name, with any schema', () => {
    expect(
      found(Type.Object({}, { additionalProperties: true }), {
        token: 'one',
        deep: { list: [{ apiKey: 'two' }], secret: ['three'] },
        name: 'none',
        constructor: 'none',
      }),
    ).to.deep.equal(['one', 'two', 'three'])
  })

  it('finds secrets in each of several sections, and in a section that is a text', () => {
    const plugin = definePlugin({
      name: 'many',
      config: {
        keys: {
          'a.token': Type.String(),
          b: Type.Object({ pass: marked }),
          c: Type.Optional(Type.Object({ pass: marked })),
        },
      },
    })
    expect(
      secretsOf([
        { plugin, config: { 'a.token': 'one', b: { pass: 'two' } } },
        { plugin: definePlugin({ name: 'none' }) },
      ]),
    ).to.deep.equal(['one', 'two'])
  })

  it('finds none in an absent section and in values that are no text', () => {
    expect(found(Type.Object({ pass: marked }), undefined)).to.deep.equal([])
    expect(found(Type.Object({ pass: marked }), { pass: 5 })).to.deep.equal([])
  })
})

describe('pathRedactor', () => {
  const redact = new Redactor('/srv/bot')
  for (const [text, expected] of [
    ['/srv/bot', '.'],
    ['/srv/bot/a/b.ts:3', 'a/b.ts:3'],
    ['/srv/botany/x', '…/x'],
    ['/srv', '/srv'],
    ['/srv/other', '…/other'],
    ['(/etc/passwd)', '(…/passwd)'],
    ['at file:///srv/bot/p.js:1:2', 'at p.js:1:2'],
    ['file:///opt/x/y', '…/y'],
    ['C:\\Users\\me\\x.txt', '…/x.txt'],
    ['/api/x /pub/health', '/api/x /pub/health'],
    ['x/etc/passwd', 'x/etc/passwd'],
    ['https://x.test/etc/passwd', 'https://x.test/etc/passwd'],
    ['"/tmp/a b"', '"…/a b"'],
    ['/home/', '…/home'],
  ] as const) {
    it(`returns "${expected}" for "${text}"`, () => expect(redact.paths(line(text)).message).to.equal(expected))
  }

  it('hides paths in fields and errors too', () => {
    expect(redact.paths(line('x', { file: '/etc/x/y', error: new Error('open /srv/bot/z') })).fields).to.deep.equal({
      file: '…/y',
      error: 'open z',
    })
  })
})

describe('a secret of a new configuration', () => {
  afterEach(removeFolders)

  it('is masked before plugins receive it, and so is the one before', async () => {
    const config = { key: 'p', schema: { type: 'object', properties: { pass: { type: 'string', secret: true } } } }
    const root = await folder({
      'mynah.config.yml': 'plugins: [./p.js]\np: { pass: canary-one }\n',
      'p.js':
        `let last\nexport default { name: 'p', config: ${JSON.stringify(config)}, setup(ctx) { ` +
        "ctx.log.info('from ' + last + ' to ' + ctx.config.pass); last = ctx.config.pass } }\n",
    })
    const log: string[] = []
    const { host, configuration } = await loadHost(join(root, 'mynah.config.yml'), {
      env: { HTTP_TOKEN: 'canary-env' },
      log: ({ message }) => void log.push(message),
    })
    await host.start()
    await configuration.apply('plugins: [./p.js]\np: { pass: canary-two }\n')
    await writeFile(configuration.file, 'plugins: [./p.js]\np: { pass: canary-three }\n')
    await configuration.apply()
    host.log.info('canary-env')
    await host.stop()
    expect(log).to.deep.equal(['from undefined to ••••', 'from •••• to ••••', 'from •••• to ••••', '••••'])
  })
})

describe('a record with unreadable fields', () => {
  it('is written without them, masked, and does not throw', async () => {
    const redact = new Redactor('/srv/bot')
    redact.learn(['canary-one'])
    const log: LogRecord[] = []
    const speaker = definePlugin({
      name: 'speaker',
      setup(ctx) {
        ctx.log.info('say canary-one', {
          get broken() {
            throw new Error('unreadable')
          },
        })
      },
    })
    const host = await createHost([{ plugin: speaker }], { redact, log: (record) => void log.push(record) }).start()
    expect(host.inspect().map(({ state }) => state)).to.deep.equal(['active'])
    await host.stop()
    expect(log.map(({ message, fields }) => [message, fields])).to.deep.equal([['say ••••', undefined]])
  })
})
