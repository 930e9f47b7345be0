// The tool calls of one answer: launched in order, several at a time, their events in the order in which they happen.
import { closestMatch } from '@mynah/kernel'
import type { LoopEvent, ToolOutcome, ToolSet } from '../api/loop.js'
import type { ToolCallPart } from '../api/messages.js'
import { runCall, type CallHost } from './calls.js'
import { errorResult } from './results.js'

/** The parts of the loop that a batch needs. */
export interface BatchHost extends Omit<CallHost, 'tell' | 'waiting'> {
  readonly tools: ToolSet
  /** How many calls run at the same time. Calls that wait do not count. */
  readonly parallel: number
  /** Returns whether to skip calls that have not begun, because a steering message has arrived. */
  interrupted(): boolean
}

const SKIPPED = 'Not run: a new message came first. Read it, then call this again if it is still wanted.'

/**
 * Runs the calls of one answer and yields their events. Each call ends with one `tool-end`, unless the loop is stopped.
 */
export async function* runBatch(calls: readonly ToolCallPart[], host: BatchHost): AsyncGenerator<LoopEvent, void> {
  const events: LoopEvent[] = []
  let wake: (() => void) | undefined
  let next = 0
  let busy = 0
  let open = 0
  let left = false
  let failure: { readonly error: unknown } | undefined

  const tell = (event: LoopEvent): void => {
    events.push(event)
    wake?.()
    wake = undefined
  }
  const ended = (outcome: ToolOutcome): void => tell({ type: 'tool-end', ...outcome })
  /** Ends with a failure outside the calls. The consumer of the events throws it. */
  const fail = (error: unknown): void => {
    failure = { error }
    wake?.()
  }
  const launch = (): void => {
    while (next < calls.length && busy < host.parallel && !host.stopping.stopped) {
      // Checked before each launch. Calls that run continue, and those that have not begun are skipped.
      left ||= host.interrupted()
      const call = calls[next++] as ToolCallPart
      if (left) {
        ended({ call, result: errorResult(call, SKIPPED), ms: 0, waitedMs: 0 })
        continue
      }
      start(call)
    }
  }
  const start = (call: ToolCallPart): void => {
    const tool = host.tools.find(call.name)
    const refused = tool ? host.tools.refuse?.(call, tool) : unknownTool(call.name, host.tools)
    if (!tool || refused !== undefined)
      return ended({ call, result: errorResult(call, refused ?? ''), ms: 0, waitedMs: 0 })
    busy++
    open++
    tell({ type: 'tool-start', call })
    const callHost: CallHost = {
      ...host,
      tell,
      waiting(waits) {
        busy += waits ? -1 : 1
        if (waits) launch()
      },
    }
    const done = (outcome: ToolOutcome | undefined): void => {
      busy--
      open--
      if (outcome) ended(outcome)
      launch()
      wake?.()
    }
    // A message that cannot be made safe is left out.
    void runCall(callHost, call, tool, host.tools.gone?.(call.name))
      .catch(() => ({ call, result: errorResult(call, `${call.name} failed.`), ms: 0, waitedMs: 0 }))
      .then(done)
      .catch(fail)
  }

  launch()
  for (;;) {
    for (let event = events.shift(); event; event = events.shift()) yield event
    if (failure) throw failure.error
    if (open === 0 && (next >= calls.length || host.stopping.stopped)) return
    await new Promise<void>((resolve) => (wake = resolve))
  }
}

function unknownTool(name: string, tools: ToolSet): string {
  const meant = closestMatch(
    name.slice(0, 100),
    tools.definitions.map((definition) => definition.name).filter((known) => known !== name),
  )
  return `There is no tool "${name.slice(0, 100)}".${meant ? ` Did you mean ${meant}?` : ''}`
}
