// Limits the cost of one check of an input, in steps of about a nanosecond. A schema from outside can ask for any
// number.

const STEPS = 1_000_000_000
/** A reference is followed into whatever it refers to. */
const PER_REFERENCE = 10_000

export class Effort {
  #left = 0

  /** Begins a check of `input` against a schema of so many nodes. */
  begin(schemaNodes: number, input: unknown): void {
    this.#left = STEPS
    // Without references no node of the one meets a node of the other twice.
    this.#spend(schemaNodes * nodesOf(input))
  }

  /** Called by the compiled check itself. */
  follow(): void {
    this.#spend(PER_REFERENCE)
  }

  /** Counts a match of a pattern of so many instructions on a text of so many characters. */
  match(instructions: number, characters: number): void {
    this.#spend(instructions * characters)
  }

  #spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new Error('checking this input against it takes too long')
  }
}

/** Values in a value, itself included. */
export function nodesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let sum = 1
  for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) sum += nodesOf(inner)
  return sum
}
