import type { ClusterHost, ClusterPlace } from '@mynah/contract/types'

/** The place of all work that belongs to no endpoint. */
const HOUSE = 'house'

/** The hosts and places of a database, as one moment showed them. */
export interface Known {
  readonly hosts: readonly ClusterHost[]
  readonly places: readonly ClusterPlace[]
}

/** Returns the hosts that take places. */
export const takersOf = (hosts: readonly ClusterHost[]): ClusterHost[] =>
  hosts.filter(
    ({ state, drains, revisionProblem, waitsFor }) =>
      state === 'live' && !drains && revisionProblem === undefined && waitsFor === undefined,
  )

/** Whether a place can go nowhere else: no other host takes places, and none has it promised. */
export const cannotMove = ({ owner, wanted }: ClusterPlace, hosts: readonly ClusterHost[]): boolean =>
  wanted === null && takersOf(hosts).every(({ id }) => id === owner?.id)

/** Whether no other host takes the places of one. */
export const cannotDrain = (host: ClusterHost, hosts: readonly ClusterHost[]): boolean =>
  takersOf(hosts).every(({ id }) => id === host.id)

/** A package that live hosts have in different versions. */
export interface PackageDifference {
  readonly name: string
  /** In the order of the hosts; undefined where one does not have it. */
  readonly versions: readonly { readonly host: string; readonly version: string | undefined }[]
}

/** Returns the packages in which live hosts differ, by name. A host that has not said its packages is left out. */
export function packageDifferences(hosts: readonly ClusterHost[]): PackageDifference[] {
  const known = hosts.flatMap(({ id, name, state, packages }) =>
    state === 'live' && packages !== undefined ? [{ id, name, packages: new Map(Object.entries(packages)) }] : [],
  )
  const names = Array.from(new Set(known.flatMap(({ packages }) => Array.from(packages.keys())))).sort()
  return names
    .map((name) => ({ name, versions: known.map((host) => ({ host: host.name, version: host.packages.get(name) })) }))
    .filter(({ versions }) => new Set(versions.map(({ version }) => version)).size > 1)
}

/** A host to move a place to; without an id, any. */
export interface Target {
  readonly id: string | undefined
  readonly name: string
}

/** Returns the choices for a place: first another host, then the one that has it, then any where it is promised. */
export function targetsOf({ owner, wanted }: ClusterPlace, hosts: readonly ClusterHost[], anywhere: string): Target[] {
  const takers = takersOf(hosts)
  return [
    ...takers.filter(({ id }) => id !== owner?.id),
    ...takers.filter(({ id }) => id === owner?.id),
    ...(wanted === null ? [] : [{ id: undefined, name: anywhere }]),
  ].map(({ id, name }) => ({ id, name }))
}

type MoveEffect = 'moveAnywhere' | 'moveStays' | 'moveRests' | 'moveFree' | 'moveHouse' | 'movePlace'

/** Returns what moving a place does, as the key of a text. */
export function moveEffect({ id, owner, restsUntil }: ClusterPlace, target: Target): MoveEffect {
  if (target.id === undefined) return 'moveAnywhere'
  if (owner?.id === target.id) return 'moveStays'
  if (restsUntil !== null) return 'moveRests'
  if (owner === null) return 'moveFree'
  return id === HOUSE ? 'moveHouse' : 'movePlace'
}

/** Whether moving a place starts the host again that the console is connected to. */
export const restartsSelf = ({ id, owner }: ClusterPlace, target: Target, hosts: readonly ClusterHost[]): boolean =>
  id === HOUSE &&
  target.id !== undefined &&
  target.id !== owner?.id &&
  hosts.some((host) => host.self && host.id === owner?.id)

type DrainEffect = 'drainHouse' | 'drainPlaces' | 'drainNone'

/** Returns what draining a host does, as the key of a text. */
export function drainEffect({ places }: ClusterHost): DrainEffect {
  if (places.includes(HOUSE)) return 'drainHouse'
  return places.length > 0 ? 'drainPlaces' : 'drainNone'
}

export const isHouse = ({ id }: ClusterPlace): boolean => id === HOUSE

type Wish = { readonly key: 'kept' | 'goes' | 'waits'; readonly host: string }

/** Returns where an operator has moved a place, or undefined. */
export function wishOf({ owner, wanted }: ClusterPlace, hosts: readonly ClusterHost[]): Wish | undefined {
  if (wanted === null) return undefined
  const host = hosts.find(({ id }) => id === wanted)
  const name = host?.name ?? wanted
  if (owner?.id === wanted) return { key: 'kept', host: name }
  return { key: host !== undefined && takersOf([host]).length > 0 ? 'goes' : 'waits', host: name }
}
