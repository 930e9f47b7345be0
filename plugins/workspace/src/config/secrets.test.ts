import { expect } from 'chai'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { SECRET_MASK, unmaskSecrets } from '@mynah/contract'
import { maskYaml, unmaskYaml } from './mask-yaml.js'
import { maskSecrets, type SchemasByPath } from './secrets.js'
import { parseYaml } from './values.js'
import { Bench, HEAD, removeAll, TOKEN } from '../test/support.js'

const WANTS = `wants:
  token: 'sesame-open-wide'   # never shown
  pin: 90210
  accounts:
    - { id: a, name: Ann, password: first-pass-word }
    - id: b
      password: |
        second-pass-word
    - { name: c, password: "\${FROM_OUTSIDE}" }
    - { note: plain, password: fourth-pass-word }
`
const SECRETS = ['sesame-open-wide', 'first-pass-word', 'second-pass-word', 'fourth-pass-word', TOKEN, '90210']
const start = (text = WANTS) =>
  Bench.start(text, { head: `${HEAD}  - ./wants.mjs\n`, env: { FROM_OUTSIDE: 'outside-pass-word' } })
const expectNone = (text: string): void => {
  for (const secret of [...SECRETS, 'outside-pass-word']) expect(text).not.to.contain(secret)
}

describe('secrets of the configuration', () => {
  afterEach(removeAll)

  it('are in no answer that a reader sees, references are', async () => {
    const bench = await start(WANTS.replace('90210', "'90210'"))
    for (const answer of [
      await bench.rest('/config'),
      await bench.rest('/config/app'),
      await bench.rest('/config/wants'),
      await bench.rest('/config/http'),
      await bench.rpc('config:get'),
      await bench.rpc('config:get', { pluginName: 'wants' }),
      await bench.rpc('config:get-all'),
      await bench.rpc('config:get-yaml'),
    ]) {
      expect(answer.status).to.equal(200)
      expectNone(answer.text)
      expect(answer.text).to.contain(SECRET_MASK)
    }
    const { yaml } = (await bench.rpc('config:get-yaml')).data as { yaml: string }
    expect(yaml).to.contain('# never shown').and.to.contain('${FROM_OUTSIDE}')
    expect((await bench.rpc('config:get-yaml')).data)
      .to.have.property('pluginKeys')
      .that.includes('wants')
  })

  it('stay when a form returns their masks, even if items have moved', async () => {
    const bench = await start(WANTS.replace('90210', "'90210'"))
    const { accounts, ...rest } = (await bench.rpc('config:get', { pluginName: 'wants' })).data as {
      accounts: { id?: string; name?: string }[]
    }
    const [a, b, c, d] = accounts
    const answer = await bench.rpc('config:set', {
      pluginName: 'wants',
      data: { ...rest, accounts: [b, c, { ...a, note: 'moved' }, d] },
    })
    expect(answer.success, answer.text).to.equal(true)
    expect(
      (bench.wanted as { accounts: { password: string }[] }).accounts.map(({ password }) => password.trim()),
    ).to.deep.equal(['second-pass-word', 'outside-pass-word', 'first-pass-word', 'fourth-pass-word'])
    expect(bench.wanted).to.include({ token: 'sesame-open-wide', pin: '90210' })
    expect(await bench.read())
      .to.contain('${FROM_OUTSIDE}')
      .and.not.to.contain(SECRET_MASK)
  })

  it('stay when YAML returns their masks, and are replaced by new values', async () => {
    const bench = await start(WANTS.replace('90210', "'90210'"))
    const { yaml } = (await bench.rpc('config:get-yaml')).data as { yaml: string }
    expect((await bench.rpc('config:save-yaml', { yaml })).success).to.equal(true)
    const { yaml: again } = (await bench.rpc('config:get-yaml')).data as { yaml: string }
    expect(again).to.equal(yaml)
    const text = await bench.read()
    for (const secret of SECRETS) expect(text).to.contain(secret)
    await bench.rpc('config:save-yaml', {
      yaml: yaml.replace(`token: "${SECRET_MASK}"   # never`, 'token: brand-new-token   # never'),
    })
    expect(await bench.read())
      .to.contain('token: brand-new-token   # never shown')
      .and.to.contain('first-pass-word')
      .and.not.to.contain('sesame')
  })

  it('cannot be set to a mask where no secret is stored', async () => {
    const bench = await start('wants: { count: 1 }\n')
    const before = await bench.read()
    expect(await bench.rpc('config:set', { pluginName: 'wants', data: { token: SECRET_MASK } })).to.deep.include({
      code: 'invalid_request:config',
      details: [{ path: 'token', message: 'is masked, but no secret is stored there' }],
    })
    const { yaml } = (await bench.rpc('config:get-yaml')).data as { yaml: string }
    const refused = await bench.rpc('config:save-yaml', { yaml: yaml.replace('count: 1', `pin: "${SECRET_MASK}"`) })
    expect(refused).to.deep.include({
      code: 'invalid_request:config',
      details: [{ path: 'wants.pin', message: 'is masked, but no secret is stored there' }],
    })
    expect(await bench.read()).to.equal(before)
  })

  it('are masked in any YAML, and any comes back as it was', () => {
    const name = fc.oneof(
      fc.stringMatching(/^[a-z]{1,6}$/),
      fc.constantFrom('token', 'apiKey', 'botToken', 'client_secret', 'password', '1', 'true', 'a.b'),
    )
    const secret = fc.stringMatching(/^[A-Z]{8,12}$/).map((word) => `S3CR3T-${word}`)
    const tree = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.dictionary(
          name,
          fc.oneof(secret, tie('tree'), fc.array(tie('tree'), { maxLength: 3 }), fc.array(secret, { maxLength: 2 })),
          { maxKeys: 4, noNullPrototype: true },
        ),
        fc.dictionary(name, secret, { noNullPrototype: true }),
      ),
    })).tree
    const schemas: SchemasByPath = new Map([
      ['x', { properties: { open: { secret: true } }, additionalProperties: { secret: true } }],
    ])
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('x', 'y', 'z'), tree, { noNullPrototype: true }),
        fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'BLOCK_FOLDED', 'BLOCK_LITERAL'),
        fc.boolean(),
        (values, defaultStringType, flow) => {
          const text = stringify(
            values,
            flow
              ? { collectionStyle: 'flow' }
              : { defaultStringType: defaultStringType as 'PLAIN', defaultKeyType: 'PLAIN', lineWidth: 0 },
          )
          const source = parseYaml(text)
          const shown = maskYaml(text, schemas)
          expect(parseYaml(shown)).to.deep.equal(maskSecrets(source, schemas))
          expect(parseYaml(unmaskYaml(shown, text))).to.deep.equal(source)
          expect(unmaskSecrets(maskSecrets(source, schemas), source)).to.deep.equal(source)
        },
      ),
      { numRuns: 400 },
    )
  }).timeout(30_000)

  it('are masked where they are shared by an anchor, stand under odd keys, or are numbers', () => {
    const text =
      'one: &t S3CR3T-A\nhttp: { token: *t }\n1: { token: S3CR3T-B }\nlist: { password: [S3CR3T-C, 12345678] }\n? token\n: S3CR3T-D\n'
    const shown = maskYaml(text, new Map())
    expect(shown).not.to.match(/S3CR3T|12345678/)
    expect(parseYaml(unmaskYaml(shown, text))).to.deep.equal(parseYaml(text))
  })
})

describe('config:save-yaml', () => {
  afterEach(removeAll)

  it('takes effect only at the next start, not with another change', async () => {
    const bench = await start('wants: { greeting: old, count: 1 }\n')
    const yaml = (await bench.read()).replace('greeting: old', 'greeting: new')
    expect((await bench.rpc('config:save-yaml', { yaml })).data).to.include({ success: true })
    expect(bench.wanted).to.include({ greeting: 'old' })
    expect(await bench.read()).to.equal(yaml)
    expect((await bench.rpc('config:get', { pluginName: 'wants' })).data).to.deep.equal({ greeting: 'new', count: 1 })
    expect(
      (
        await bench.rpc('config:set', {
          pluginName: 'http',
          data: { port: 0, token: SECRET_MASK, corsOrigins: ['http://localhost:5173'] },
        })
      ).success,
    ).to.equal(true)
    expect(bench.wanted).to.include({ greeting: 'old' })
    await bench.stop()
    await bench.boot()
    expect(bench.wanted).to.include({ greeting: 'new' })
  })

  it('rejects a configuration that cannot start with the line and writes nothing', async () => {
    const bench = await start('wants: { count: 1 }\n')
    const before = await bench.read()
    for (const [yaml, message] of [
      [before.replace('count: 1', 'count: none'), /line \d+: .*wants\.count must be integer/],
      [`${before}broken: [`, /line \d+/],
      [before.replace('- events', '- evnts'), /did you mean "events"/],
      ['[]', /mapping/],
      ['42', /mapping/],
      [`${before}x: \${NOT_SET_ANYWHERE}\n`, /NOT_SET_ANYWHERE/],
      [before.replace('port: 0', 'port: -1'), /http\.port/],
      ['a: &a [*a]\n', /./],
    ] as const) {
      const answer = await bench.rpc('config:save-yaml', { yaml })
      expect(answer, yaml).to.include({ status: 400, success: false, code: 'invalid_request:config' })
      expect(answer.error, yaml).to.match(message)
    }
    expect(await bench.read()).to.equal(before)
  })
})
