// Whose rights a run has: those that the job's creator has now.
import { WireError } from '@mynah/contract'
import type { Role } from '@mynah/plugin-chat/api'
import type { Creator } from '../api.js'

export interface RolePort {
  /** Throws where it is not known yet. */
  rolesOf(adapter: string, endpoint: string, user: string): ReadonlySet<Role>
}

export function rolesOf(creator: Creator, port: RolePort): ReadonlySet<string> {
  switch (creator.kind) {
    case 'console':
    case 'host':
      return new Set(['user', 'trusted', 'master'])
    case 'chat':
      return port.rolesOf(creator.adapter, creator.endpoint, creator.user)
    case 'event':
      return new Set(['user'])
    default:
      throw new WireError('invalid_request', 'Nobody knows who made the job')
  }
}
