import { runHistory } from './run.mjs'

/**
 * Plays a history.
 *
 * @throws Error with what is wrong and the history itself when a sentence is broken
 */
export async function expectSound(plan) {
  const { findings } = await runHistory(plan)
  if (findings.length === 0) return
  const { lines } = await runHistory({ ...plan, verbose: true })
  throw new Error([...findings.map(({ sentence, text }) => `${sentence}: ${text}`), ...lines].join('\n'))
}
