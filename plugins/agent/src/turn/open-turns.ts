import { messageOf } from '@mynah/kernel'
import type { Message } from '@mynah/plugin-chat/api'
import { JOB_SESSION, TASK_SESSION } from '../job-session.js'
import type { AgentRuntime } from '../runtime.js'
import { TurnLost } from '../session/turn-lost.js'
import { isClosed, type Turn } from '../session/types.js'
import { textsFor } from '../texts.js'
import { LiveTurn } from './live-turn.js'
import type { RecoveredTurns } from './recovered-turns.js'
import { OpenWaits } from './open-waits.js'
import { takeOffLeft } from './question-buttons.js'
import { leftTo, placeOf } from './turn-place.js'
import { TurnEntries } from './turn-entries.js'
import { isAnswer } from './turn-reply.js'

/** How many times a turn is started at most, restarts of the host included. */
const MAX_ATTEMPTS = 2
/** Turns that are read at once. */
const PAGE = 1_000
const INTERRUPTED = 'the host stopped while it ran'

/** Finds the inbound message of a row, `undefined` where it is gone. */
export type FindMessage = (row: string) => Promise<Message | undefined>

/**
 * Continues or ends the open turns that no work is in progress on: a stop or a failure of the store left them. In a
 * cluster these are the ones of its places whose process works no more.
 */
export class OpenTurns {
  readonly #runtime: AgentRuntime
  readonly #run: (turn: Turn, message: Message | undefined, onlyWaited: boolean) => void
  /** Whether work on a turn is in progress. */
  readonly #isBusy: (id: string) => boolean
  readonly #closing = new AbortController()
  #isClosed = false
  /** The turn that is being ended. */
  #ending: LiveTurn | undefined

  /** @param run continues a turn */
  constructor(
    runtime: AgentRuntime,
    run: (turn: Turn, message: Message | undefined, onlyWaited: boolean) => void,
    isBusy: (id: string) => boolean,
  ) {
    this.#runtime = runtime
    this.#run = run
    this.#isBusy = isBusy
  }

  /** Decides about no further turn: the host stops. */
  close(): void {
    this.#isClosed = true
    this.#closing.abort()
    this.#ending?.abort('suspended', 'the host stops')
  }

  /**
   * Continues open turns, or ends them as interrupted, and tells how many.
   *
   * @throws where turns were left alone because the store or the chat failed: they wait for another call
   */
  async recover(messageOfRow: FindMessage): Promise<void> {
    const counts = { continued: 0, delivered: 0, interrupted: 0 }
    const failures: unknown[] = []
    try {
      for await (const turn of this.#all()) {
        try {
          const decided = await this.#decide(turn, messageOfRow)
          counts[decided]++
          // A question that waits for its answer keeps its buttons. The call that asks takes them off.
          void takeOffLeft(this.#runtime, turn, decided !== 'continued', this.#closing.signal)
        } catch (error) {
          if (!(error instanceof TurnLost)) failures.push(error)
        }
      }
    } finally {
      if (counts.continued + counts.delivered + counts.interrupted > 0) this.#runtime.events.emit('recovered', counts)
    }
    if (failures.length > 0) throw new Error(`${failures.length} turns wait: ${messageOf(failures[0])}`)
  }

  /** The open turns that no work is in progress on, the oldest first. */
  async *#all(): AsyncGenerator<Turn> {
    for (let after = ''; ;) {
      const page = await this.#runtime.store.openTurns({ after, limit: PAGE })
      for (const turn of await leftTo(this.#runtime.cluster, page, placeOf)) {
        if (this.#isClosed) return
        if (this.#isBusy(turn.id)) continue
        // The work may have ended since the page was read.
        const now = await this.#runtime.store.turn(turn.id)
        if (now?.endedAt === null && !this.#isBusy(now.id)) yield now
      }
      const last = page.at(-1)
      if (page.length < PAGE || !last) return
      after = last.id
    }
  }

  async #decide(turn: Turn, messageOfRow: FindMessage): Promise<keyof RecoveredTurns> {
    const message = turn.row === null ? undefined : await messageOfRow(turn.row)
    if (isClosed(turn)) {
      this.#run(turn, message, false)
      return 'delivered'
    }
    // A plugin repeats its request itself, by its key. The scheduler does so for jobs.
    const isJob = turn.sessionKey.startsWith(JOB_SESSION)
    const hasNoOwner = turn.row === null ? turn.askKey === null || isJob : message === undefined
    const onlyWaited = !hasNoOwner && (await this.#hasOnlyWaited(turn))
    if (hasNoOwner || (turn.attempts >= MAX_ATTEMPTS && !onlyWaited)) {
      await this.#interrupt(turn, message)
      return 'interrupted'
    }
    this.#run(turn, message, onlyWaited)
    return 'continued'
  }

  /** Whether each call of the turn that has no result yet waits, or has been answered. No other work was begun then. */
  async #hasOnlyWaited({ session, entrySeqs, waiting }: Turn): Promise<boolean> {
    if (waiting === null) return false
    const waits = new OpenWaits(waiting)
    const open = new Set<string>()
    for (const entry of await this.#runtime.store.entries(session, entrySeqs)) {
      if (entry.kind !== 'message') continue
      for (const part of entry.content) {
        if (part.type === 'tool-call') open.add(part.id)
        else if (part.type === 'tool-result') open.delete(part.id)
      }
    }
    return open.size > 0 && Array.from(open).every((call) => waits.get(call) !== undefined)
  }

  /** Returns the key of the notice: where an answer grows in chat, the notice takes its place. */
  async #noticeKey({ id, session, entrySeqs }: Turn): Promise<string> {
    const { config, store } = this.#runtime
    if (config['ai.agent'].stream !== 'draft') return `turn/${id}/interrupted`
    return `turn/${id}/${(await store.entries(session, entrySeqs)).filter(isAnswer).length}`
  }

  /**
   * Sends a notice under a key, and only then ends the turn: a stop in between repeats the notice, which is sent once.
   */
  async #interrupt(turn: Turn, message: Message | undefined): Promise<void> {
    const { chat, clock, log, events } = this.#runtime
    const live = new LiveTurn(turn, message, undefined)
    this.#ending = live
    const entries = new TurnEntries(this.#runtime, live)
    await entries.claim({})
    if (message) {
      const { adapter, endpoint, channel, locale } = message
      await chat
        ?.send(adapter, endpoint, channel, textsFor(locale).interrupted, {
          key: await this.#noticeKey(turn),
          answers: message,
        })
        .catch((failure: unknown) =>
          log.warn(`failed to send the notice of an interrupted turn: ${messageOf(failure)}`),
        )
    }
    // A task waits on for what its sub-agent has asked, or withdraws it.
    if (!turn.sessionKey.startsWith(TASK_SESSION)) await this.#runtime.withdrawApprovals(live.waits.approvals)
    const ending = { state: 'interrupted', stage: 'ended', error: INTERRUPTED } as const
    await entries.close({ ...ending, endedAt: clock.now() })
    events.emit('turnEnded', live.journal)
    if (message) events.emit('sent', live, '', INTERRUPTED)
    message?.done()
  }
}
