import type { IncomingMessage } from 'node:http'
import bodyParser from 'koa-bodyparser'
import { WireError } from '@mynah/contract'
import type { HttpContext } from './request-state.js'
import { parseJson } from './parse-json.js'

const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', '"utf-8"', '"utf8"'])

const parsers = new Map<number, ReturnType<typeof bodyParser>>()

/**
 * Returns a parser that reads a body as text within a limit, because depth and width are checked before the JSON is
 * parsed.
 */
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

/** Throws unless the content type is JSON in UTF-8. Parameters other than the charset are ignored. */
function assertJson({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (type !== 'application/json') throw new WireError('unsupported_media_type', 'The body must be application/json')
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim())
    if (name === 'charset' && !UTF8.has(value))
      throw new WireError('unsupported_media_type', 'The body must be encoded in UTF-8')
  }
  // koa-bodyparser compares the whole header, so it gets the one spelling that it knows.
  headers['content-type'] = 'application/json'
}

/**
 * Converts an error of reading a body. All of them are the fault of the sender: too large, cut off, or wrongly encoded.
 */
function toWireError(error: unknown, limit: number): WireError {
  if (error instanceof WireError) return error
  const { status, type } = error as { status?: number; type?: string }
  if (type === 'entity.too.large') return tooLarge(limit)
  if (status === 415)
    return new WireError('unsupported_media_type', 'The encoding of the body is not supported', { cause: error })
  return new WireError('invalid_request', 'The body could not be read', { cause: error })
}

const tooLarge = (limit: number): WireError => new WireError('too_large', `The body may have at most ${limit} bytes`)

/** Rejects when the client disconnects before the end of its body. A decompressor in between does not report this. */
function rejectOnAbort(request: IncomingMessage): { promise: Promise<never>; stop: () => void } {
  let stop = (): void => {}
  const promise = new Promise<never>((_, reject) => {
    const closed = (): void => {
      if (!request.complete) reject(new Error('The client disconnected'))
    }
    request.once('close', closed)
    stop = () => void request.off('close', closed)
  })
  return { promise, stop }
}

/**
 * Reads the JSON body of a request. Returns `undefined` for a request without a body whose method needs none.
 *
 * @param limit maximum size in bytes
 * @throws WireError `too_large`, `unsupported_media_type`, `invalid_request`
 */
export async function readJson(ctx: HttpContext, limit: number): Promise<unknown> {
  if (ctx.req.method !== 'POST' && !hasBody(ctx.req)) return undefined
  assertJson(ctx.req)
  const gone = rejectOnAbort(ctx.req)
  try {
    await Promise.race([parserFor(limit)(ctx as never, async () => {}), gone.promise])
    const text = (ctx.request as { body?: unknown }).body as string
    const value = text === '' ? {} : parseJson(text)
    ;(ctx.request as { body?: unknown }).body = value
    return value
  } catch (error) {
    throw toWireError(error, limit)
  } finally {
    gone.stop()
  }
}

/**
 * Reads the bytes of a request body.
 *
 * @param limit maximum size in bytes
 * @throws WireError `too_large`, `invalid_request`
 */
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
    throw toWireError(error, limit)
  }
  if (size > limit) throw tooLarge(limit)
  return Buffer.concat(chunks)
}
