// Starts copies of the hosts under examples/ with the real command line, and talks to them over the wire.
import { expect } from 'chai'
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Bench, freePort, type Running } from './cli.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const TOKEN = 'a-token-for-the-example-hosts'

export interface Example {
  readonly bench: Bench
  readonly running: Running
  readonly origin: string
  rpc(type: string, data?: object): Promise<unknown>
}

/**
 * Starts a copy of an example, so that nothing is left in the repository.
 *
 * @param edit changes its configuration
 */
export async function startExample(
  name: string,
  edit: (config: string) => string = (config) => config,
): Promise<Example> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'mynah-example-'))
  await cp(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/\/(data|node_modules)$/.test(path),
  })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'mynah.config.yml')
  // The lean host has the own plugin of the starter, which lies outside its folder.
  const config = (await readFile(file, 'utf8')).replace('../starter', join(ROOT, 'examples/starter'))
  const text = edit(config)
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
export async function chat({ rpc, running }: Example, content: string, answer: RegExp): Promise<void> {
  const channel = { type: 'private', id: 'visitor' }
  await rpc('sandbox:send', { endpointId: 'sandbox', channel, sender: { id: 'visitor', name: 'Visitor' }, content })
  for (;;) {
    const history = JSON.stringify(await rpc('sandbox:history', { endpointId: 'sandbox', channel }))
    if (answer.test(history)) return
    if (running.child.exitCode !== null) throw new Error(running.out)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
