// The last resort of a process: what nobody caught is attributed to the plugin on its stack and does not end the host.
import { toError, messageOf, stackOf, type Host } from '@mynah/kernel'
import { attribute, framesOf, placeOf } from './attribution.js'

/**
 * Keeps the process up when a promise is rejected or an error thrown outside any call into a plugin. The plugin whose
 * module is on the stack is blamed and degraded; otherwise the host's log has it.
 *
 * @param options.root Folder of the host, which places are told relative to.
 * @returns Takes the listeners back.
 */
export function guardProcess(host: Host, { root }: { root: string }): () => void {
  const caught =
    (what: string) =>
    (thrown: unknown): void => {
      const error = toError(thrown)
      try {
        const found = attribute(framesOf(error), host.inspect())
        const at = found ? ` at ${placeOf(found.frame, root)}` : ''
        const wrapped = new Error(`${what}${at}: ${messageOf(error)}`, { cause: error })
        if (found && host.blame(found.plugin, wrapped)) return
        host.log.error(wrapped.message, { stack: stackOf(error) })
      } catch (failure) {
        // Throwing here would end the process.
        process.stderr.write(`${what}: ${messageOf(error)}; reporting it failed: ${messageOf(failure)}\n`)
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
