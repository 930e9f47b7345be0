// Starts a host from a configuration file in its own folder and calls it like a console.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { LogRecord } from '@mynah/kernel'
import { freePort, until } from '@mynah/kernel/testing'
import { loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { Http } from '@mynah/plugin-http-core/api'

export { freePort, until }

export const TOKEN = 'full-token-of-workspace-tests'
export const HEAD = `# The host of a test.
plugins:
  - http-core   # the server
  - events
  - console-rpc
  - workspace
`
/** A plugin with options of every kind: `wants` takes changes in place, `fragile` fails on request. */
const PLUGINS = {
  'wants.mjs': `export default {
  name: 'wants',
  config: { key: 'wants', schema: { type: 'object', default: {}, additionalProperties: false, properties: {
    greeting: { type: 'string', default: 'hello' }, count: { type: 'integer', minimum: 0, default: 1 }, list: { type: 'array', items: {} },
    token: { type: 'string' }, pin: { type: 'string', secret: true },
    accounts: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' }, password: { type: 'string' }, note: {} } } },
    any: {},
  } } },
  setup(ctx) { globalThis.wanted = ctx.config; return { reconfigure(config) { globalThis.wanted = config } } },
}
`,
  'fragile.mjs': `export default {
  name: 'fragile',
  config: { key: 'fragile', schema: { type: 'object', default: {}, additionalProperties: false, properties: { broken: { type: 'boolean', default: false }, note: { type: 'string', default: '' } } } },
  setup(ctx) { if (ctx.config.broken) throw new Error('cannot start like this') },
}
`,
}

export interface Answer {
  readonly status: number
  readonly success: boolean
  readonly data: never
  readonly error?: string
  readonly code?: string
  readonly details?: { path: string; message: string }[]
  readonly text: string
}

const running = new Set<Bench>()

export class Bench {
  readonly log: LogRecord[] = []
  readonly folder: string
  #loaded: LoadedHost | undefined

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Starts a host whose file is {@link HEAD}, its own port and token, and `text`. */
  static async start(
    text: string,
    {
      files = {},
      env = {},
      http = `http: { port: 0, token: ${TOKEN} }\n`,
      head = HEAD,
      links = {},
    }: {
      files?: Record<string, string>
      env?: Record<string, string>
      http?: string
      head?: string
      links?: Record<string, string>
    } = {},
  ): Promise<Bench> {
    const bench = new Bench(await mkdtemp(join(tmpdir(), 'mynah-workspace-')))
    running.add(bench)
    await bench.write({ ...PLUGINS, ...files, 'mynah.config.yml': `${head}${http}${text}` })
    for (const [name, target] of Object.entries(links)) await symlink(target, join(bench.folder, name))
    await bench.boot(env)
    return bench
  }

  async boot(env: Record<string, string> = {}): Promise<void> {
    this.#loaded = await loadHost(this.file, { env, log: (record) => void this.log.push(record) })
    await this.#loaded.host.start()
  }

  get file(): string {
    return join(this.folder, 'mynah.config.yml')
  }
  get loaded(): LoadedHost {
    return this.#loaded as LoadedHost
  }
  get origin(): string {
    return this.loaded.host.get(Http)?.origin ?? ''
  }

  async write(files: Record<string, string | Buffer>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true })
      await writeFile(join(this.folder, name), content)
    }
  }

  read(name = 'mynah.config.yml'): Promise<string> {
    return readFile(join(this.folder, name), 'utf8')
  }

  async rest(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.origin}/api${path}`, {
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, ...(JSON.parse(text) as { success: boolean; data: never }) }
  }

  rpc(type: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.rest('/console/request', { ...params, type }, headers)
  }

  /** The configuration that the plugin `wants` holds now. */
  get wanted(): Record<string, unknown> {
    return (globalThis as { wanted?: Record<string, unknown> }).wanted ?? {}
  }

  async stop(): Promise<void> {
    await this.#loaded?.host.stop()
    this.#loaded = undefined
  }

  async remove(): Promise<void> {
    running.delete(this)
    await this.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Ends what tests have started. */
export async function removeAll(): Promise<void> {
  for (const bench of running) await bench.remove()
}
