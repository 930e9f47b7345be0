/** A random source that repeats its values for the same seed. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}

const SCALARS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  0.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  4_294_967_296,
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  '\u001b[2J',
  '\ud800',
  '\u202e',
  '/help',
  '{}',
  '🐦'.repeat(50),
  'x'.repeat(5_000),
  '@'.repeat(300),
  '../../etc/passwd',
  '<b>',
]
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'length',
  'id',
  'type',
  'text',
  'data',
  '',
  '0',
  'ok',
  'result',
] as const

/** Returns a random JSON value. Written as text, it may have keys such as `__proto__`. */
export function randomJson(chance: SeededRandom, depth = 3): unknown {
  const kind = chance.below(depth > 0 ? 5 : 3)
  if (kind < 3) return chance.pick(SCALARS)
  const size = chance.below(4)
  if (kind === 3) return Array.from({ length: size }, () => randomJson(chance, depth - 1))
  const object: Record<string, unknown> = {}
  for (let index = 0; index < size; index++)
    Object.defineProperty(object, chance.pick(KEYS), {
      value: randomJson(chance, depth - 1),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  return object
}

/** Returns a copy of a value in which a few parts are replaced, missing, or doubled. */
export function mutate(chance: SeededRandom, value: unknown, times = 1 + chance.below(3)): unknown {
  let copy = structuredClone(value)
  for (let done = 0; done < times; done++) copy = mutateOnce(chance, copy)
  return copy
}

function mutateOnce(chance: SeededRandom, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || chance.below(6) === 0) return randomJson(chance)
  const holder = value as Record<string, unknown>
  const keys = Object.keys(holder)
  if (keys.length === 0) return randomJson(chance)
  const key = chance.pick(keys)
  switch (chance.below(5)) {
    case 0:
      if (Array.isArray(value)) value.splice(Number(key), 1)
      else delete holder[key]
      break
    case 1:
      holder[key] = [holder[key], holder[key]]
      break
    default:
      holder[key] = mutateOnce(chance, holder[key])
  }
  return value
}

/** Returns random bytes. */
export const randomBytes = (chance: SeededRandom, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => chance.below(256)))
