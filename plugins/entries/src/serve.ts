// Answers with a file: entity tag, and caching by version.
import { open } from 'node:fs/promises'
import { WireError } from '@mynah/contract'
import type { RawCall } from '@mynah/plugin-http-core/api'
import { contentTypeOf } from './content-type.js'
import { hashOf } from './file-hashes.js'

const MAX_BYTES = 33_554_432

/** Sends the file at `path`; the same bytes whatever version is asked for, only the caching differs. */
export async function serveFile(path: string, { request, response }: RawCall): Promise<void> {
  const bytes = await read(path)
  const hash = hashOf(bytes)
  const etag = `"${hash}"`
  response.setHeader('etag', etag)
  response.setHeader('cache-control', versionOf(request.url ?? '') === hash ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end()
    return
  }
  response.writeHead(200, { 'content-type': contentTypeOf(path), 'content-length': bytes.length })
  response.end(request.method === 'HEAD' ? undefined : bytes)
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
  return at < 0 ? undefined : new URLSearchParams(url.slice(at + 1)).get('v') ?? undefined
}

function matches(header: string | undefined, etag: string): boolean {
  return header !== undefined && header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}
