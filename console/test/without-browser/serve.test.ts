import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { consoleRoot, serve, type Site } from '../site.js'

describe('serveConsole', function () {
  this.timeout(30_000)
  let site: Site
  before(async () => {
    site = await serve()
  })
  after(() => site.close())

  /** Sends a request whose path is left as it is. `fetch` would tidy it up. */
  const raw = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(site.url)
      request({ hostname, port, path }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })

  it('serves the page for every path, uncached, with a policy without inline scripts', async () => {
    for (const path of ['/', '/plugins', '/plugins/my.plugin', '/introspection/commands?page=2']) {
      const response = await fetch(site.url + path, { headers: { accept: 'text/html' } })
      expect(response.status, path).to.equal(200)
      expect(response.headers.get('cache-control'), path).to.equal('no-cache')
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy)
        .to.contain("frame-ancestors 'none'")
        .and.to.match(/script-src 'self' 'sha256-/)
      const directive = (name: string) => policy.split('; ').find((part) => part.startsWith(`${name} `)) ?? ''
      expect(directive('script-src')).to.not.contain('unsafe')
      // Style elements, for the libraries of entries; nothing else inline.
      expect(policy.match(/'unsafe-[a-z-]+'/g)).to.deep.equal(["'unsafe-inline'"])
      expect(directive('style-src-attr')).to.equal("style-src-attr 'none'")
      expect(await response.text()).to.contain('<script type="importmap">')
    }
  })

  it('caches assets forever, and answers 404 for a missing one', async () => {
    const name = (await readdir(join(consoleRoot, 'dist/assets'))).find((file) => file.endsWith('.js'))
    const response = await fetch(`${site.url}/assets/${name}`)
    expect(response.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).to.contain('text/javascript')
    expect(response.headers.get('x-content-type-options')).to.equal('nosniff')
    expect((await response.arrayBuffer()).byteLength).to.be.greaterThan(0)
    expect((await fetch(`${site.url}/assets/gone-12345678.js`, { headers: { accept: 'text/html' } })).status).to.equal(
      404,
    )
  })

  it('compresses for clients that accept it', async () => {
    const plain = await fetch(site.url, { headers: { 'accept-encoding': 'identity' } })
    const packed = await fetch(site.url, { headers: { 'accept-encoding': 'gzip' } })
    expect(plain.headers.get('content-encoding')).to.equal(null)
    expect(packed.headers.get('content-encoding')).to.equal('gzip')
    expect(Number(packed.headers.get('content-length'))).to.be.below(Number(plain.headers.get('content-length')))
    expect(await packed.text()).to.equal(await plain.text())
    expect(packed.headers.get('vary')).to.equal('accept-encoding')
  })

  it('serves no files outside of dist and no hidden files', async () => {
    for (const path of [
      '/../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/package.json',
      '/.vite/manifest.json',
      '/assets/%00.js',
      '/%zz.js',
    ])
      expect(await raw(path), path).to.equal(404)
  })

  it('answers only reads', async () => {
    const response = await fetch(site.url, { method: 'POST', body: 'x' })
    expect(response.status).to.equal(405)
    expect(response.headers.get('allow')).to.equal('GET, HEAD')
    expect((await fetch(site.url, { method: 'HEAD' })).status).to.equal(200)
  })
})
