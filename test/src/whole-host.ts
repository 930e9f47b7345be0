// Starts a host with every plugin of the workspace and a registry for its marketplace.
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LogRecord } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { Http } from '@mynah/plugin-http-core/api'
import { AuthorLoop } from '@mynah/plugin-management/api'
import { LocalRegistry } from './local-registry.js'

const PLUGINS = fileURLToPath(new URL('../../plugins', import.meta.url))
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
/** A plugin of the host that uses the database. */
const NOTES = fileURLToPath(new URL('../../examples/starter/plugins/notes', import.meta.url))
export const FULL = 'canary-full-token-5f1c8b22e07d'
export const DEMO = 'canary-demo-token-77ab01c9d4fe'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}
export interface Call {
  readonly method?: string
  readonly token?: string | null
  readonly body?: unknown
}

/** Returns the short names of all plugins of the workspace but `cluster`, which needs a database to share. */
export async function allPlugins(): Promise<string[]> {
  const names: string[] = []
  for (const folder of await readdir(PLUGINS)) {
    const { name } = JSON.parse(
      await readFile(join(PLUGINS, folder, 'package.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '{"name":""}'
        throw error
      }),
    ) as { name: string }
    if (name.startsWith('@mynah/plugin-') && name !== '@mynah/plugin-cluster')
      names.push(name.slice('@mynah/plugin-'.length))
  }
  return names
}

/** The state of a project without mistakes, types and pages. */
const NOTHING_WATCHED: AuthorLoop = {
  status: () => ({ failures: [], total: 0, types: 'off', page: 'off' }),
  listen: () => () => {},
}

export class WholeHost {
  readonly log: LogRecord[] = []
  readonly folder: string
  readonly #registry: LocalRegistry
  #loaded: LoadedHost | undefined

  private constructor(folder: string, registry: LocalRegistry) {
    this.folder = folder
    this.#registry = registry
  }

  /**
   * Starts a host.
   *
   * @param more further configuration
   * @param options.plugins sources of further plugins by file name
   * @param options.endpoint one more account
   * @param options.without plugins to leave out
   */
  static async start(
    more = '',
    {
      plugins = {},
      env = {},
      endpoint = '',
      without = [],
    }: {
      plugins?: Record<string, string>
      env?: Record<string, string>
      endpoint?: string
      without?: readonly string[]
    } = {},
  ): Promise<WholeHost> {
    const host = new WholeHost(await mkdtemp(join(tmpdir(), 'mynah-whole-')), await LocalRegistry.start())
    for (const [name, source] of Object.entries(plugins)) await writeFile(join(host.folder, name), source)
    await symlink(NOTES, join(host.folder, 'notes'))
    await symlink(MODULES, join(host.folder, 'node_modules'))
    const listed = [
      ...(await allPlugins()).filter((name) => !without.includes(name)),
      './notes',
      ...Object.keys(plugins).map((name) => `./${name}`),
    ]
    await writeFile(
      host.file,
      `# Every plugin there is.
plugins:
${listed.map((name) => `  - ${name}\n`).join('')}
http: { port: 0, token: ${FULL}, tokens: [{ token: ${DEMO}, scope: demo, name: visitor }] } # the server
marketplace: { registry: "${host.registry}" }
assistant:
  enabled: true
  events: { enabled: true }
  home: { enabled: true, url: "http://127.0.0.1:9", token: canary-home-token-41d09c }
  profile: "# Drinks\\nAda likes tea."
  legacyDualWrite: true
endpoints:
  - { adapter: sandbox, id: sandbox, master: alice }
${endpoint && `  - ${endpoint}\n`}${more}`,
    )
    await host.#load(env)
    return host
  }

  /** Stops the host and starts it again, with the configuration that its file has now. */
  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.#loaded?.host.stop()
    await this.#load(env)
  }

  async #load(env: Record<string, string>): Promise<void> {
    this.#loaded = await loadHost(this.file, {
      env: { ...env },
      log: (record) => void this.log.push(record),
      services: [[AuthorLoop, NOTHING_WATCHED]],
    })
    const running = await this.#loaded.host.start()
    // A start that takes long goes on by itself.
    await until(
      () => running.inspect().every(({ state }) => state !== 'starting' && state !== 'pending'),
      () =>
        `until all is up: ${running
          .inspect()
          .filter(({ state }) => state !== 'active')
          .map(({ name, state }) => `${name} is ${state}`)
          .join(', ')}`,
    )
  }

  get file(): string {
    return join(this.folder, 'mynah.config.yml')
  }
  get registry(): string {
    return this.#registry.url
  }
  get loaded(): LoadedHost {
    return this.#loaded as LoadedHost
  }
  get origin(): string {
    return this.loaded.host.get(Http)?.origin ?? ''
  }

  async call(path: string, { method, token = FULL, body }: Call = {}): Promise<Reply> {
    const response = await fetch(this.origin + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    // A stream does not end by itself: its first bytes are enough.
    const text = headers.get('content-type')?.startsWith('text/event-stream')
      ? await opening(response)
      : await response.text()
    return { status, headers, text, json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }

  rpc(type: string, fields: object = {}, token: string | null = FULL): Promise<Reply> {
    return this.call('/api/console/request', { body: { ...fields, type, requestId: 7 }, token })
  }

  async close(): Promise<void> {
    await this.#loaded?.host.stop()
    await this.#registry.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

async function opening(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let text = ''
  while (!text.includes('init-data')) {
    const { done, value } = await reader.read()
    if (done) break
    text += value
  }
  await reader.cancel()
  return text
}
