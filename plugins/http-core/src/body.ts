// Reading request bodies: JSON of bounded size and depth, or the exact bytes for those who check signatures.
import type { IncomingMessage } from 'node:http'
import bodyParser from 'koa-bodyparser'
import { WireError } from '@mynah/contract'
import type { HttpContext } from './exchange.js'

const MAX_DEPTH = 64
const JSON_TYPE = /^application\/json *(?:; *charset="?(?<charset>[\w-]+)"? *)?;? *$/i

const parsers = new Map<number, ReturnType<typeof bodyParser>>()

function parserFor(limit: number): ReturnType<typeof bodyParser> {
  let parser = parsers.get(limit)
  if (!parser) parsers.set(limit, (parser = bodyParser({ enableTypes: ['json'], jsonLimit: limit as unknown as string })))
  return parser
}

const hasBody = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function assertJson(request: IncomingMessage): void {
  const type = JSON_TYPE.exec(request.headers['content-type'] ?? '')
  if (!type) throw new WireError('unsupported_media_type', 'The body must be application/json')
  if (type.groups?.charset && !/^utf-?8$/i.test(type.groups.charset)) throw new WireError('unsupported_media_type', 'The body must be encoded in UTF-8')
}

function assertShallow(value: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth > MAX_DEPTH) throw new WireError('invalid_request', `The body is nested deeper than ${MAX_DEPTH} levels`)
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 })
  }
}

/** Everything that goes wrong in reading a body is the sender's: too much, cut off, or not what it says it is. */
function refusalOf(error: unknown, limit: number): WireError {
  const { status, type } = error as { status?: number; type?: string }
  if (type === 'entity.too.large') return tooLarge(limit)
  if (status === 415) return new WireError('unsupported_media_type', 'The encoding of the body is not supported', { cause: error })
  return new WireError('invalid_request', error instanceof SyntaxError ? 'The body is not valid JSON' : 'The body could not be read', { cause: error })
}

const tooLarge = (limit: number): WireError => new WireError('too_large', `The body may have ${limit} bytes`)

/** Rejects when the client goes before its body has come whole, which a decompressor in between never tells. */
function cutOff(request: IncomingMessage): { promise: Promise<never>; stop: () => void } {
  let stop = (): void => {}
  const promise = new Promise<never>((_, reject) => {
    const closed = (): void => { if (!request.complete) reject(new Error('The client went away')) }
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
  } catch (error) {
    throw refusalOf(error, limit)
  } finally {
    gone.stop()
  }
  const { body } = ctx.request as { body?: unknown }
  assertShallow(body)
  return body
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
