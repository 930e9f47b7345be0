// `mynah doctor` and `mynah token`.
import { expect } from 'chai'
import { chmod, symlink } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkNode, consolePortFinding } from '../checks.js'
import { Bench, freePort } from '../../test/cli.js'

describe('mynah doctor', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('finds no problem in a valid installation', async () => {
    bench = await Bench.of({ 'mynah.config.yml': `plugins: [http-core]\nhttp: { port: ${await freePort()} }` })
    const { code, out } = await bench.run('doctor')
    expect(code, out).to.equal(0)
    for (const subject of [
      'Node',
      'configuration',
      'native binding',
      'port',
      'console port',
      'token',
      'data',
      'host',
      'secrets',
      'address',
      'disk',
      'backup',
      'console',
    ])
      expect(out).to.contain(`  ${subject}: `)
    expect(out).to.contain('Nothing to fix')
  })

  it('tells where plugins that are not there would help those that are', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [ai, agent, database]\n' })
    const { out } = await bench.run('doctor')
    expect(out)
      .to.contain('note  agent: runs without cron, which runs the agent on a schedule\n        ')
      .and.to.contain('"cron" to plugins')
      .and.to.contain('note  agent: runs without exec-security')
      .and.not.to.contain('runs without database')
  })

  it('names a plugin once that would help several', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [cron, logs, memory]\n' })
    const { out } = await bench.run('doctor')
    expect(out).to.contain(
      'note  cron, logs, memory: run without database, which keeps jobs and their runs over a restart (cron), ' +
        'keeps log records over a restart (logs), keeps the profiles of users over a restart (memory)\n        ',
    )
  })

  it('finds nothing wrong with a port of the console that the running host uses', () => {
    expect(consolePortFinding('EADDRINUSE', true)).to.include({ state: 'ok' })
    expect(consolePortFinding('EADDRINUSE', false)).to.include({ state: 'note' })
    expect(consolePortFinding('EACCES', true)).to.include({ state: 'note' })
    expect(consolePortFinding(undefined, false)).to.include({ state: 'ok' })
  })

  it('tests the accounts of a running host', async () => {
    const api = createHttpServer((request, response) => {
      const isGood = request.url?.includes('/bot1:good/getMe') === true
      const body = isGood
        ? { ok: true, result: { id: 1, is_bot: true, first_name: 'Plum', username: 'plum_bot' } }
        : { ok: false, error_code: 401, description: 'Unauthorized' }
      response.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(api, 'listening')
    const { port } = api.address() as { port: number }
    const account = (id: string, token: string): string =>
      `  - { adapter: telegram, id: ${id}, token: "${token}", apiRoot: "http://127.0.0.1:${port}" }`
    bench = await Bench.of({
      'mynah.config.yml': [
        'plugins: [http-core, console-rpc, chat, adapter-sandbox, adapter-telegram]',
        `http: { port: ${await freePort()} }`,
        'endpoints:',
        account('good', '1:good'),
        account('bad', '2:bad'),
        '  - { adapter: sandbox, id: sandbox }',
      ].join('\n'),
    })
    const host = bench.start('start')
    await host.shows(/plugins are up/)
    const { out } = await bench.run('doctor')
    api.close()
    api.closeAllConnections()
    expect(out).to.contain('ok    account telegram/good: It connects as plum_bot')
    expect(out).to.match(/FIX {3}account telegram\/bad: .*401/)
    expect(out).not.to.contain('account sandbox')
  })

  it('shows a fix for each problem', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core, nonesuch]\nhttp: { port: ${port} }`,
      'data/http-token': 'x'.repeat(32),
    })
    await chmod(join(bench.folder, 'data/http-token'), 0o644)
    const { code, out } = await bench.run('doctor')
    server.close()
    expect(code).to.equal(1)
    expect(out).to.contain('FIX   configuration: mynah.config.yml:1: no plugin "nonesuch" is installed')
    expect(out).to.match(/FIX {3}port: 127\.0\.0\.1:\d+ cannot be used \(EADDRINUSE\)\n +Stop the process that uses it/)
    expect(out).to.match(/FIX {3}token: other users .*\n +chmod 600 data\/http-token/)
    expect(out).to.contain('3 to fix')
  })

  it('reports what the running host is not ready for, and why', async () => {
    const port = await freePort()
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core, console-rpc, events, management, ./broken.js]\nhttp: { port: ${port} }`,
      'broken.js': `import { readinessChecks } from '@mynah/plugin-http-core/api'
export default { name: 'broken', setup(ctx) {
  ctx.contribute(readinessChecks, { name: 'store', check: () => ({ status: 'failed', reason: 'the disk is gone' }) })
} }`,
    })
    await symlink(
      fileURLToPath(new URL('../../../../../node_modules', import.meta.url)),
      join(bench.folder, 'node_modules'),
    )
    const host = bench.start('start')
    await host.shows(/plugins are up/)
    const { code, out } = await bench.run('doctor')
    expect(code, out).to.equal(1)
    expect(out).to.contain('FIX   readiness: store is failed: the disk is gone')
    await host.signal('SIGTERM')
  })

  it('names the tools of MCP servers that the running host cannot offer, and why', async () => {
    const port = await freePort()
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core, console-rpc, events, ai, mcp]
http: { port: ${port} }
ai: { mcpServers: { odd: { command: node, args: [server.mjs] } } }`,
      'server.mjs': `import { createInterface } from 'node:readline'
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } },
  'tools/list': { tools: [
    { name: 'fine', inputSchema: { type: 'object', required: null } },
    { name: 'broken', inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } },
  ] },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }))
})`,
    })
    await symlink(
      fileURLToPath(new URL('../../../../../node_modules', import.meta.url)),
      join(bench.folder, 'node_modules'),
    )
    const host = bench.start('start')
    await host.shows(/MCP server odd is connected, tools: 1/)
    const { code, out } = await bench.run('doctor')
    expect(code, out).to.equal(0)
    expect(out).to.contain(
      'note  MCP server odd: broken has a schema that cannot be used: properties.a.$ref is "#/nowhere", which is not in ' +
        'the schema, and is not offered\n        Tell its author, or name it in ai.mcpServers.odd.exclude',
    )
    expect(out).to.not.contain('fine has')
    await host.signal('SIGTERM')
  })

  it('asks a running host at its own address, which another environment has chosen', async () => {
    const port = await freePort()
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [http-core, console-rpc, events, management]\nhttp: { port: "${PORT:-1}" }\n',
    })
    const host = bench.start('start', { PORT: String(port), HTTP_TOKEN: 'token-of-the-host' })
    await host.shows(/plugins are up/)
    const { out } = await bench.run('doctor', { HTTP_TOKEN: 'another-token' })
    expect(out)
      .to.contain(`note  port: the running host listens at http://127.0.0.1:${port}, here the configuration has`)
      .and.to.contain('ok    readiness: all parts of the host are ready')
    expect((await bench.run('status')).out).to.contain(`, at http://127.0.0.1:${port}\n`)
    await host.signal('SIGTERM')
  })

  it('names the model servers that the running host cannot reach, and why', async () => {
    const [port, gone] = [await freePort(), await freePort()]
    const provider = `{ sdk: openai-compatible, baseUrl: "http://127.0.0.1:${gone}/v1", apiKey: k }`
    bench = await Bench.of({
      'mynah.config.yml': [
        'plugins: [http-core, console-rpc, events, management, ai]',
        `http: { port: ${port} }`,
        `ai: { providers: { ours: ${provider} } }`,
      ].join('\n'),
    })
    const host = bench.start('start')
    await host.shows(/plugins are up/)
    await host.shows(/refused/)
    const { code, out } = await bench.run('doctor')
    expect(code, out).to.equal(1)
    expect(out).to.match(
      new RegExp(
        `FIX   models of ours: ours could not be reached: the connection is refused \\(http://127\\.0\\.0\\.1:${gone}\\)`,
      ),
    )
    await host.signal('SIGTERM')
  })

  it('asks a running host whose variables are missing here', async () => {
    const port = await freePort()
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [http-core, console-rpc, events, management]\nhttp: { port: "${OUR_PORT}" }\n',
    })
    const host = bench.start('start', { OUR_PORT: String(port) })
    await host.shows(/plugins are up/)
    const { out } = await bench.run('doctor')
    expect(out).to.contain('OUR_PORT').and.to.contain('ok    readiness: all parts of the host are ready')
    const setup = await bench.run('setup platform sandbox')
    expect(setup.out + setup.err)
      .to.contain('the plugin workspace is not enabled')
      .and.not.to.contain('OUR_PORT')
    await host.signal('SIGTERM')
  })

  it('reports a PostgreSQL that does not answer', async () => {
    const [port, gone] = [await freePort(), await freePort()]
    const database = `database: { type: postgres, url: "postgres://mynah:secret-word@127.0.0.1:${gone}/mynah" }`
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core, database]\nhttp: { port: ${port} }\n${database}`,
    })
    const { code, out } = await bench.run('doctor')
    expect(code, out).to.equal(1)
    expect(out).to.contain(`FIX   database: PostgreSQL does not answer at 127.0.0.1:${gone} (ECONNREFUSED)`)
    expect(out).not.to.contain('secret-word')
  })

  it('ends in its own time when the reader of its output ends first', async () => {
    bench = await Bench.of({ 'mynah.config.yml': `plugins: [http-core]\nhttp: { port: ${await freePort()} }` })
    const doctor = bench.start('doctor')
    doctor.child.stdout?.destroy()
    expect(await doctor.ended).to.equal(0)
    expect(doctor.err).to.equal('')
  })

  it('reports a data folder that is a file', async () => {
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core]\nhttp: { port: ${await freePort()} }`,
      data: 'x',
    })
    const { code, out } = await bench.run('doctor')
    expect(code).to.equal(1)
    expect(out).to.match(/FIX {3}data: data is a file\n +Move it away/)
  })

  it('finds keys and an ollama, and prints the YAML for them', async () => {
    const ollama = createHttpServer(
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"models":[]}'),
    ).listen(0, '127.0.0.1')
    await once(ollama, 'listening')
    const host = `127.0.0.1:${(ollama.address() as { port: number }).port}`
    const http = `http: { port: ${await freePort()} }`
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core]\n${http}`,
      '.env': 'OPENAI_API_KEY=from-a-file\n',
    })
    const { code, out } = await bench.run('doctor', { ANTHROPIC_API_KEY: 'sk-secret', OLLAMA_HOST: host })
    expect(code, out).to.equal(0)
    expect(out).to.contain(`note  models: ANTHROPIC_API_KEY is set, OPENAI_API_KEY is set, ollama runs on this machine`)
    expect(out).to.contain(
      [
        '',
        'ai:',
        '  providers:',
        '    anthropic: { sdk: anthropic, apiKey: "${ANTHROPIC_API_KEY}" }',
        '    openai: { sdk: openai, apiKey: "${OPENAI_API_KEY}" }',
        `    ollama: { sdk: ollama, host: "http://${host}" }`,
        '',
      ]
        .join('\n        ')
        .trimEnd(),
    )
    expect(out).not.to.contain('sk-secret')
    await bench.write({
      'mynah.config.yml': [
        'plugins: [http-core, ai]',
        http,
        'ai:',
        '  providers:',
        '    main: { sdk: anthropic, apiKey: "${ANTHROPIC_API_KEY}" }',
        '    two: { sdk: openai, apiKey: "${OPENAI_API_KEY}" }',
        '    local: { sdk: ollama }',
      ].join('\n'),
    })
    expect((await bench.run('doctor', { ANTHROPIC_API_KEY: 'sk-secret', OLLAMA_HOST: host })).out).to.contain(
      'ok    models: from main, two, local',
    )
    await new Promise((resolve) => ollama.close(resolve))
    expect((await bench.run('doctor', { ANTHROPIC_API_KEY: 'sk-secret', OLLAMA_HOST: host })).out).to.contain(
      'ok    models: from',
    )
  })

  it('reports a missing configuration', async () => {
    bench = await Bench.of({})
    const { code, out } = await bench.run('doctor')
    expect(code).to.equal(1)
    expect(out).to.contain('FIX   configuration: mynah.config.yml: mynah.config.yml cannot be read')
  })

  it('prints JSON with --json and the same exit code', async () => {
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core, nonesuch]\nhttp: { port: ${await freePort()}, hosts: [bot.example.com] }`,
    })
    const { code, out } = await bench.run('doctor --json')
    expect(code).to.equal(1)
    const { ok, findings } = JSON.parse(out) as {
      ok: boolean
      findings: { state: string; subject: string; text: string; remedy?: string }[]
    }
    expect(ok).to.equal(false)
    expect(findings.filter(({ state }) => state === 'mend').map(({ subject }) => subject)).to.deep.equal([
      'configuration',
      'address',
    ])
    for (const { state, remedy, subject } of findings)
      if (state !== 'ok') expect(remedy, subject).to.be.a('string').and.not.equal('')
  })

  it('recognizes a running host and its port', async () => {
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core]\nhttp: { port: ${await freePort()} }`,
      '.env': 'A=1',
    })
    await chmod(join(bench.folder, '.env'), 0o644)
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    const { code, out } = await bench.run('doctor')
    expect(code, out).to.equal(0)
    expect(out)
      .to.contain(`ok    host: is running as process ${running.child.pid}`)
      .and.to.match(/ok {4}port: .* is in use by the running host/)
    expect(out).to.match(/note {2}secrets: .*\n +chmod 600 \.env/)
    expect(await running.signal('SIGTERM')).to.equal(0)
    expect((await bench.run('backup')).code).to.equal(0)
    expect((await bench.run('doctor')).out).to.contain('ok    backup: the newest is less than 24 hours old')
  })

  it('rejects old versions of Node', async () => {
    bench = await Bench.of({})
    for (const version of ['18.20.0', '20.18.9']) expect(checkNode(version).state).to.equal('mend')
    for (const version of ['20.19.0', '22.0.0', '24.1.0']) expect(checkNode(version).state).to.equal('ok')
  })
})

describe('mynah token', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('shows the location of the token, in the order of the server', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: []\nhttp: { token: "${T}" }',
      'data/http-token': 'generated\n',
    })
    expect(await bench.run('token')).to.deep.equal({ code: 0, out: 'The token is in data/http-token.\n', err: '' })
    expect((await bench.run('token --show')).out).to.equal('generated\n')
    expect((await bench.run('token', { HTTP_TOKEN: 'e' })).out).to.equal(
      'The token is in the environment variable HTTP_TOKEN.\n',
    )
    expect((await bench.run('token --show', { HTTP_TOKEN: 'e', T: 'configured' })).out).to.equal('configured\n')
    await bench.write({ '.env': 'HTTP_TOKEN=from-file' })
    expect((await bench.run('token --show')).out).to.equal('from-file\n')
  })

  it('reports that there is no token yet', async () => {
    bench = await Bench.of({ 'mynah.config.yml': '' })
    expect((await bench.run('token')).out).to.contain('which the first start generates')
    const { code, err } = await bench.run('token --show')
    expect(code).to.equal(1)
    expect(err).to.contain('there is no token yet')
  })
})
