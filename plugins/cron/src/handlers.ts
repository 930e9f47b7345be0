import type { Clock, Reader } from '@mynah/kernel'
import { jobAction, type JobActionKind, type JobHandler } from './api.js'
import { waitFor } from './wait-for.js'

/** Creates the action that runs a handler by name. */
export function handlerAction(handlers: Reader<JobHandler>, clock: Clock): JobActionKind {
  return jobAction<'handler'>({
    kind: 'handler',
    timeoutMs: ({ handler }) => handlers.get(handler)?.value.timeoutMs,
    async run({ handler: name, args }, call) {
      let handler = handlers.get(name)?.value
      if (!handler) {
        // Its plugin may be starting or being replaced.
        call.setWaiting(true)
        handler = await waitFor(
          {
            name: `the handler "${name}"`,
            look: () => handlers.get(name)?.value,
            watch: (listener) => handlers.watch(listener),
          },
          clock,
          call.signal,
        ).finally(() => call.setWaiting(false))
      }
      const result = await handler.run(args, call)
      return typeof result === 'string' ? { text: result } : (result ?? {})
    },
  })
}
