// The calls that save a draft, and what became of each.
import { host } from '../../app/host.js'
import { failureOf } from '../../lib/failure.js'
import type { Draft } from './draft.js'
import { t } from './texts.js'

export interface Outcome {
  readonly key: string
  readonly state: 'reloaded' | 'restart' | 'refused'
  readonly message?: string
  readonly ms: number
}

/** Saves a draft: the file where it was edited as text, else section by section, so that a refused one keeps back no other. */
export async function save(draft: Draft): Promise<Outcome[]> {
  const client = host()
  const one = async (key: string, work: () => Promise<{ reloaded?: boolean; message?: string }>): Promise<Outcome> => {
    const began = performance.now()
    try {
      const { reloaded, message } = await work()
      return {
        key,
        state: reloaded ? 'reloaded' : 'restart',
        ...(message ? { message } : {}),
        ms: performance.now() - began,
      }
    } catch (error) {
      return { key, state: 'refused', message: failureOf(error).text, ms: performance.now() - began }
    }
  }
  if (draft.text !== undefined)
    return [
      await one(t('file'), async () => ({
        message: (await client.rpc('config:save-yaml', { yaml: draft.text ?? '' })).message,
      })),
    ]
  const outcomes: Outcome[] = []
  for (const [key, data] of Object.entries(draft.sections))
    outcomes.push(await one(key, () => client.rpc('config:set', { pluginName: key, data: data ?? {} })))
  return outcomes
}
