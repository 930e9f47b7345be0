import { cluster as contract, isWireError, WireError } from '@mynah/contract'
import type { ClusterHostView } from '@mynah/kernel'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import type { Member } from './member/member.js'

/**
 * Returns what the database says.
 *
 * @throws WireError `upstream_unavailable` where it does not answer. Another host would be asked after `not_ready`,
 * which has the same database.
 */
async function known<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (isWireError(error)) throw error
    throw new WireError(
      'upstream_unavailable',
      `The database does not answer${causeOf(error)}, so nothing is known of the hosts now`,
      { cause: error },
    )
  }
}

/**
 * Makes a change.
 *
 * @throws WireError `upstream_unavailable:unknown` where the database does not answer
 */
async function changed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new WireError(
      'upstream_unavailable:unknown',
      `The database does not answer${causeOf(error)}, so it is not known whether this was done`,
      { cause: error },
    )
  }
}

/** Returns the code of a failed connection or statement. Messages of the driver may name addresses. */
function causeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? ` (${code})` : ''
}

/** Returns the methods of the cluster. */
export function clusterMethods(member: Member): BoundMethod[] {
  /**
   * Returns a live host.
   *
   * @throws WireError `not_found`
   */
  async function liveHost(id: string): Promise<ClusterHostView> {
    const found = (await known(member.hosts())).find((host) => host.id === id && host.state === 'live')
    if (!found) throw new WireError('not_found', `There is no live host "${id}"`)
    return found
  }
  return [
    method(contract.rpc, 'cluster:hosts', async () => ({
      hosts: (await known(member.hosts())).map((host) => ({
        ...host,
        places: [...host.places],
        self: host.id === member.self.id,
      })),
    })),
    method(contract.rpc, 'cluster:places', async () => ({ places: [...(await known(member.storedPlaces()))] })),
    method(contract.rpc, 'cluster:move', async ({ place, host }) => {
      if (host !== undefined) await liveHost(host)
      if (!(await changed(member.move(place, host ?? null))))
        throw new WireError('not_found', `There is no place "${place}"`)
      return null
    }),
    method(contract.rpc, 'cluster:drain', async ({ host, drains }) => {
      const { name } = await liveHost(host)
      if (drains && (await known(member.hosts())).filter(({ state }) => state === 'live').length < 2)
        throw new WireError('conflict', `${name} is the only live host: no other could take its places`)
      if (!(await changed(member.drain(host, drains))))
        throw new WireError('not_found', `There is no live host "${host}"`)
      return null
    }),
  ]
}
