import type { BaseContext, Reader } from '@mynah/kernel'
import type { Role } from './api/message.js'
import { roleGrants, type RoleGrant } from './api/points.js'
import type { InboundRecord } from './api/store.js'
import { listOf, type EndpointConfig } from './config.js'
import type { Endpoints } from './endpoints/endpoints.js'

type GroupRole = InboundRecord['sender']['role']

const PLAIN: ReadonlySet<Role> = new Set<Role>(['user'])

/** Finds the roles of users. */
export class Roles {
  readonly #grants: Reader<RoleGrant>
  readonly #endpoints: Endpoints

  constructor(ctx: BaseContext<unknown>, endpoints: Endpoints) {
    this.#grants = ctx.read(roleGrants)
    this.#endpoints = endpoints
  }

  /**
   * Returns the roles of a user: those of the endpoint's configuration, of plugins, and of the platform.
   *
   * @param groupRole role of the user in the group of the message, as the platform reports it
   */
  of(adapter: string, endpoint: string, userId: string, groupRole?: GroupRole): ReadonlySet<Role> {
    const grants = this.#grants.all()
    const granted =
      grants.length === 0 ? undefined : grants.flatMap(({ value }) => value.roles(adapter, endpoint, userId))
    return rolesOf(this.#endpoints.find(adapter, endpoint)?.config, userId, groupRole, granted)
  }
}

/**
 * Returns the roles of a user for an endpoint.
 *
 * @param groupRole role of the user in the group of the message, as the platform reports it
 * @param granted roles that plugins add to those of the configuration
 */
function rolesOf(
  config: EndpointConfig | undefined,
  userId: string,
  groupRole?: GroupRole,
  granted: readonly Role[] = [],
): ReadonlySet<Role> {
  const isMaster = listOf(config?.master).includes(userId) || granted.includes('master')
  const isTrusted = listOf(config?.trusted).includes(userId) || granted.includes('trusted')
  if (!isMaster && !isTrusted && (groupRole === undefined || groupRole === 'member')) return PLAIN
  const roles = new Set<Role>(PLAIN)
  if (groupRole === 'admin' || groupRole === 'owner') roles.add('group_admin')
  if (groupRole === 'owner') roles.add('group_owner')
  if (isTrusted) roles.add('trusted')
  if (isMaster) roles.add('master')
  return roles
}
