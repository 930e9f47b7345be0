// The hosts under examples/, started by the real command line and asked over the wire.
import { expect } from 'chai'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Bench, freePort, type Running } from './cli.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const TOKEN = 'a-token-for-the-example-hosts'

interface Example {
  readonly bench: Bench
  readonly running: Running
  readonly origin: string
  rpc(type: string, data?: object): Promise<unknown>
}

/** Starts a copy of an example, so that nothing is left in the repository. */
async function start(name: string): Promise<Example> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'mynah-example-'))
  await cp(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/\/(data|node_modules)$/.test(path),
  })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'mynah.config.yml')
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    /^http:/m.test(text) ? text.replace(/port: \d+/, `port: ${port}`) : `${text}http: { port: ${port} }\n`,
  )
  const bench = Bench.at(folder)
  const running = bench.start('start', { HTTP_TOKEN: TOKEN })
  const origin = `http://127.0.0.1:${port}`
  await running.shows(/plugins are up/)
  return {
    bench,
    running,
    origin,
    async rpc(type, data) {
      const response = await fetch(`${origin}/api/console/request`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type, requestId: 1, data }),
      })
      const answer = (await response.json()) as { data?: unknown }
      expect(response.status, JSON.stringify(answer)).to.equal(200)
      return answer.data
    },
  }
}

/** Asks the bot in its sandbox and waits for the first answer that fits. */
async function chat({ rpc, running }: Example, content: string, answer: RegExp): Promise<void> {
  const channel = { type: 'private', id: 'visitor' }
  await rpc('sandbox:send', { endpointId: 'sandbox', channel, sender: { id: 'visitor', name: 'Visitor' }, content })
  for (;;) {
    const history = JSON.stringify(await rpc('sandbox:history', { endpointId: 'sandbox', channel }))
    if (answer.test(history)) return
    if (running.child.exitCode !== null) throw new Error(running.out)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('examples', () => {
  let example: Example | undefined
  afterEach(async () => {
    await example?.bench.remove()
    if (example) await rm(example.bench.folder, { recursive: true, force: true })
    example = undefined
  })

  it('start a host whose sandbox answers', async function () {
    this.timeout(30_000)
    example = await start('starter')
    const { status } = (await (await fetch(`${example.origin}/pub/health`)).json()) as { status: string }
    expect(status, example.running.out).to.equal('ok')
    expect(example.running.out).to.match(/"name":"host","message":"listening on [^"]*; (\d+) of \1 plugins are up/)
    await chat(example, '/help', /help/)
    expect(await example.running.signal('SIGINT')).to.equal(0)
    expect(example.running.err).to.not.match(/^(?:error|mynah):/m)
  })

  it('start a bot in one file that answers', async function () {
    this.timeout(30_000)
    example = await start('single-file')
    await chat(example, '/hello there', /Hello, there!/)
    expect(await example.running.signal('SIGINT')).to.equal(0)
  })
})
