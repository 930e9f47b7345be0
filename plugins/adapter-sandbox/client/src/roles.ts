// Which users the configuration of the endpoint gives a role.
import type { HostApi } from '@mynah/console/entry'
import { useEffect, useState } from 'react'
import type { SandboxUser } from './model.js'

type Role = 'master' | 'trusted' | 'user'
/** Ids of users with a role. */
export type Roles = ReadonlyMap<string, Role>

const idsOf = (value: unknown): string[] =>
  [value].flat().filter((id): id is string => typeof id === 'string' && id !== '')

/** Returns the roles in the configuration of an endpoint. A master that is also trusted is a master. */
export const rolesIn = ({ master, trusted }: Readonly<Record<string, unknown>>): Roles =>
  new Map([
    ...idsOf(trusted).map((id) => [id, 'trusted'] as const),
    ...idsOf(master).map((id) => [id, 'master'] as const),
  ])

/** Adds the users with a role that are not in the list, masters first. */
export function withRoles(users: readonly SandboxUser[], roles: Roles | undefined): readonly SandboxUser[] {
  const missing = [...(roles ?? [])].filter(([id]) => !users.some((user) => user.id === id))
  const of = (role: Role): SandboxUser[] => missing.filter(([, own]) => own === role).map(([id]) => ({ id, name: id }))
  return [...of('master'), ...of('trusted'), ...users]
}

/** Whether the host runs a plugin. False where this token may not know. */
export function useHasPlugin(host: HostApi, name: string): boolean {
  const [has, setHas] = useState(false)
  useEffect(() => {
    let isShown = true
    host.client.rest('GET /plugins').then(
      (plugins) => {
        if (isShown) setHas(plugins.some((plugin) => plugin.name === name && plugin.status === 'active'))
      },
      () => {
        if (isShown) setHas(false)
      },
    )
    return () => {
      isShown = false
    }
  }, [host, name])
  return has
}

/** Loads the roles of an endpoint. A token of demo scope knows of none. */
export function useRoles(host: HostApi, endpointId: string): Roles | undefined {
  const [roles, setRoles] = useState<Roles>()
  useEffect(() => {
    let isShown = true
    host.client.rpc('sandbox:roles', { endpointId }).then(
      (config) => {
        if (isShown) setRoles(rolesIn(config))
      },
      () => {
        // The list then shows ids.
        if (isShown) setRoles(undefined)
      },
    )
    return () => {
      isShown = false
    }
  }, [host, endpointId])
  return roles
}
