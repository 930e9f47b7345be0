// A command that waits, or waited, for its owner: its row, its table, and how clients see it.
import type { ExecApproval } from '@mynah/contract'
import { entity } from '@mynah/plugin-database/api'
import type { ExecOrigin } from '../api.js'

/** A request with its exact text. */
export interface Approval {
  readonly id: string
  readonly command: string
  readonly adapter: string | null
  readonly endpointId: string | null
  /** `<type>:<id>`. */
  readonly channel: string | null
  readonly userId: string | null
  readonly subagent: boolean
  readonly reason: string
  readonly suggestion: string | null
  readonly status: ExecApproval['status']
  readonly answeredBy: string | null
  readonly createdAt: number
  /** Until then a pending request may be answered, and an approved one used. */
  readonly expiresAt: number
}

export const PACKAGE = '@mynah/plugin-exec-security'
const nullable = { type: 'text', nullable: true } as const

/** Requests; the console may read this table and not write it. */
export const Requests = entity<Approval>({
  package: PACKAGE,
  name: 'exec_approval',
  columns: {
    id: { type: 'text', primary: true },
    command: { type: 'text' },
    adapter: nullable,
    endpointId: nullable,
    channel: nullable,
    userId: nullable,
    subagent: { type: 'boolean' },
    reason: { type: 'text' },
    suggestion: nullable,
    status: { type: 'text' },
    answeredBy: nullable,
    createdAt: { type: 'bigint' },
    expiresAt: { type: 'bigint' },
  },
  indices: [{ columns: ['status'] }],
})

/** The columns that say where a command comes from. */
export function originColumns(origin: ExecOrigin): Pick<Approval, 'adapter' | 'endpointId' | 'channel' | 'userId' | 'subagent'> {
  const { adapter, endpointId, channel, userId, subagent } = origin
  return {
    adapter: adapter ?? null, endpointId: endpointId ?? null, channel: channel ? `${channel.type}:${channel.id}` : null,
    userId: userId ?? null, subagent: subagent === true,
  }
}

/** Whether an approval was asked for exactly this text by this origin. A sub-agent acts for the origin of its agent. */
export function isFor(approval: Approval, command: string, origin: ExecOrigin): boolean {
  const { adapter, endpointId, channel, userId } = originColumns(origin)
  return approval.command === command && approval.adapter === adapter && approval.endpointId === endpointId && approval.channel === channel && approval.userId === userId
}

/** A request as the console sees it. */
export function viewOf(approval: Approval): ExecApproval {
  const { id, command, reason, status, createdAt, expiresAt, adapter, endpointId, userId, channel, suggestion } = approval
  return {
    id, command, reason, status, createdAt, expiresAt,
    ...(adapter === null ? {} : { adapter }),
    ...(endpointId === null ? {} : { endpointId }),
    ...(userId === null ? {} : { requestedBy: userId }),
    ...(channel === null ? {} : { channel }),
    ...(suggestion === null ? {} : { suggestion }),
  }
}
