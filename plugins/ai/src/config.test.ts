import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkFile } from '@mynah/kernel/loader'
import { mistakesIn, type AiConfig } from './config.js'

const mistakes = (providers: object) => mistakesIn({ providers } as AiConfig)

describe('configuration of ai', () => {
  let folder: string
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'mynah-ai-'))))
  afterEach(() => rm(folder, { recursive: true }))
  const problems = async (text: string) => {
    const file = join(folder, 'mynah.config.yml')
    await writeFile(file, text)
    return (await checkFile(file, { env: { KEY: 'k' } })).map(
      ({ severity, message, place }) => `${severity} ${place?.line ?? ''} ${message}`,
    )
  }

  it('refuses each removed field, and says what to write', () => {
    for (const [field, value, write] of [
      ['api', 'openai', 'sdk: openai'],
      ['driver', 'anthropic', 'sdk: anthropic'],
      ['preset', 'openrouter', 'sdk: openai-compatible'],
      ['spec', { any: 1 }, 'sdk: <openai | anthropic'],
    ] as const) {
      const [found, ...more] = mistakes({ main: { [field]: value, apiKey: 'k', surprise: 1 } })
      expect(found).to.deep.include({ path: `ai.providers.main.${field}`, fatal: true })
      expect(found?.message).to.contain(write)
      expect(more).to.deep.equal([])
    }
    expect(mistakes({ main: { sdk: 'openai', api: 'x', spec: 'y' } }).map(({ fatal }) => fatal)).to.deep.equal([
      true,
      true,
    ])
    expect(mistakes({ main: { sdk: 'openai' } })).to.deep.equal([])
  })

  it('names each mistake with its path and the closest match', () => {
    const said = (provider: object, alias = 'main') =>
      mistakes({ [alias]: provider }).map(({ path, message, fatal }) => `${path} ${message}${fatal ? ' (fatal)' : ''}`)
    expect(said({})).to.deep.equal([
      'ai.providers.main.sdk is required; it is one of openai, anthropic, google, deepseek, ollama, openai-compatible',
    ])
    expect(said({ sdk: 'openai', apikey: 'x' })).to.deep.equal([
      'ai.providers.main.apikey is not known here; did you mean "apiKey"?',
    ])
    expect(said({ sdk: 'openai-compatible' })[0]).to.contain('baseUrl is required')
    expect(said({ sdk: 'openai-compatible', accountId: 'a' })).to.deep.equal([])
    expect(said({ sdk: 'openai', accountId: 'a' })[0]).to.contain('only for openai-compatible')
    expect(said({ sdk: 'openai', host: 'http://x', num_ctx: 5 })).to.have.length(2)
    expect(said({ sdk: 'openai', omit: ['stream_options', 'strict'] })).to.deep.equal([])
    expect(said({ sdk: 'openai', omit: ['messages'] })).to.deep.equal([
      'ai.providers.main.omit has "messages", without which there is no request',
    ])
    expect(said({ sdk: 'anthropic', omit: ['thinking'] })).to.deep.equal([
      'ai.providers.main.omit is not for anthropic',
    ])
    for (const host of ['localhost:11434', '127.0.0.1', 'http://box:1234', '[::1]:11434'])
      expect(said({ sdk: 'ollama', host }), host).to.deep.equal([])
    for (const host of ['http://', 'no address', 'ftp://x'])
      expect(said({ sdk: 'ollama', host })[0], host).to.contain('is no address')
    expect(said({ sdk: 'openai', baseUrl: 'https://exa mple/v1' })[0]).to.contain('baseUrl is no address')
    expect(said({ sdk: 'openai', baseUrl: 'https://user:pass@relay.example/v1' })).to.deep.equal([
      'ai.providers.main.baseUrl has a user name or password, which is not sent; write the key as apiKey',
    ])
    expect(said({ sdk: 'ollama', host: 'me@box:11434' })[0]).to.contain('host has a user name or password')
    expect(said({ sdk: 'openai', baseUrl: 'https://relay.example/v1?key=abc' })[0]).to.contain(
      'baseUrl has a query, which is not sent',
    )
    expect(said({ sdk: 'openai' }, 'a:b')[0]).to.contain('is no alias')
  })

  it('is read from a file with variables, and mistakes name its lines', async () => {
    expect(
      await problems(
        'plugins: [ai]\nai:\n  providers:\n    main: { sdk: openai, apiKey: "${KEY}" }\n    local: { sdk: ollama, contextWindow: 8192 }\n',
      ),
    ).to.deep.equal([])
    const found = await problems('plugins: [ai]\nai:\n  providers:\n    main:\n      sdk: opnai\n')
    expect(found).to.have.length(1)
    expect(found[0]).to.contain('plugin 5 ai.providers.main.sdk must be one of "openai"')
    expect((await problems('plugins: [ai]\nai:\n  providers:\n    main: { driver: openai }\n'))[0]).to.contain(
      'fatal 4 ai.providers.main.driver was removed; write "sdk: openai"',
    )
    expect((await problems('plugins: [ai]\nai:\n  provider: {}\n'))[0]).to.contain('did you mean "providers"')
  })

  it('accepts keys of other plugins, enabled or not', async () => {
    expect(
      await problems(
        'plugins: [ai]\nai: { agent: { execSecurity: deny, maxIterations: 3 }, trigger: {}, mcpServers: {}, agents: { main: { provider: x } } }\n',
      ),
    ).to.deep.equal([])
    expect(await problems('plugins: [ai, exec-security]\nai: { agent: { execSecurity: deny } }\n')).to.deep.equal([])
    expect(
      (await problems('plugins: [ai, exec-security]\nai: { agent: { execSecurity: sometimes } }\n'))[0],
    ).to.contain('ai.agent.execSecurity')
  })
})
