import { host } from '../../app/host.js'
import { failureOf } from '../../lib/failure.js'
import type { Draft } from './draft.js'
import { t } from './texts.js'

export interface Outcome {
  readonly key: string
  /** `going`: its plugin is still restarting. `written`: the file is not applied yet. */
  readonly state: 'reloaded' | 'going' | 'written' | 'refused'
  readonly message?: string
  readonly ms: number
}

/**
 * Saves a draft: the whole file if it was edited as text, else each section, so that a rejected one does not block the
 * others.
 */
export async function save(draft: Draft): Promise<Outcome[]> {
  const client = host()
  const one = async (key: string, work: () => Promise<Outcome['state']>): Promise<Outcome> => {
    const began = performance.now()
    try {
      return { key, state: await work(), ms: performance.now() - began }
    } catch (error) {
      return { key, state: 'refused', message: failureOf(error).text, ms: performance.now() - began }
    }
  }
  if (draft.text !== undefined)
    return [
      await one(t('file'), async () => {
        const { etag } = draft.base
        const text = { yaml: draft.text ?? '', ...(etag === undefined ? {} : { etag }) }
        const { reloaded } = await client.rpc('config:save-yaml', text)
        return reloaded ? 'reloaded' : 'written'
      }),
    ]
  const outcomes: Outcome[] = []
  for (const [key, data] of Object.entries(draft.sections))
    outcomes.push(
      await one(key, async () => {
        const { reloaded } = await client.rpc('config:set', { pluginName: key, data: data ?? {} })
        return reloaded ? 'reloaded' : 'going'
      }),
    )
  return outcomes
}
