// Jobs that run a handler of a plugin.
import type { Clock, Reader } from '@mynah/kernel'
import { jobAction, type JobActionKind, type JobHandler } from './api.js'
import { waitsFor } from './waits-for.js'

export function handlerAction(handlers: Reader<JobHandler>, clock: Clock): JobActionKind {
  return jobAction<'handler'>({
    kind: 'handler',
    async run({ handler: name, args }, call) {
      let handler = handlers.get(name)?.value
      if (!handler) {
        // Its plugin may be starting, or be away for a new version.
        call.waits(true)
        handler = await waitsFor(
          {
            name: `What runs "${name}"`,
            look: () => handlers.get(name)?.value,
            watch: (listener) => handlers.watch(listener),
          },
          clock,
          call.signal,
        ).finally(() => call.waits(false))
      }
      const result = await handler.run(args, call)
      return typeof result === 'string' ? { text: result } : (result ?? {})
    },
  })
}
