// A registry of the npm protocol with packages that a test writes, so that npm runs without a network.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** A version of a package: its manifest, and its files without `package.json`. */
export interface Version {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string }
  readonly files?: Readonly<Record<string, string>>
}

interface Stored {
  readonly manifest: Version['manifest']
  tarball: Buffer
  readonly integrity: string
}

const BLOCK = 512

/** Returns the header and the content of a file in a tar archive. */
function tarEntry(path: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number): number =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  header.write(path, 0)
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(0, 136, 12)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])
}

const tarballOf = ({ manifest, files = {} }: Version): Buffer =>
  gzipSync(
    Buffer.concat([
      ...Object.entries({ 'package.json': JSON.stringify(manifest), ...files }).map(([path, text]) =>
        tarEntry(`package/${path}`, Buffer.from(text)),
      ),
      Buffer.alloc(2 * BLOCK),
    ]),
  )

/** Returns a name without its scope. */
const baseName = (name: string): string => name.slice(name.indexOf('/') + 1)

export class TestRegistry {
  readonly #packages = new Map<string, Map<string, Stored>>()
  readonly #server = createServer((request, response) => this.#serve(request, response))
  readonly #advisories = new Map<string, unknown[]>()
  /** A cache of npm that tests share must not take this registry for an earlier one on the same port. */
  readonly #path = `/${randomBytes(8).toString('hex')}/`
  #key: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined
  /** The only token that is accepted, where it is set. */
  token: string | undefined
  /** Is called before a tarball is sent, and may take its time. */
  beforeTarball: (name: string) => Promise<void> = async () => {}
  /** Whether every connection is cut. */
  isDown = false

  static async listen(): Promise<TestRegistry> {
    const registry = new TestRegistry()
    registry.#server.listen(0, '127.0.0.1')
    await once(registry.#server, 'listening')
    return registry
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`
  }

  /** Adds a version, which is the newest one then. Returns the hash of its bytes. */
  publish(version: Version): string {
    const { name } = version.manifest
    const tarball = tarballOf(version)
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const versions = this.#packages.get(name) ?? new Map<string, Stored>()
    this.#packages.set(name, versions.set(version.manifest.version, { manifest: version.manifest, tarball, integrity }))
    return integrity
  }

  /** Signs all versions from now on. */
  sign(): void {
    this.#key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  }

  advise(name: string, advisory: unknown): void {
    this.#advisories.set(name, [...(this.#advisories.get(name) ?? []), advisory])
  }

  /** Sends other bytes than those that were published. */
  tamper(name: string, version: string): void {
    const stored = this.#packages.get(name)?.get(version)
    if (stored) stored.tarball = tarballOf({ manifest: { ...stored.manifest, description: 'not what was published' } })
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.isDown) return void request.socket.destroy()
    const answer = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (this.token !== undefined && request.headers.authorization !== `Bearer ${this.token}`)
      return answer(401, { error: `the token ${request.headers.authorization ?? ''} is not valid` })
    const { pathname } = new URL(request.url ?? '/', this.url)
    if (!pathname.startsWith(this.#path)) return answer(404, { error: 'Not found' })
    const path = decodeURIComponent(pathname.slice(this.#path.length))
    if (path === '-/npm/v1/keys') return this.#key ? answer(200, { keys: [this.#publicKey()] }) : answer(404, {})
    if (path === '-/npm/v1/security/advisories/bulk') return answer(200, Object.fromEntries(this.#advisories))
    const [name = '', file] = path.split('/-/')
    const versions = this.#packages.get(name)
    if (!versions) return answer(404, { error: 'Not found' })
    if (file === undefined) return answer(200, this.#documentOf(name, versions))
    const stored = versions.get(file.slice(baseName(name).length + 1, -'.tgz'.length))
    if (!stored) return answer(404, { error: 'Not found' })
    void this.beforeTarball(name).then(() => {
      if (this.isDown) response.destroy()
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(stored.tarball)
    })
  }

  #documentOf(name: string, versions: ReadonlyMap<string, Stored>): unknown {
    const latest = Array.from(versions.keys()).at(-1)
    return {
      name,
      'dist-tags': { latest },
      versions: Object.fromEntries(
        Array.from(versions, ([version, { manifest, integrity }]) => {
          const tarball = `${this.url}${name}/-/${baseName(name)}-${version}.tgz`
          const signatures = this.#key ? { signatures: [this.#signatureOf(`${name}@${version}:${integrity}`)] } : {}
          return [version, { ...manifest, dist: { tarball, integrity, unpackedSize: 4096, ...signatures } }]
        }),
      ),
    }
  }

  #signatureOf(text: string): unknown {
    const sig = sign('SHA256', Buffer.from(text), this.#key?.privateKey as KeyObject).toString('base64')
    return { keyid: 'SHA256:test', sig }
  }

  #publicKey(): unknown {
    const key = this.#key?.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    return { keyid: 'SHA256:test', key, keytype: 'ecdsa-sha2-nistp256', scheme: 'ecdsa-sha2-nistp256' }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
