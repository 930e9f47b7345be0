import {
  DRAFT_AGE_MS,
  RECOVERY_AGE_MS,
  STOPPED_SENDING,
  canBeSettled,
  type EndpointKey,
  type InboundRecord,
  type InboundRecoveryPolicy,
  type OutboundRecord,
  type RecoveredSends,
  type SendOutcome,
} from '@mynah/plugin-chat/api'
import { step, type Database, type Step } from '@mynah/plugin-database/api'
import type { Publication } from '@mynah/plugin-events/api'
import { FROM, openRows, rowsOf, type OpenState } from './open-rows.js'
import { fromOutbound, toInbound, toOutbound } from './rows.js'
import type { RowsInProgress } from './rows-in-progress.js'
import { Messages, type StoredMessage } from './tables.js'

/** Most steps in one commit of a recovery. */
const WRITE_BATCH = 500

const STOPPED_HANDLING = 'the host stopped before this message was handled'
const STOPPED_WRITING = 'the host stopped before this message was complete'
const TOO_OLD =
  `it could not be sent within ${RECOVERY_AGE_MS / 60_000} minutes: ` + 'the host or its endpoint was unavailable'

type Ending = RecoveredSends['ended'][number]

/** Returns how an outbound row ends that a stop left behind; `undefined` where it can still be sent. */
function outcomeOf(
  row: StoredMessage,
  now: number,
  settlesForMs: number,
): { readonly state: 'failed' | 'unknown'; readonly error: string } | undefined {
  const { state, timestamp, not_before, message_id, sending_since, sent_parts } = row
  const since = sending_since ?? undefined
  const isUnclear = !message_id && (state === 'sending' || (state === 'intent' && since !== undefined))
  if (isUnclear && since !== undefined && canBeSettled(since, settlesForMs, now)) return undefined
  if (isUnclear) return { state: 'unknown', error: STOPPED_SENDING }
  switch (state) {
    case 'sending':
      return undefined
    case 'draft':
      return timestamp <= now - DRAFT_AGE_MS ? { state: 'failed', error: STOPPED_WRITING } : undefined
    default:
      return Math.max(timestamp, not_before ?? 0) <= now - RECOVERY_AGE_MS
        ? { state: sent_parts ? 'unknown' : 'failed', error: TOO_OLD }
        : undefined
  }
}

/** Decides about the open rows that no work is in progress on. */
export class LeftBehind {
  readonly #database: Database
  readonly #now: () => number
  readonly #inProgress: RowsInProgress

  constructor(database: Database, now: () => number, inProgress: RowsInProgress) {
    this.#database = database
    this.#now = now
    this.#inProgress = inProgress
  }

  /**
   * Returns the open rows that no work is in progress on. A row on which work was in progress
   * meanwhile is read again when that work has left it.
   */
  async #rows(key: EndpointKey, states: readonly OpenState[]): Promise<StoredMessage[]> {
    const left: StoredMessage[] = []
    let reading = this.#inProgress.during(() => this.#database.read((db) => openRows(db, key, states)))
    for (;;) {
      const { result, seen } = await reading
      left.push(...result.filter(({ id }) => !seen.has(id)))
      const released = result.filter(({ id }) => seen.has(id) && !this.#inProgress.has(id))
      if (released.length === 0) return left.sort((one, other) => (one.id < other.id ? -1 : 1))
      reading = this.#inProgress.during(() =>
        this.#database.read((db) => rowsOf(db, released, { state: { $in: states } })),
      )
    }
  }

  /** As {@link MessageStore.recoverInbound}. */
  async recoverInbound(key: EndpointKey, policy: InboundRecoveryPolicy): Promise<readonly InboundRecord[]> {
    const oldest = this.#now() - RECOVERY_AGE_MS
    const left = (await this.#rows(key, ['received', 'handling'])).filter(
      ({ state, timestamp }) => state === 'handling' || timestamp <= oldest,
    )
    const interrupted: InboundRecord[] = []
    const steps: Step[] = []
    for (const row of left) {
      const { id, state, timestamp } = row as StoredMessage & { readonly state: 'received' | 'handling' }
      const record = toInbound(row)
      if (state === 'handling' && timestamp > oldest && policy.mayRepeat(record)) {
        steps.push(step.change(Messages, [{ id, state: 'received' }], undefined, FROM.handling))
        continue
      }
      const { event, notice } = policy.notesOf(record, STOPPED_HANDLING)
      const ended = { id, state: 'interrupted', error: STOPPED_HANDLING } as const
      steps.push(step.change(Messages, [ended], [event], FROM[state]))
      if (notice) steps.push(step.appendNew(Messages, [fromOutbound(notice, 'intent')]))
      interrupted.push(record)
    }
    await this.#writeInBatches(steps)
    return interrupted
  }

  /** As {@link MessageStore.recoverOutbound}. */
  async recoverOutbound(
    key: EndpointKey,
    eventOf: (message: OutboundRecord, outcome: SendOutcome) => Publication | undefined,
    settlesForMs = 0,
  ): Promise<RecoveredSends> {
    const now = this.#now()
    const intents: OutboundRecord[] = []
    const endings: Ending[] = []
    const ends: Step[] = []
    const returns: Step[] = []
    let nextAt = Infinity
    for (const row of await this.#rows(key, ['draft', 'intent', 'sending'])) {
      const { id, state } = row
      const record = toOutbound(row)
      const outcome = outcomeOf(row, now, settlesForMs)
      if (outcome) {
        endings.push({ record, state: outcome.state })
        ends.push(step.change(Messages, [{ id, ...outcome }], [eventOf(record, outcome)], { state }))
      } else if (state === 'sending') {
        returns.push(step.change(Messages, [{ id, state: 'intent' }], undefined, FROM.sending))
        intents.push(record)
      } else if (state === 'intent') {
        if ((record.notBefore ?? 0) > now) nextAt = Math.min(nextAt, record.notBefore ?? 0)
        else intents.push(record)
      }
    }
    const written = await this.#writeInBatches([...ends, ...returns])
    const ended = endings.filter((_, index) => written[index]?.[0])
    for (const { id } of intents) this.#inProgress.add(id)
    return { intents, ended, ...(nextAt === Infinity ? {} : { nextAt }) }
  }

  async #writeInBatches(steps: readonly Step[]): Promise<readonly (readonly boolean[])[]> {
    const written: (readonly boolean[])[] = []
    for (let start = 0; start < steps.length; start += WRITE_BATCH)
      written.push(...(await this.#database.write(steps.slice(start, start + WRITE_BATCH))))
    return written
  }
}
