// Detects a model that repeats a call and gets the same result each time.
import { LruMap } from '@mynah/kernel/util'
import type { ToolCallPart, ToolResultPart } from '../api/messages.js'
import { canonical } from './canonical.js'

const WARNED_AT = 3
const ENDED_AT = 6
/** How many different calls are remembered, to notice circles of several. */
const REMEMBERED = 30

interface Seen {
  result: string
  times: number
}

/** How to react to a repeated call: not at all, with a warning, or by making the model answer. */
export type Verdict = 'fresh' | 'warn' | 'end'

export class LoopDetector {
  readonly #seen = new LruMap<string, Seen>(REMEMBERED)

  /** Counts a call with its result. */
  note(call: ToolCallPart, result: ToolResultPart): Verdict {
    const key = `${call.name} ${canonical(call.input)}`
    const text = typeof result.output === 'string' ? result.output : JSON.stringify(result.output)
    const before = this.#seen.get(key)
    const times = before?.result === text ? before.times + 1 : 1
    this.#seen.set(key, { result: text, times })
    if (times >= ENDED_AT) return 'end'
    return times >= WARNED_AT ? 'warn' : 'fresh'
  }
}
