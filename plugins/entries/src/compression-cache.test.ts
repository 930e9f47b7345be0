import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { CompressionCache, encodingOf } from './compression-cache.js'
import { folder, pages, startEntries, type Running } from './test/support.js'

const MODULE = `export function register() {}\n${'// a long module\n'.repeat(500)}`
const PATH = '/@dev/page/client/index.js'

describe('CompressionCache', () => {
  let running: Running
  let temporary: Awaited<ReturnType<typeof folder>>
  before(async () => {
    temporary = await folder()
    await mkdir(join(temporary.path, 'dist'))
    await writeFile(join(temporary.path, 'dist/index.js'), MODULE)
    await writeFile(join(temporary.path, 'dist/small.css'), 'a{}')
    await writeFile(join(temporary.path, 'dist/picture.png'), Buffer.alloc(4_096, 7))
    running = await startEntries(pages({ id: 'page', module: pathToFileURL(join(temporary.path, 'dist/index.js')) }))
  })
  after(async () => {
    await running.host.stop()
    await temporary.remove()
  })
  /** `fetch` would undo the encoding; the raw bytes are what is looked at. */
  const get = async (path: string, encoding: string, headers: Record<string, string> = {}) => {
    const { request } = await import('node:http')
    const { hostname, port } = new URL(running.origin)
    return new Promise<{ status: number; headers: Readonly<Record<string, unknown>>; body: Buffer }>(
      (resolve, reject) => {
        request(
          {
            hostname,
            port,
            path,
            headers: { ...(encoding ? { 'accept-encoding': encoding } : {}), ...headers },
            agent: false,
          },
          (response) => {
            const parts: Buffer[] = []
            response
              .on('data', (part: Buffer) => parts.push(part))
              .on('error', reject)
              .on('end', () =>
                resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
              )
          },
        )
          .on('error', reject)
          .end()
      },
    )
  }

  it('serves the preferred encoding with its own length and entity tag', async () => {
    const br = await get(PATH, 'gzip, deflate, br')
    expect(br.headers).to.include({ 'content-encoding': 'br', 'content-length': String(br.body.length) })
    expect(br.headers['vary']).to.contain('Accept-Encoding')
    expect(brotliDecompressSync(br.body).toString()).to.equal(MODULE)
    const gzip = await get(PATH, 'gzip')
    expect(gunzipSync(gzip.body).toString()).to.equal(MODULE)
    const plain = await get(PATH, '')
    expect(plain.headers).to.not.have.property('content-encoding')
    expect(plain.body.toString()).to.equal(MODULE)
    expect(new Set([br, gzip, plain].map(({ headers }) => headers['etag'])).size).to.equal(3)
    expect(br.body.length).to.be.below(MODULE.length / 10)
    expect((await get(PATH, 'br', { 'if-none-match': String(br.headers['etag']) })).status).to.equal(304)
    expect((await get(PATH, 'gzip', { 'if-none-match': String(br.headers['etag']) })).status).to.equal(200)
  })

  it('leaves small and binary files uncompressed', async () => {
    for (const path of ['/@dev/page/client/small.css', '/@dev/page/client/picture.png']) {
      expect((await get(path, 'br, gzip')).headers, path).to.not.have.property('content-encoding')
    }
  })

  it('compresses once for concurrent requests', async () => {
    const compressed = new CompressionCache()
    const bytes = Buffer.from(MODULE)
    const [first, second] = [compressed.of('h', 'br', bytes), compressed.of('h', 'br', bytes)]
    expect(await first).to.equal(await second)
    expect(await compressed.of('h', 'br', bytes)).to.equal(await first)
    expect(await compressed.of('h', 'gzip', bytes)).to.not.equal(await first)
  })
})

describe('encodingOf', () => {
  for (const [header, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
    ['br;q=x', undefined],
    ['BR', 'br'],
    [`${'x,'.repeat(5_000)}br`, undefined],
  ] as const) {
    it(`reads ${String(header).slice(0, 30)}`, () => {
      expect(encodingOf(header)).to.equal(encoding)
    })
  }
})
