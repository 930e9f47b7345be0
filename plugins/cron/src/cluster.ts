// Jobs of hosts that share a database: the host that owns the house runs them, and all of them change them.
import { isRecord } from '@mynah/contract'
import { HOUSE, messageOf, type Clock, type Cluster, type Logger } from '@mynah/kernel'
import type { Engine } from './engine/engine.js'

const CHANGED = 'cron:changed'
const ADDED = 'cron:added'
/** Pause before the work of the house is begun again after a failure, in milliseconds. */
const RETRY_MS = 2_000

interface Parts {
  readonly cluster: Cluster
  readonly engine: Engine
  readonly clock: Clock
  readonly log: Logger
  /** Begins to run jobs; called again where it fails. */
  begin(): Promise<void>
  /** A job was changed by another host. */
  changed(id: string): void
}

/** Tells the other hosts of a change of a job. */
export const tellChange = (cluster: Cluster, id: string): void => void cluster.tell(CHANGED, { id })

/** Leaves a stored run to the host that owns the house. */
export const tellRun = (cluster: Cluster, id: string): void => void cluster.tell(ADDED, { id })

/** Runs jobs while this host owns the house, and follows what other hosts change. Returns how to stop. */
export function shareJobs({ cluster, engine, clock, log, begin, changed }: Parts): () => void {
  let isHere = false
  let hasBegun = false
  let isClosed = false
  let last: Promise<void> = Promise.resolve()
  const beginOrRetry = async (): Promise<void> => {
    while (isHere && !isClosed) {
      try {
        if (!hasBegun) await begin()
        hasBegun = true
        return engine.start()
      } catch (error) {
        log.warn(`failed to begin to run jobs, trying again: ${messageOf(error)}`)
        await new Promise<void>((resolve) => void clock.setTimeout(resolve, RETRY_MS))
      }
    }
  }
  const failed = (error: unknown): void => log.warn(`failed to follow a change of a job: ${messageOf(error)}`)
  const idOf = (params: unknown): string => (isRecord(params) ? String(params.id) : '')
  const stops = [
    cluster.run(HOUSE, {
      start() {
        isHere = true
        last = last.then(beginOrRetry)
      },
      stop() {
        isHere = false
        last = last.then(() => (hasBegun ? engine.stop() : undefined))
        return last
      },
    }),
    cluster.onTold(CHANGED, (params) => {
      const id = idOf(params)
      engine.followChange(id).then(() => changed(id), failed)
    }),
    cluster.onTold(ADDED, (params) => {
      if (isHere) engine.followRun(idOf(params)).catch(failed)
    }),
    cluster.onGap(() => void engine.reload(isHere).catch(failed)),
  ]
  return () => {
    isClosed = true
    for (const stop of stops) stop()
  }
}
