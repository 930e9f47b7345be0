// What a sender may be: from the endpoint's configuration and from what the platform says.
import type { Role } from './api/message.js'
import { listOf, type EndpointConfig } from './config.js'

const plain: ReadonlySet<Role> = new Set<Role>(['user'])

/**
 * The roles of a user for an endpoint; `group` is the user's place in the group of the message, `granted` what plugins give
 * beside the configuration of the endpoint.
 */
export function rolesOf(
  config: EndpointConfig | undefined,
  userId: string,
  group?: 'owner' | 'admin' | 'member',
  granted: readonly Role[] = [],
): ReadonlySet<Role> {
  const isMaster = listOf(config?.master).includes(userId) || granted.includes('master')
  const isTrusted = listOf(config?.trusted).includes(userId) || granted.includes('trusted')
  if (!isMaster && !isTrusted && (group === undefined || group === 'member')) return plain
  const roles = new Set<Role>(plain)
  if (group === 'admin' || group === 'owner') roles.add('group_admin')
  if (group === 'owner') roles.add('group_owner')
  if (isTrusted) roles.add('trusted')
  if (isMaster) roles.add('master')
  return roles
}
