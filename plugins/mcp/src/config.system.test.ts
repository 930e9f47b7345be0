import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { LogRecord } from '@mynah/kernel'
import { checkFile, loadHost } from '@mynah/kernel/loader'
import { Http } from '@mynah/plugin-http-core/api'
import { claims, type ServerConfig } from './config.js'
import { McpServers } from './api.js'
import { odd, until } from './test/support.js'

const TOKEN = 'a-token-for-the-tests-of-mcp'
const SECRET = 'a-secret-of-the-odd-server'

describe('ai.mcpServers', () => {
  let folder: string
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'mynah-mcp-'))))
  afterEach(() => rm(folder, { recursive: true }))
  const file = async (text: string): Promise<string> => {
    const path = join(folder, 'mynah.config.yml')
    await writeFile(path, text)
    return path
  }
  const problems = async (text: string): Promise<string[]> =>
    (await checkFile(await file(text), { env: {} })).map(
      ({ severity, message, place }) => `${severity} ${place?.line ?? ''} ${message}`,
    )
  const said = (server: ServerConfig, name = 'x'): string[] =>
    claims.check({ 'ai.mcpServers': { [name]: server } }).map(({ path, message }) => `${path} ${message}`)

  it('reports each mistake with its path', () => {
    expect(said({ command: 'x', args: ['y'], env: { A_1: 'b' }, cwd: '.', include: ['a'], timeout: 5 })).to.deep.equal(
      [],
    )
    expect(said({ url: 'http://x/mcp', headers: { 'x-key': 'b' } })).to.deep.equal([])
    expect(said({})).to.deep.equal(['ai.mcpServers.x needs a command or a url'])
    expect(said({ command: 'x', url: 'http://x' })).to.deep.equal([
      'ai.mcpServers.x.url cannot be combined with a command: a server has one or the other',
    ])
    expect(said({ url: 'http://' })).to.deep.equal(['ai.mcpServers.x.url is no valid address'])
    expect(said({ url: 'http://x', args: [], env: {} })).to.deep.equal([
      'ai.mcpServers.x.args is only for a server with a command',
      'ai.mcpServers.x.env is only for a server with a command',
    ])
    expect(said({ command: 'x', headers: {} })).to.deep.equal([
      'ai.mcpServers.x.headers is only for a server with a url',
    ])
    expect(said({ command: 'x', env: { 'A=B': 'c', D: 'e\0f' } })).to.deep.equal([
      'ai.mcpServers.x.env.A=B is no valid name of an environment variable',
      'ai.mcpServers.x.env.D contains a zero byte',
    ])
    const [header] = said({ url: 'http://x', headers: { key: `${SECRET}\n` + 'more' } })
    expect(header).to.equal('ai.mcpServers.x.headers.key is no valid header')
    expect(said({ command: 'x' }, 'a b')[0]).to.include('is no valid name')
  })

  it('reports mistakes with their lines in the file', async () => {
    expect(
      await problems(
        'plugins: [ai, mcp]\nai:\n  mcpServers:\n    a: { command: npx, args: [-y, x] }\n    b: { url: "https://x.test/mcp" }\n',
      ),
    ).to.deep.equal([])
    const unknown = await problems('plugins: [mcp]\nai:\n  mcpServers:\n    a:\n      comand: npx\n')
    expect(unknown.join('\n')).to.include('ai.mcpServers.a.comand').and.include('did you mean "command"')
    expect((await problems('plugins: [mcp]\nai:\n  mcpServers:\n    a:\n      url: "ftp://x"\n'))[0]).to.match(
      /^plugin 5 ai\.mcpServers\.a\.url/,
    )
    expect((await problems('plugins: [mcp]\nai:\n  mcpServers:\n    a: {}\n'))[0]).to.match(
      /^plugin 4 ai\.mcpServers\.a needs a command or a url/,
    )
  })

  it('keeps secrets out of answers and the log', async () => {
    const { command, args = [] } = odd({ dies: `It says ${SECRET}` })
    const log: LogRecord[] = []
    const { host } = await loadHost(
      await file(
        JSON.stringify({
          plugins: ['http-core', 'console-rpc', 'management', 'mcp'],
          http: { port: 0, token: TOKEN },
          ai: { mcpServers: { odd: { command, args, env: { ANYTHING: SECRET } } } },
        }),
      ),
      { log: (record) => void log.push(record) },
    )
    await host.start()
    try {
      await until(() => host.get(McpServers)?.list()[0]?.lastError !== undefined)
      const request = (path: string, body?: object) =>
        fetch(`${host.get(Http)?.origin}/api/${path}`, {
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
          ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
        }).then((response) => response.text())
      const seen = [await request('console/request', { type: 'mcp:list', requestId: 1 }), await request('ready')]
      for (const text of seen) expect(text).to.include('It says ••••').and.not.include(SECRET)
      expect(JSON.stringify(log)).to.include('It says ••••').and.not.include(SECRET)
    } finally {
      await host.stop()
    }
  }).timeout(20_000)
})
