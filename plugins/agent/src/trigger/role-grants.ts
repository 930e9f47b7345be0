import type { Role, RoleGrant } from '@mynah/plugin-chat/api'
import type { Config } from '../config.js'

/** Grants the roles that the configuration names, on every endpoint or on one. */
export const roleGrant = (trigger: () => Pick<Config['ai.trigger'], 'masters' | 'trusted'>): RoleGrant => ({
  name: 'agent',
  roles(adapter, endpoint, user) {
    const { masters, trusted } = trigger()
    const named = (list: readonly string[]): boolean =>
      list.includes(user) || list.includes(`${adapter}|${endpoint}|${user}`)
    const roles: Role[] = []
    if (named(masters)) roles.push('master')
    if (named(trusted)) roles.push('trusted')
    return roles
  },
})
