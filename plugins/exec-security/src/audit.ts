import { createHash } from 'node:crypto'
import { messageOf, type Clock, type HostControl, type Logger } from '@mynah/kernel'
import { entity, newId, type Database } from '@mynah/database-api'
import type { AuditEntry, Destination, ExecDecision, ExecOrigin, RunResult } from './api.js'
import type { OutsidePath } from './policy/types.js'
import { originColumns, PACKAGE } from './approvals/approval.js'
import { redactCommand } from './redact-command.js'

const REMEMBERED = 1000
const MAX_PATH = 4096
/** The kinds of lines about what commands reach. */
const KEPT_FROM = ['net', 'path'] as const
const MAX_PROGRAMS = 200
/** Characters of a command that are kept, as many as may be approved. */
const MAX_TEXT = 16 * 1024
const nullable = { type: 'text', nullable: true } as const

/** The audit as a table, which the console may read and not write. */
export const AuditLog = entity<AuditEntry>({
  package: PACKAGE,
  name: 'exec_audit',
  columns: {
    id: { type: 'text', primary: true },
    at: { type: 'bigint' },
    kind: { type: 'text' },
    adapter: nullable,
    endpointId: nullable,
    channel: nullable,
    userId: nullable,
    subagent: { type: 'boolean' },
    verdict: { type: 'text' },
    rule: { type: 'text' },
    programs: { type: 'text' },
    text: nullable,
    digest: { type: 'text' },
    approvalId: nullable,
    exitCode: { type: 'integer', nullable: true },
    signal: nullable,
    timedOut: { type: 'boolean' },
    durationMs: { type: 'integer', nullable: true },
    level: nullable,
    host: nullable,
    port: { type: 'integer', nullable: true },
    address: nullable,
    bytes: { type: 'bigint', nullable: true },
    path: nullable,
    writes: { type: 'boolean', nullable: true },
  },
  indices: [{ columns: ['at'] }, { columns: ['kind', 'at'] }],
})

/** The event that a line records. */
export interface AuditEvent {
  readonly kind: AuditEntry['kind']
  readonly command: string
  readonly origin: ExecOrigin
  readonly verdict: AuditEntry['verdict']
  readonly rule: string
  readonly decision?: ExecDecision
  readonly approvalId?: string | undefined
  readonly result?: RunResult
  /** The host that a command has reached, or was kept from. */
  readonly destination?: Destination
  /** The path that the view of a command does not have. */
  readonly outside?: OutsidePath
}

/** The parts of the plugin that the audit uses. */
interface Surroundings {
  readonly database: { readonly current: Database | undefined }
  readonly host: Pick<HostControl, 'redact'>
  readonly clock: Clock
  readonly log: Logger
}

/** Keeps one line for each decision, execution and answer, with the text of the command and without its output. */
export class Audit {
  readonly #of: Surroundings
  /** The last lines, which outlive a restart of the plugin. */
  readonly #recent: AuditEntry[]

  constructor(surroundings: Surroundings, recent: AuditEntry[]) {
    this.#of = surroundings
    this.#recent = recent
  }

  /** Adds a line. The log has it as well, so an unavailable database does not block the command. */
  async add(event: AuditEvent): Promise<void> {
    const { log, host, clock, database } = this.#of
    const entry = entryOf(event, redactCommand(host.redact(event.command)).slice(0, MAX_TEXT), clock.now())
    this.#recent.push(entry)
    if (this.#recent.length > REMEMBERED) this.#recent.shift()
    // The log is read by more people than the audit.
    const { id: _id, at: _at, kind, text: _text, ...fields } = entry
    log.info(
      `${kind}: ${entry.programs || 'a command'}: ${entry.verdict} by ${entry.rule}`,
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
    )
    try {
      await database.current?.append(AuditLog, [entry])
    } catch (error) {
      log.warn(`failed to store the audit line above: ${messageOf(error)}`)
    }
  }

  /** The last lines, newest first. */
  async list(limit: number): Promise<readonly AuditEntry[]> {
    const database = this.#of.database.current
    if (!database) return this.#recent.slice(-limit).reverse()
    return database.read((db) => db.find(AuditLog, { order: { at: 'desc', id: 'desc' }, limit }))
  }

  /** The last lines about hosts and paths that commands were kept from, newest first. */
  async refusals(limit: number): Promise<readonly AuditEntry[]> {
    const database = this.#of.database.current
    if (!database) return this.#recent.filter(isRefusal).slice(-limit).reverse()
    return database.read((db) =>
      db.find(AuditLog, {
        where: { kind: { $in: KEPT_FROM }, verdict: { $ne: 'allow' } },
        order: { at: 'desc', id: 'desc' },
        limit,
      }),
    )
  }

  async prune(before: number): Promise<void> {
    await this.#of.database.current?.tx((db) => db.delete(AuditLog, { at: { $lt: before } }))
  }
}

const isRefusal = ({ kind, verdict }: AuditEntry): boolean =>
  verdict !== 'allow' && KEPT_FROM.some((one) => one === kind)

function entryOf(
  { kind, command, origin, verdict, rule, decision, approvalId, result, destination, outside }: AuditEvent,
  text: string,
  at: number,
): AuditEntry {
  return {
    id: newId(),
    at,
    kind,
    ...originColumns(origin),
    verdict,
    rule,
    programs: decision ? programsOf(decision) : '',
    text,
    digest: createHash('sha256').update(command).digest('hex'),
    approvalId: approvalId ?? null,
    exitCode: result?.exitCode ?? null,
    signal: result?.signal ?? null,
    timedOut: result?.timedOut ?? false,
    durationMs: result?.durationMs ?? null,
    level: result?.level ?? null,
    ...networkColumns(destination),
    ...pathColumns(outside),
  }
}

const pathColumns = (found?: OutsidePath): Pick<AuditEntry, 'path' | 'writes'> => ({
  path: found?.path.slice(0, MAX_PATH) ?? null,
  writes: found?.write ?? null,
})

const networkColumns = (found?: Destination): Pick<AuditEntry, 'host' | 'port' | 'address' | 'bytes'> => ({
  host: found?.host ?? null,
  port: found?.port ?? null,
  address: found?.address ?? null,
  bytes: found ? found.sent + found.received : null,
})

/** First words of the parts, where they look like names of programs: an assignment may carry a secret. */
function programsOf({ parts }: ExecDecision): string {
  const words = parts.map(({ text }) => text.split(' ', 1)[0] ?? '').filter((word) => /^[\w.+/-]{1,32}$/.test(word))
  return [...new Set(words)].join(', ').slice(0, MAX_PROGRAMS)
}

/** The rules that decided: those of the parts whose verdict holds. */
export function ruleOf({ verdict, parts }: ExecDecision): string {
  return [...new Set(parts.filter((part) => part.verdict === verdict).map(({ rule }) => rule))]
    .join(', ')
    .slice(0, MAX_PROGRAMS)
}
