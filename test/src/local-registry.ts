// A registry of packages on this machine, for a marketplace: it has one plugin, and no newer version that fits.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const MANIFEST = {
  name: 'mynah-plugin-dice',
  version: '1.0.0',
  keywords: ['mynah-plugin', 'game'],
  description: 'Rolls dice',
}

export class LocalRegistry {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<LocalRegistry> {
    const server = createServer((request, response) => {
      const name = decodeURIComponent((request.url ?? '').slice(1))
      const isSearch = name.startsWith('-/')
      const found = name === MANIFEST.name || name.startsWith('@mynah/') || name.startsWith('-/v1/search')
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isSearch ? { total: 1, objects: [{ package: MANIFEST }] } : documentOf(name)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new LocalRegistry(server)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Names the registry to programs, as npm does. */
  get env(): Readonly<Record<string, string>> {
    return { npm_config_registry: this.url }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const documentOf = (name: string): object => ({
  name,
  'dist-tags': { latest: '9.0.0' },
  versions: { '9.0.0': { ...MANIFEST, name, version: '9.0.0' } },
  time: {},
})
