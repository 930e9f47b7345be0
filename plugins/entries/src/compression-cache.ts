import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const MIN_BYTES = 1_024
const MAX_BYTES = 67_108_864
const TEXT = /^(?:text\/|image\/svg|application\/(?:json|wasm))/
/** A compromise between speed and size, because the first request waits for it. */
const BROTLI_QUALITY = 9

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Returns the encoding for the Accept-Encoding header of a request. Prefers `br` if both have equal weight. */
export function encodingOf(header: string | undefined): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const item of (header ?? '').slice(0, 1_024).split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((part) => part.startsWith('q='))
    if (name) weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const [br, gz] = (['br', 'gzip'] as const).map((name) => weights.get(name) ?? weights.get('*') ?? 0) as [
    number,
    number,
  ]
  if (br <= 0 && gz <= 0) return undefined
  return br >= gz ? 'br' : 'gzip'
}

/** Returns whether a content is worth compressing. */
export const isCompressible = (type: string, size: number): boolean => size >= MIN_BYTES && TEXT.test(type)

/** Compressed contents by hash, up to a number of bytes. Each content is compressed once. */
export class CompressionCache {
  readonly #kept = new Map<string, Promise<Buffer>>()
  readonly #sizes = new Map<string, number>()
  #total = 0

  /** Returns the compressed bytes of a content. Concurrent calls share the work. */
  of(hash: string, encoding: Encoding, bytes: Buffer): Promise<Buffer> {
    const key = `${encoding} ${hash}`
    const known = this.#kept.get(key)
    if (known) return known
    const made =
      encoding === 'gzip'
        ? gzipAsync(bytes)
        : brotliAsync(bytes, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          })
    this.#kept.set(key, made)
    made.then(
      (result) => this.#count(key, result.length),
      () => this.#kept.delete(key),
    )
    return made
  }

  #count(key: string, size: number): void {
    this.#sizes.set(key, size)
    this.#total += size
    for (const [oldest, bytes] of this.#sizes) {
      if (this.#total <= MAX_BYTES) return
      this.#sizes.delete(oldest)
      this.#kept.delete(oldest)
      this.#total -= bytes
    }
  }
}
