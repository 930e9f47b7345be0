import type { ExecApproval } from '@mynah/contract'
import { entity } from '@mynah/database-api'
import { relative } from 'node:path'
import type { ExecOrigin, PartDecision } from '../api.js'
import { isWithin } from '../real-paths.js'
import { marked, markedPattern } from './marks.js'

/** A request with its exact text. */
export interface Approval {
  readonly id: string
  readonly kind: string
  /** One line about what is to happen. */
  readonly title: string
  readonly command: string
  readonly adapter: string | null
  readonly endpointId: string | null
  /** `<type>:<id>`. */
  readonly channel: string | null
  readonly userId: string | null
  readonly subagent: boolean
  /** The real path of the folder in which it happens, with device and inode. */
  readonly folder?: string | null
  readonly place?: string | null
  /** Hosts and paths that the approval adds to those that the action may reach, in order. */
  readonly adds?: readonly string[] | null
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
    folder: nullable,
    place: nullable,
    adds: { type: 'simple-json', nullable: true },
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
  const { adapter, endpoint, channel, user, subagent } = origin
  return {
    adapter: adapter ?? null,
    endpointId: endpoint ?? null,
    channel: channel ? `${channel.type}:${channel.id}` : null,
    userId: user ?? null,
    subagent: subagent === true,
  }
}

/**
 * A request as the console sees it: characters that may deceive are named in all of it but the command itself. Paths in
 * the folder of the host, `root`, are relative to it.
 */
export function approvalView(approval: Approval, root?: string): ExecApproval {
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
    folder = null,
    adds = null,
  } = approval
  const shown = marked(command)
  return {
    id,
    kind,
    title: marked(title || firstLine(command)),
    command,
    reason: marked(reason),
    status,
    createdAt,
    expiresAt,
    ...(adapter === null ? {} : { adapter }),
    ...(endpointId === null ? {} : { endpointId }),
    ...(userId === null ? {} : { requestedBy: marked(userId) }),
    ...(channel === null ? {} : { channel: marked(channel) }),
    ...(suggestion === null ? {} : { suggestion: markedPattern(suggestion) }),
    ...(shown === command ? {} : { shown }),
    ...(folder === null ? {} : { folder: marked(shownFolder(folder, root)) }),
    ...(adds === null ? {} : { adds: adds.map(marked) }),
    ...(parts === null
      ? {}
      : { parts: parts.map((part) => ({ ...part, text: marked(part.text), reason: marked(part.reason) })) }),
    ...(answeredBy === null ? {} : { answeredBy }),
  }
}

/** Returns a folder as its owner knows it. */
export function shownFolder(folder: string, root: string | undefined): string {
  return root !== undefined && isWithin(folder, root) ? relative(root, folder) || '.' : folder
}

const TITLE = 120

/** A text on one line, no longer than a title. Characters that may deceive stay, so that they can be named. */
export function firstLine(text: string): string {
  const line = text.replaceAll(/[\t-\r ]+/g, ' ').replaceAll(/^ | $/g, '')
  return line.length > TITLE ? `${line.slice(0, TITLE).replace(/[\ud800-\udbff]$/, '')}…` : line
}

/** Enough of the origin to decide again and to write about it. */
export function originOf({ adapter, endpointId, channel, userId, subagent }: Approval): ExecOrigin {
  const [type, ...id] = channel?.split(':') ?? []
  return {
    adapter: adapter ?? undefined,
    endpoint: endpointId ?? undefined,
    user: userId ?? undefined,
    subagent,
    ...(type === undefined ? {} : { channel: { type: type as 'private' | 'group' | 'channel', id: id.join(':') } }),
  }
}
