// The frames of the socket, in the encoding of Protocol Buffers.

/** A frame. The numbers of the log are only sent back. */
export interface Frame {
  readonly sequence: bigint
  readonly log: bigint
  readonly service: number
  readonly method: number
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Uint8Array
}

/** Values of {@link Frame.method}. */
export const CONTROL = 0
export const DATA = 1

const SEQUENCE = 1
const LOG = 2
const SERVICE = 3
const METHOD = 4
const HEADERS = 5
const PAYLOAD = 8
const VARINT = 0
const BYTES = 2
const MAX_HEADERS = 64
/** Bytes that fields of the fixed wire types have. */
const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 }

type Field = readonly [number: number, value: bigint | Uint8Array]

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  #varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) break
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new Error('a number of the frame does not end')
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new Error('a field of the frame is longer than the frame')
    const part = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return part
  }

  *fields(): Generator<Field> {
    while (this.#at < this.#bytes.length) {
      const tag = Number(this.#varint())
      const type = tag & 7
      const fixed = FIXED[type]
      if (type === VARINT) yield [Math.floor(tag / 8), this.#varint()]
      else if (type === BYTES) yield [Math.floor(tag / 8), this.#take(Number(this.#varint()))]
      else if (fixed !== undefined) this.#take(fixed)
      else throw new Error('the frame has an unknown type of field')
    }
  }
}

function headerOf(bytes: Uint8Array): readonly [string, string] {
  const parts = new Map<number, string>()
  for (const [number, value] of new Reader(bytes).fields())
    if (typeof value !== 'bigint') parts.set(number, Buffer.from(value).toString('utf8'))
  return [parts.get(1) ?? '', parts.get(2) ?? '']
}

/**
 * Reads a frame.
 *
 * @throws Error for anything that is none
 */
export function decodeFrame(bytes: Uint8Array): Frame {
  const numbers = new Map<number, bigint>()
  const headers: (readonly [string, string])[] = []
  let payload: Uint8Array = new Uint8Array()
  for (const [number, value] of new Reader(bytes).fields()) {
    if (typeof value === 'bigint') numbers.set(number, value)
    else if (number === PAYLOAD) payload = value
    else if (number === HEADERS && headers.length < MAX_HEADERS) headers.push(headerOf(value))
  }
  const int = (number: number): number => Number(BigInt.asIntN(32, numbers.get(number) ?? 0n))
  return {
    sequence: numbers.get(SEQUENCE) ?? 0n,
    log: numbers.get(LOG) ?? 0n,
    service: int(SERVICE),
    method: int(METHOD),
    headers: Object.fromEntries(headers),
    payload,
  }
}

function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}

const number = (field: number, value: bigint): Buffer => Buffer.from([field * 8 + VARINT, ...varint(value)])
const bytes = (field: number, value: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([field * 8 + BYTES, ...varint(BigInt(value.length))]), value])
const string = (field: number, value: string): Buffer => bytes(field, Buffer.from(value))

/** Writes a frame. */
export function encodeFrame({ sequence, log, service, method, headers, payload }: Frame): Buffer {
  return Buffer.concat([
    number(SEQUENCE, sequence),
    number(LOG, log),
    number(SERVICE, BigInt(service)),
    number(METHOD, BigInt(method)),
    ...Object.entries(headers).map(([key, value]) => bytes(HEADERS, Buffer.concat([string(1, key), string(2, value)]))),
    bytes(PAYLOAD, payload),
  ])
}
