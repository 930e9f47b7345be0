// Randomness that depends on nothing but a seed, a label and a number: dropping one step of a history leaves the draws
// of the others as they are, which makes shrinking possible.

const labels = new Map()

/** FNV-1a of a label. */
function hashOf(label) {
  let hash = labels.get(label)
  if (hash === undefined) {
    hash = 0x811c9dc5
    for (let index = 0; index < label.length; index++) hash = Math.imul(hash ^ label.charCodeAt(index), 0x01000193)
    labels.set(label, hash)
  }
  return hash
}

/** The finalizer of MurmurHash3: each bit of the input changes half of the output. */
function mixed(value) {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Returns a number from 0 to below 1: the draw number `count` of `label` under `seed`. */
export function draw(seed, label, count = 0) {
  const base = mixed(mixed(seed | 0) ^ hashOf(label))
  return mixed(base + Math.imul(count + 1, 0x9e3779b9)) / 0x100000000
}

/** A sequence of draws under one label. */
export class Draws {
  #seed
  #label
  #count = 0

  constructor(seed, label) {
    this.#seed = seed
    this.#label = label
  }

  /** From 0 to below 1. */
  next() {
    return draw(this.#seed, this.#label, this.#count++)
  }

  /** A whole number from `least` to `most`, both included. */
  between(least, most) {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  chance(probability) {
    return this.next() < probability
  }

  of(list) {
    return list[Math.floor(this.next() * list.length)]
  }

  /** Picks a value by its weight: `[[weight, value], …]`. */
  weighted(choices) {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, value] of choices) if ((left -= weight) < 0) return value
    return choices.at(-1)[1]
  }
}
