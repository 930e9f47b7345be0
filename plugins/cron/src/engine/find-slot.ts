import { DAY_MS } from '@mynah/kernel/util'
import type { StoredRun } from '../store/types.js'
import type { EngineOptions } from './options.js'

/** Returns the run of a slot within the last day, or a slot name that is free. */
export async function findSlot(
  { store, clock }: Pick<EngineOptions, 'store' | 'clock'>,
  job: string,
  slot: string,
): Promise<{ readonly run: StoredRun } | { readonly freeSlot: string }> {
  const since = clock.now() - DAY_MS
  for (let name = slot; ;) {
    const run = await store.findRun(job, name)
    if (!run) return { freeSlot: name }
    if (run.createdAt > since) return { run }
    // An older run is a different event. The new name derives from it, so that concurrent requests agree on the name.
    name = `${slot}#${run.id}`
  }
}
