// Where sessions are among hosts that share a database.
import { endpointPlace, HOUSE, type Cluster } from '@mynah/kernel'
import type { Session, SessionPlaces } from './types.js'

type Located = Pick<Session, 'adapter' | 'endpoint'>

/** Returns the name of the host that runs the turns of a session, in a cluster. */
export function hostOfSession(cluster: Cluster | undefined, { adapter, endpoint }: Located): string | undefined {
  const places = cluster?.places()
  const place = endpointPlace(adapter, endpoint)
  return places?.get(places.has(place) ? place : HOUSE)
}

/** Returns the places of the sessions of a host. A host that is alone has no name. */
export function placesOfHost(cluster: Cluster | undefined, host: string): SessionPlaces {
  const places = [...(cluster?.places() ?? [])]
  const endpoints = places.filter(([place]) => place !== HOUSE)
  const hasHouse = places.some(([place, name]) => place === HOUSE && name === host)
  return {
    endpoints: endpoints.flatMap(([place, name]) => (name === host ? [place] : [])),
    ...(hasHouse ? { butOf: endpoints.map(([place]) => place) } : {}),
  }
}

export function isAt({ endpoints, butOf }: SessionPlaces, { adapter, endpoint }: Located): boolean {
  const place = endpointPlace(adapter, endpoint)
  return endpoints.includes(place) || (butOf !== undefined && !butOf.includes(place))
}

/**
 * Returns the condition of {@link isAt} in SQL.
 *
 * @param add adds a parameter and returns its place
 */
export function atPlaces({ endpoints, butOf }: SessionPlaces, add: (value: string) => string): string {
  const column = `('endpoint|' || adapter || '|' || endpoint)`
  const among = (places: readonly string[]): string =>
    places.length === 0 ? '1 = 0' : `${column} IN (${places.map(add).join(', ')})`
  const here = among(endpoints)
  return butOf === undefined ? here : `(${here} OR NOT (${among(butOf)}))`
}
