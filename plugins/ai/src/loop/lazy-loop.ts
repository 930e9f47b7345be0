// Loads the agent loop when it first runs, so that plugins which only define tools do not pay for it.
import type { LoopEvent, LoopOptions } from '../api/loop.js'

type Events = AsyncGenerator<LoopEvent, void>
let loaded: ((options: LoopOptions) => Events) | undefined

/**
 * Runs a conversation until the model answers. It does no I/O of its own and never throws: everything that happens is
 * an event, and the last event is its end. The consumer sets the pace: nothing is launched before the event that
 * announces it has been taken, and leaving the iteration stops what runs.
 *
 * @example
 * const stream = (request, { signal }) => models.stream(request, { candidates, signal })
 * for await (const event of agentLoop({ stream, messages, tools }))
 *   if (event.type === 'text') process.stdout.write(event.text)
 */
export function agentLoop(options: LoopOptions): Events {
  if (loaded) return loaded(options)
  return first(options)
}

async function* first(options: LoopOptions): Events {
  const { runLoop } = await import('./agent-loop.js')
  loaded = runLoop
  yield* runLoop(options)
}
