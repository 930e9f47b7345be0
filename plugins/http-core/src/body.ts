// Reading request bodies: JSON of bounded size and depth, or the exact bytes for those who check signatures.
import type { IncomingMessage } from 'node:http'
import bodyParser from 'koa-bodyparser'
import { WireError } from '@mynah/contract'
import type { HttpContext } from './exchange.js'
import { assertBounded } from './json-bounds.js'

const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', '"utf-8"', '"utf8"'])

const parsers = new Map<number, ReturnType<typeof bodyParser>>()

/** Reads the text of a body, decompressed and within its limit: it is looked at before it is parsed. */
function parserFor(limit: number): ReturnType<typeof bodyParser> {
  let parser = parsers.get(limit)
  if (!parser)
    parsers.set(
      limit,
      (parser = bodyParser({
        enableTypes: ['text'],
        extendTypes: { text: ['application/json'] },
        textLimit: limit as unknown as string,
      })),
    )
  return parser
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What says of itself that it is JSON in UTF-8; parameters other than the charset mean nothing here. */
function assertJson({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (type !== 'application/json') throw new WireError('unsupported_media_type', 'The body must be application/json')
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim())
    if (name === 'charset' && !UTF8.has(value))
      throw new WireError('unsupported_media_type', 'The body must be encoded in UTF-8')
  }
  // The one spelling that the reader has to know.
  headers['content-type'] = 'application/json'
}

/** The value of JSON text. A key `__proto__` would become the prototype of whatever it is copied into. */
export function parseJson(text: string): unknown {
  assertBounded(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new WireError('invalid_request', 'The body is not valid JSON', { cause: error })
  }
  if (typeof value !== 'object' || value === null)
    throw new WireError('invalid_request', 'The body must be a JSON object or list')
  if (text.includes('__proto__') || text.includes('\\u')) assertPlain(value)
  return value
}

function assertPlain(value: object): void {
  const open: object[] = [value]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [key, inner] of Object.entries(next)) {
      if (key === '__proto__') throw new WireError('invalid_request', 'The body has a key __proto__')
      if (typeof inner === 'object' && inner !== null) open.push(inner as object)
    }
  }
}

/** Everything that goes wrong in reading a body is the sender's: too much, cut off, or not what it says it is. */
function refusalOf(error: unknown, limit: number): WireError {
  if (error instanceof WireError) return error
  const { status, type } = error as { status?: number; type?: string }
  if (type === 'entity.too.large') return tooLarge(limit)
  if (status === 415)
    return new WireError('unsupported_media_type', 'The encoding of the body is not supported', { cause: error })
  return new WireError('invalid_request', 'The body could not be read', { cause: error })
}

const tooLarge = (limit: number): WireError => new WireError('too_large', `The body may have ${limit} bytes`)

/** Rejects when the client goes before its body has come whole, which a decompressor in between never tells. */
function cutOff(request: IncomingMessage): { promise: Promise<never>; stop: () => void } {
  let stop = (): void => {}
  const promise = new Promise<never>((_, reject) => {
    const closed = (): void => {
      if (!request.complete) reject(new Error('The client went away'))
    }
    request.once('close', closed)
    stop = () => void request.off('close', closed)
  })
  return { promise, stop }
}

/** The JSON body of a request; `undefined` where a method that needs none came without. */
export async function readJson(ctx: HttpContext, limit: number): Promise<unknown> {
  if (ctx.req.method !== 'POST' && !hasBody(ctx.req)) return undefined
  assertJson(ctx.req)
  const gone = cutOff(ctx.req)
  try {
    await Promise.race([parserFor(limit)(ctx as never, async () => {}), gone.promise])
    const text = (ctx.request as { body?: unknown }).body as string
    const value = text === '' ? {} : parseJson(text)
    ;(ctx.request as { body?: unknown }).body = value
    return value
  } catch (error) {
    throw refusalOf(error, limit)
  } finally {
    gone.stop()
  }
}

/** The bytes of a request body. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw refusalOf(error, limit)
  }
  if (size > limit) throw tooLarge(limit)
  return Buffer.concat(chunks)
}
