import { open } from 'node:fs/promises'
import { WireError } from '@mynah/contract'
import type { RawCall } from '@mynah/plugin-http-core/api'
import { encodingOf, isCompressible, type CompressionCache } from './compression-cache.js'
import { contentTypeOf } from './content-type.js'
import { hashOf } from './file-hashes.js'

const MAX_BYTES = 33_554_432

/** Sends a file with an entity tag, compressed if possible. The requested version changes only the caching. */
export async function serveFile(
  path: string,
  { request, response }: RawCall,
  compressed: CompressionCache,
): Promise<void> {
  const bytes = await read(path)
  const hash = hashOf(bytes)
  const type = contentTypeOf(path)
  const compressible = isCompressible(type, bytes.length)
  const encoding = compressible ? encodingOf(request.headers['accept-encoding']) : undefined
  // Each encoding is a representation of its own.
  const etag = encoding ? `"${hash}-${encoding}"` : `"${hash}"`
  if (compressible) response.appendHeader('vary', 'Accept-Encoding')
  response.setHeader('etag', etag)
  response.setHeader(
    'cache-control',
    versionOf(request.url ?? '') === hash ? 'public, max-age=31536000, immutable' : 'no-cache',
  )
  if (matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end()
    return
  }
  const body = encoding ? await compressed.of(hash, encoding, bytes) : bytes
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.length,
    ...(encoding ? { 'content-encoding': encoding } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

async function read(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new WireError('not_found', 'No such file')
    if (stat.size > MAX_BYTES) throw new WireError('too_large', 'The file is too large to be served')
    return await file.readFile()
  } finally {
    await file.close()
  }
}

function versionOf(url: string): string | undefined {
  const at = url.indexOf('?')
  return at < 0 ? undefined : (new URLSearchParams(url.slice(at + 1)).get('v') ?? undefined)
}

function matches(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
  )
}
