// An npm registry with the packed packages of this project. It redirects requests for all others to the real one.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { tarballOf } from './published.mjs'

/**
 * Starts a registry.
 *
 * @param packages those of `publicPackages`
 * @param packed folder of their tarballs
 * @param upstream address of the registry that has all other packages
 */
export async function startStubRegistry(packages, packed, upstream) {
  const manifests = new Map(packages.map(({ manifest }) => [manifest.name, manifest]))
  let origin = ''
  const documentOf = (manifest) => {
    const { name, version } = manifest
    const tarball = readFileSync(join(packed, tarballOf(manifest)))
    const dist = {
      tarball: `${origin}/${name}/-/${tarballOf(manifest)}`,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
      shasum: createHash('sha1').update(tarball).digest('hex'),
    }
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://stub').pathname.slice(1))
    const [name, file] = path.split('/-/')
    const manifest = manifests.get(name)
    if (!manifest)
      return void response.writeHead(302, { location: `${upstream.replace(/\/$/, '')}${request.url}` }).end()
    if (file === undefined)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(documentOf(manifest)))
    if (file !== tarballOf(manifest)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(readFileSync(join(packed, file)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${server.address().port}`
  return {
    url: `${origin}/`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
