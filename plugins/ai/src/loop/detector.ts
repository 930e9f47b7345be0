// Notices a model that makes one call again and again and gets the same result each time.
import type { ToolCallPart, ToolResultPart } from '../api/messages.js'
import { canonical } from './canonical.js'

const WARNED_AT = 3
const ENDED_AT = 6
/** Different calls that are remembered: a circle of several is one too. */
const REMEMBERED = 30

interface Seen {
  result: string
  times: number
}

/** What to do about a call that has come back: nothing, tell the model, or make it answer. */
export type Verdict = 'fresh' | 'warn' | 'end'

export class LoopDetector {
  readonly #seen = new Map<string, Seen>()

  /** Counts a call with its result. */
  note(call: ToolCallPart, result: ToolResultPart): Verdict {
    const key = `${call.name} ${canonical(call.input)}`
    const text = typeof result.output === 'string' ? result.output : JSON.stringify(result.output)
    const before = this.#seen.get(key)
    const times = before?.result === text ? before.times + 1 : 1
    this.#seen.delete(key)
    this.#seen.set(key, { result: text, times })
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.keys().next().value as string)
    if (times >= ENDED_AT) return 'end'
    return times >= WARNED_AT ? 'warn' : 'fresh'
  }
}
