import { WireError } from '@mynah/contract'
import type { Role } from '@mynah/plugin-chat/api'
import type { Creator } from '../api.js'

/** Looks up the roles of a chat user. */
export interface RoleSource {
  /** @throws WireError `not_ready` while the roles are unknown */
  rolesOf(adapter: string, endpoint: string, user: string): ReadonlySet<Role>
}

/** Returns the roles that the creator of a job has now. */
export function rolesOfCreator(creator: Creator, source: RoleSource): ReadonlySet<string> {
  switch (creator.kind) {
    case 'console':
    case 'host':
      return new Set(['user', 'trusted', 'master'])
    case 'chat':
      return source.rolesOf(creator.adapter, creator.endpoint, creator.user)
    case 'event':
      return new Set(['user'])
    default:
      throw new WireError('invalid_request', 'The creator of the job is unknown')
  }
}
