import type { ExecApproval } from '@mynah/contract'
import { entity } from '@mynah/plugin-database/api'
import type { ApprovalKind, ExecOrigin, PartDecision } from '../api.js'

/** A request with its exact text. */
export interface Approval {
  readonly id: string
  readonly kind: ApprovalKind
  /** One line about what is to happen. */
  readonly title: string
  readonly command: string
  readonly adapter: string | null
  readonly endpointId: string | null
  /** `<type>:<id>`. */
  readonly channel: string | null
  readonly userId: string | null
  readonly subagent: boolean
  readonly reason: string
  readonly suggestion: string | null
  /** The parts of a command, as they were judged. */
  readonly parts: readonly PartDecision[] | null
  readonly status: ExecApproval['status']
  readonly answeredBy: string | null
  readonly createdAt: number
  /** Until then a pending request may be answered, and an approved one used. */
  readonly expiresAt: number
}

export const PACKAGE = '@mynah/plugin-exec-security'
const nullable = { type: 'text', nullable: true } as const

/** Requests. The console may read this table and not write it. */
export const Requests = entity<Approval>({
  package: PACKAGE,
  name: 'exec_approval',
  columns: {
    id: { type: 'text', primary: true },
    kind: { type: 'text', default: 'bash' },
    title: { type: 'text', default: '' },
    command: { type: 'text' },
    adapter: nullable,
    endpointId: nullable,
    channel: nullable,
    userId: nullable,
    subagent: { type: 'boolean' },
    reason: { type: 'text' },
    suggestion: nullable,
    parts: { type: 'simple-json', nullable: true },
    status: { type: 'text' },
    answeredBy: nullable,
    createdAt: { type: 'bigint' },
    expiresAt: { type: 'bigint' },
  },
  indices: [{ columns: ['status'] }],
})

/** The columns that say where a command comes from. */
export function originColumns(
  origin: ExecOrigin,
): Pick<Approval, 'adapter' | 'endpointId' | 'channel' | 'userId' | 'subagent'> {
  const { adapter, endpointId, channel, userId, subagent } = origin
  return {
    adapter: adapter ?? null,
    endpointId: endpointId ?? null,
    channel: channel ? `${channel.type}:${channel.id}` : null,
    userId: userId ?? null,
    subagent: subagent === true,
  }
}

/** Whether an approval was asked for exactly this text by this origin. A sub-agent acts for the origin of its agent. */
export function matchesRequest(approval: Approval, kind: ApprovalKind, command: string, origin: ExecOrigin): boolean {
  const { adapter, endpointId, channel, userId } = originColumns(origin)
  return (
    approval.kind === kind &&
    approval.command === command &&
    approval.adapter === adapter &&
    approval.endpointId === endpointId &&
    approval.channel === channel &&
    approval.userId === userId
  )
}

/** A request as the console sees it. */
export function approvalView(approval: Approval): ExecApproval {
  const {
    id,
    kind,
    title,
    command,
    reason,
    status,
    createdAt,
    expiresAt,
    adapter,
    endpointId,
    userId,
    channel,
    suggestion,
    parts,
    answeredBy,
  } = approval
  return {
    id,
    kind,
    title: title || firstLine(command),
    command,
    reason,
    status,
    createdAt,
    expiresAt,
    ...(adapter === null ? {} : { adapter }),
    ...(endpointId === null ? {} : { endpointId }),
    ...(userId === null ? {} : { requestedBy: userId }),
    ...(channel === null ? {} : { channel }),
    ...(suggestion === null ? {} : { suggestion }),
    ...(parts === null ? {} : { parts: parts.map((part) => ({ ...part })) }),
    ...(answeredBy === null ? {} : { answeredBy }),
  }
}

const TITLE = 120

/** A text on one line, no longer than a title. */
export function firstLine(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length > TITLE ? `${line.slice(0, TITLE)}…` : line
}

/** Enough of the origin to decide again and to write about it. */
export function originOf({ adapter, endpointId, channel, userId, subagent }: Approval): ExecOrigin {
  const [type, ...id] = channel?.split(':') ?? []
  return {
    adapter: adapter ?? undefined,
    endpointId: endpointId ?? undefined,
    userId: userId ?? undefined,
    subagent,
    ...(type === undefined ? {} : { channel: { type: type as 'private' | 'group' | 'channel', id: id.join(':') } }),
  }
}
