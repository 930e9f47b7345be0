import { endpointPlace, HOUSE, type Cluster } from '@mynah/kernel'
import type { Origin } from '@mynah/plugin-ai/api'
import { TASK_SESSION } from '../job-session.js'

/** Returns the place of work for a conversation. */
export const placeOfOrigin = ({ adapter, endpoint }: Origin): string =>
  adapter === undefined || endpoint === undefined ? HOUSE : endpointPlace(adapter, endpoint)

/** The part of a turn that says where it belongs. */
interface Placed {
  /** Row of the message that it answers. */
  readonly row: string | null
  readonly sessionKey: string
  readonly origin: Origin
}

/** Returns the place of a turn. The requests of plugins belong to no endpoint, but for the turns of tasks. */
export const placeOf = ({ row, sessionKey, origin }: Placed): string =>
  row === null && !sessionKey.startsWith(TASK_SESSION) ? HOUSE : placeOfOrigin(origin)

/** Something that a process does for a conversation. */
interface Held {
  /** The process that does it, see {@link Cluster.owner}. */
  readonly host?: string | null
}

/**
 * Returns what this host has to decide about: what belongs to its places, and whose process works no more. Without a
 * cluster that is all.
 */
export async function leftTo<T extends Held>(
  cluster: Cluster | undefined,
  all: readonly T[],
  place: (one: T) => string,
): Promise<readonly T[]> {
  if (!cluster) return all
  const mine = all.filter((one) => cluster.answersFor(place(one)))
  const ended = await cluster.ended(mine.flatMap(({ host }) => host ?? []))
  return mine.filter(({ host }) => (host ?? cluster.owner) === cluster.owner || ended.has(host ?? ''))
}
