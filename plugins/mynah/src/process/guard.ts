import { toError, messageOf, stackOf, type Host } from '@mynah/kernel'
import { attribute, framesOf, locationOf } from './attribution.js'

/**
 * Keeps the process alive after an unhandled rejection or an uncaught exception. Degrades the plugin whose module is on
 * the
 * stack, or else logs the error for the host.
 *
 * @param options.root folder of the host; locations are relative to it
 * @returns a function that removes the listeners
 */
export function guardProcess(host: Host, { root }: { root: string }): () => void {
  const caught =
    (what: string) =>
    (thrown: unknown): void => {
      const error = toError(thrown)
      try {
        const found = attribute(framesOf(error), host.inspect())
        const at = found ? ` at ${locationOf(found.frame, root)}` : ''
        const wrapped = new Error(`${what}${at}: ${messageOf(error)}`, { cause: error })
        if (found && host.blame(found.plugin, wrapped)) return
        host.log.error(wrapped.message, { stack: stackOf(error) })
      } catch (failure) {
        // Throwing here would end the process.
        process.stderr.write(`${what}: ${messageOf(error)}; failed to report it: ${messageOf(failure)}\n`)
      }
    }
  const rejected = caught('unhandled rejection')
  const thrown = caught('uncaught exception')
  process.on('unhandledRejection', rejected)
  process.on('uncaughtException', thrown)
  return () => {
    process.off('unhandledRejection', rejected)
    process.off('uncaughtException', thrown)
  }
}
