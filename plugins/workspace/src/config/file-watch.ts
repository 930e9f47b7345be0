import { stat } from 'node:fs/promises'
import type { BaseContext, Configuration } from '@mynah/kernel'
import type { ConfigFile } from './config-file.js'
import type { FileProblem, WholeText } from './whole-text.js'

interface Watched {
  readonly configuration: Pick<Configuration, 'file'>
  readonly file: Pick<ConfigFile, 'name'>
  readonly text: Pick<WholeText, 'problem'>
  /** Called after the file has become one that the host would refuse, or is none any more. */
  readonly onTurn: () => void
}

/**
 * Returns a function that looks whether the configuration file on disk has changed, and marks the plugin as degraded
 * while it is one that the host would refuse. One look must end before the next one begins.
 */
export function fileWatch(
  ctx: Pick<BaseContext<unknown>, 'degrade' | 'log'>,
  { configuration, file, text, onTurn }: Watched,
): () => Promise<void> {
  let seen: string | undefined
  let restore: (() => void) | undefined
  return async () => {
    const stamp = await stat(configuration.file).then(
      ({ mtimeMs, size, ino }) => [mtimeMs, size, ino].join(' '),
      ({ code }: NodeJS.ErrnoException) => code ?? 'unknown',
    )
    if (stamp === seen) return
    seen = stamp
    const problem = await text.problem()
    const wasBroken = restore !== undefined
    restore?.()
    restore = problem && complain(problem)
    if (wasBroken || problem) onTurn()
  }

  function complain(problem: FileProblem): () => void {
    const place = problem.line === undefined ? file.name : `${file.name}, line ${problem.line}`
    const reason = `${place}: ${problem.message}. The host runs the configuration from before`
    ctx.log.warn(reason)
    return ctx.degrade(reason)
  }
}
