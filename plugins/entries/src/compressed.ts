// Files as browsers take them over a network: compressed once for each content, kept up to a bound.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const MIN_BYTES = 1_024
const MAX_KEPT = 67_108_864
const TEXT = /^(?:text\/|image\/svg|application\/(?:json|wasm))/
/** Between the fastest and the smallest: made once, but while somebody waits. */
const BROTLI_QUALITY = 9

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** The encoding to answer with, by the header of the request; `br` where both are as welcome. */
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

/** Whether compressing pays for this content. */
export const isCompressible = (type: string, size: number): boolean => size >= MIN_BYTES && TEXT.test(type)

export class Compressed {
  readonly #kept = new Map<string, Promise<Buffer>>()
  readonly #sizes = new Map<string, number>()
  #total = 0

  /** The compressed bytes of the content of `hash`; those who ask at the same time wait for the same work. */
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
      if (this.#total <= MAX_KEPT) return
      this.#sizes.delete(oldest)
      this.#kept.delete(oldest)
      this.#total -= bytes
    }
  }
}
