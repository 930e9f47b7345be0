// `mynah dev` with a plugin of twenty files that is saved again and again, a stream, a turn and another plugin.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, until } from '@mynah/kernel/testing'
import { Bench, type Running } from './cli.js'

const TOKEN = 'full-token-of-reload-tests'
const PARTS = 19
/** Makes the whole plugin 15 KB. */
const PART_BYTES = 750

/** Commands of another plugin: `/begin` ends when `/finish` comes, `/heap` says how many bytes are in use. */
const STEADY = `import { commands, defineCommand } from '@mynah/plugin-chat/api'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')
export default {
  name: 'steady',
  setup(ctx) {
    const setups = ctx.keep('setups', () => ({ count: 0 }))
    setups.count++
    let finish
    const add = (name, run) => ctx.contribute(commands, defineCommand({ name, description: name, run }))
    add('begin', () => new Promise((resolve) => (finish = () => resolve('the turn has ended'))))
    add('finish', () => (finish(), 'finished'))
    add('setups', () => String(setups.count))
    add('heap', () => {
      for (let round = 0; round < 4; round++) gc()
      return String(process.memoryUsage().heapUsed)
    })
  },
}
`

const part = (index: number): string =>
  [
    index + 1 < PARTS ? `import { next } from './part${index + 1}.js'` : 'const next = () => 1',
    `export class Part${index} { step(x) { return x + ${index} } }`,
    `export const table = new Map([[${index}, new Part${index}()]])`,
    ...Array.from(
      { length: Math.floor((PART_BYTES - 250) / 60) },
      (_, line) => `export const f${line} = (a, b) => (a > ${line} ? a * ${index} + b : b - ${line})`,
    ),
    index === 0 ? 'export const parts = () => next() + 1' : 'const own = 1',
    index === 0
      ? ''
      : `export { forward as next }\nfunction forward() { return ${index + 1 < PARTS ? 'next() + own' : 'own'} }`,
  ]
    .join('\n')
    .concat('\n')

/** Returns the entry of the plugin in a version. `setup` is run before it contributes. */
export const counterSource = (
  version: number,
  setup = '',
): string => `import { commands, defineCommand } from '@mynah/plugin-chat/api'
import { parts } from './parts/part0.js'
export default {
  name: 'counter',
  setup(ctx) {
    const counts = ctx.keep('counts', () => new Map([['count', 0]]))
    ${setup}
    ctx.contribute(commands, defineCommand({
      name: 'count',
      description: 'Counts',
      run() {
        counts.set('count', counts.get('count') + 1)
        return 'version ${version}, ' + parts() + ' parts, count ' + counts.get('count')
      },
    }))
    ctx.log.info('version ${version} is up')
  },
}
`

/** A host under `mynah dev`, with an open stream. */
export class ReloadHost {
  readonly bench: Bench
  readonly running: Running
  readonly #base: string
  readonly #replies: string[] = []
  /** Whether the stream of events has ended. */
  isStreamOver = false
  readonly #stream = new AbortController()

  private constructor(bench: Bench, running: Running, base: string) {
    this.bench = bench
    this.running = running
    this.#base = base
  }

  /** Starts a host with the plugin and with those of `files`, which `plugins` lists. */
  static async start(
    files: Readonly<Record<string, string>> = {},
    { plugins = [], command = 'dev' }: { readonly plugins?: readonly string[]; readonly command?: string } = {},
  ): Promise<ReloadHost> {
    const port = await freePort()
    const own = ['http-core', 'events', 'console-rpc', 'management', 'chat', 'adapter-sandbox']
    const listed = [...own, './steady.js', './counter/index.js', ...plugins]
    const bench = await Bench.of({
      'mynah.config.yml': [
        `http: { port: ${port}, token: ${TOKEN} }`,
        'endpoints: [{ adapter: sandbox, id: sandbox, trusted: [alice] }]',
        `plugins: [${listed.join(', ')}]`,
        '',
      ].join('\n'),
      'package.json': '{ "type": "module" }',
      'steady.js': withPackages(STEADY),
      'counter/index.js': withPackages(counterSource(0)),
      ...Object.fromEntries(
        Array.from({ length: PARTS }, (_, index) => [`counter/parts/part${index}.js`, part(index)]),
      ),
      ...Object.fromEntries(Object.entries(files).map(([name, source]) => [name, withPackages(source)])),
    })
    const running = bench.start(command)
    const host = new ReloadHost(bench, running, `http://127.0.0.1:${port}/api`)
    await running.shows(/plugins are up/)
    await host.#listen()
    return host
  }

  async #listen(): Promise<void> {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const response = await fetch(`${this.#base}/events`, { headers, signal: this.#stream.signal })
    if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`)
    void this.#read(response.body).finally(() => {
      this.isStreamOver = true
    })
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const chunk of body) {
        text += decoder.decode(chunk, { stream: true })
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        for (const frame of frames) this.#receive(/^data: (.*)$/m.exec(frame)?.[1])
      }
    } catch (error) {
      if (!this.#stream.signal.aborted) throw error
    }
  }

  #receive(line: string | undefined): void {
    const frame = JSON.parse(line ?? '{}') as { type?: string; data?: { text?: string } }
    if (frame.type === 'sandbox:message' && frame.data?.text !== undefined) this.#replies.push(frame.data.text)
  }

  async rpc(type: string, parameters: object = {}): Promise<{ success: boolean; data?: unknown; code?: string }> {
    const response = await fetch(`${this.#base}/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type, ...parameters }),
    })
    return (await response.json()) as { success: boolean; data?: unknown; code?: string }
  }

  /** Sends a message of a user. The answer comes with the stream. */
  async send(content: string, user = 'alice'): Promise<void> {
    const channel = { type: 'private', id: user }
    const data = { endpointId: 'sandbox', channel, sender: { id: user }, content }
    const sent = await this.rpc('sandbox:send', { data })
    if (!sent.success) throw new Error(`the sandbox refused a message: ${JSON.stringify(sent)}`)
  }

  /** Sends a message and returns the next one that the stream brings. */
  async say(content: string): Promise<string> {
    const before = this.#replies.length
    await this.send(content)
    await until(() => this.#replies.length > before, `an answer to ${content}`)
    return this.#replies[before] as string
  }

  /** Resolves when the stream has brought this text. */
  async hears(text: string): Promise<void> {
    await until(() => this.#replies.includes(text), `the message ${text}`)
  }

  /** Saves a file of the host. */
  async save(name: string, source: string): Promise<void> {
    await writeFile(join(this.bench.folder, name), withPackages(source))
  }

  /** Saves a version of the plugin and waits until it runs. Returns how long that took, in milliseconds. */
  async saveVersion(version: number): Promise<number> {
    const startedAt = performance.now()
    await this.save('counter/index.js', counterSource(version))
    await this.running.shows(new RegExp(`version ${version} is up`))
    return performance.now() - startedAt
  }

  async stop(): Promise<void> {
    this.#stream.abort()
    await this.bench.remove()
  }
}

/** The folder of the host has no packages of its own: those of this repository are named by their address. */
const withPackages = (source: string): string =>
  source.replaceAll(
    /(from )'(@mynah\/[^']+)'/g,
    (_, from: string, name: string) => `${from}'${import.meta.resolve(name)}'`,
  )
