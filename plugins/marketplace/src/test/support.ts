// A registry of the npm protocol that does what a test tells it, and a host that asks it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { startHost, TestClock, until } from '@mynah/kernel/testing'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import marketplace from '../index.js'

export { until }

const TOKEN = 'full-token-of-marketplace-tests'

export interface Manifest {
  readonly [field: string]: unknown
  readonly name: string
  readonly version: string
}

/** Returns the document that npm serves for a package. */
export function documentOf(
  manifest: Manifest,
  versions: readonly string[] = [manifest.version],
): Record<string, unknown> {
  return {
    _id: manifest.name,
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    readme: `# ${manifest.name}`,
    description: manifest.description,
    versions: Object.fromEntries(versions.map((version) => [version, { ...manifest, version }])),
    time: { created: '2025-01-01T00:00:00.000Z', [manifest.version]: '2026-02-03T04:05:06.789Z' },
  }
}

class StubRegistry {
  readonly packages = new Map<string, Record<string, unknown>>()
  /** Request targets as they came. */
  readonly asked: string[] = []
  /** Requests that are open now, and at most were. */
  open = 0
  most = 0
  /** Answers instead of the registry, where it is set. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  readonly #server = createServer((request, response) => this.#serve(request, response))
  #origin = ''

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#origin = `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`
    return this
  }

  get origin(): string {
    return this.#origin
  }

  add(manifest: Manifest, versions?: readonly string[]): void {
    this.packages.set(manifest.name, documentOf(manifest, versions))
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const target = request.url ?? ''
    this.asked.push(target)
    this.most = Math.max(this.most, ++this.open)
    response.on('close', () => {
      this.open--
    })
    if (this.instead) {
      this.instead(request, response)
      return
    }
    const url = new URL(target, this.#origin)
    if (url.pathname === '/-/v1/search') answer(response, 200, this.#search(url.searchParams))
    else {
      const found = this.packages.get(decodeURIComponent(url.pathname.slice(1)))
      // A registry knows a scoped name only in its encoded form.
      if (found && !url.pathname.slice(1).includes('/')) answer(response, 200, found)
      else answer(response, 404, { error: 'Not found' })
    }
  }

  #search(query: URLSearchParams): unknown {
    const words = (query.get('text') ?? '').split(' ').filter((word) => word && word !== 'keywords:mynah-plugin')
    const size = Number(query.get('size'))
    const from = Number(query.get('from'))
    const all = Array.from(
      this.packages.values(),
      (document) => Object.values(document.versions as Record<string, Manifest>).at(-1) as Manifest,
    ).filter(
      (manifest) =>
        (manifest.keywords as string[] | undefined)?.includes('mynah-plugin') &&
        words.every((word) => JSON.stringify(manifest).includes(word)),
    )
    return {
      total: all.length,
      objects: all.slice(from, from + size).map((manifest) => ({
        package: { ...manifest, links: { npm: `https://packages.example/${manifest.name}` } },
        downloads: { weekly: 7, monthly: 30 },
      })),
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }
}

export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

interface Reply {
  readonly status: number
  readonly success: boolean
  readonly data: never
  readonly code?: string
  readonly error?: string
  readonly total?: number
  readonly page?: number
  readonly size?: number
  readonly stale?: boolean
  readonly text: string
}

export interface Market {
  readonly registry: StubRegistry
  readonly clock: TestClock
  readonly log: { readonly level: string; readonly message: string }[]
  call(
    path: string,
    init?: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal },
  ): Promise<Reply>
  stop(): Promise<void>
}

/** Starts a host with the marketplace and a registry. `installed` are the packages that its plugins come from. */
export async function open(installed: Readonly<Record<string, string>> = {}): Promise<Market> {
  const registry = await new StubRegistry().listen()
  const clock = new TestClock()
  const plugins = Object.entries(installed).map(([filePath, version], index) => ({
    plugin: definePlugin({ name: `installed-${index}`, setup() {} }) as unknown as AnyPlugin,
    origin: { url: 'file:///nowhere.js', filename: 'nowhere.js', filePath, version },
  }))
  const { host, log } = await startHost(
    [
      {
        plugin: httpCore as unknown as AnyPlugin,
        config: { port: 0, token: TOKEN, corsOrigins: ['http://localhost:5173'] },
      },
      { plugin: marketplace as unknown as AnyPlugin, config: { registry: `${registry.origin}/` } },
      ...plugins,
    ],
    { clock },
  )
  return {
    registry,
    clock,
    log,
    async call(path, { headers, ...init } = {}) {
      const response = await fetch(`${host.get(Http)?.origin}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      })
      const text = await response.text()
      return { status: response.status, text, ...(JSON.parse(text) as { success: boolean; data: never }) }
    },
    async stop() {
      await host.stop()
      await registry.close()
    },
  }
}
