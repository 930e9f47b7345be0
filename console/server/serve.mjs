// Serves the built console: immutable assets, an uncached page, and their headers.
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Returns the folder of a build next to this one. */
const folderOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const DEFAULT_PORT = 5173

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** The page contains the policy. These headers add what a page cannot declare. */
async function headersOfPage(dist) {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]
  if (!policy) throw new Error(`${dist}/index.html has no content security policy: build the console first`)
  return {
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
    'cache-control': 'no-cache',
  }
}

const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** Returns the file of a path, or undefined if dist has none. */
async function fileOf(dist, path) {
  let decoded
  try {
    decoded = decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
  const file = normalize(join(dist, decoded))
  if (decoded.includes('\0') || !file.startsWith(dist + sep) || file.slice(dist.length).includes(`${sep}.`))
    return undefined
  const found = await stat(file).catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG') return undefined
    throw error
  })
  return found?.isFile() ? { file, version: `${found.size} ${found.mtimeMs}` } : undefined
}

const compress = promisify(gzip)
/** Compressed files by path, with the version of their source. */
const compressed = new Map()

/** Returns the content, compressed if the client accepts it. */
async function contentOf({ file, version }, encodings) {
  if (!/\bgzip\b/.test(encodings)) return { body: await readFile(file), headers: {} }
  const known = compressed.get(file)
  const body = known?.version === version ? known.body : await compress(await readFile(file))
  compressed.set(file, { version, body })
  return { body, headers: { 'content-encoding': 'gzip' } }
}

/** Returns whether a missing file is a page. Names of plugins contain dots, so the extension alone does not decide. */
const isPage = (pathname, request) =>
  !pathname.startsWith('/assets/') && (extname(pathname) === '' || (request.headers.accept ?? '').includes('text/html'))

const cacheControlOf = (pathname) =>
  pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'

/**
 * Serves a build with a fallback to the page for every path without an extension.
 *
 * @param {{ port?: number, host?: string, build?: string }} [options] Port 0 takes a free one. `build` is the folder
 *   of the build, `dist-demo` for the demo.
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export async function serveConsole({ port = DEFAULT_PORT, host = '127.0.0.1', build = 'dist' } = {}) {
  const dist = folderOf(build)
  // Fail now if the console is not built, not on the first request.
  await headersOfPage(dist)

  const answer = async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://console')
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    const asset = pathname === '/' ? undefined : await fileOf(dist, pathname)
    const found = asset ?? (isPage(pathname, request) ? await fileOf(dist, '/index.html') : undefined)
    if (!found) {
      response
        .writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
        .end('Not found')
      return
    }
    const { body, headers } = await contentOf(found, String(request.headers['accept-encoding'] ?? ''))
    response.writeHead(200, {
      'content-type': types[extname(found.file)] ?? 'application/octet-stream',
      'content-length': body.length,
      vary: 'accept-encoding',
      ...headers,
      ...(found.file.endsWith('.html') ? await headersOfPage(dist) : { 'cache-control': cacheControlOf(pathname) }),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      console.error(`console: ${request.method} ${request.url}: ${error.message}`)
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'cache-control': 'no-store' }).end()
    })
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = server.address().port
  return {
    port: bound,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await serveConsole({
    port: Number(process.env['PORT'] ?? DEFAULT_PORT),
    ...(process.argv[2] ? { build: process.argv[2] } : {}),
  })
  console.log(`Console at ${url}`)
}
