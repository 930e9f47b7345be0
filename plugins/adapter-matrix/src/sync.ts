import { isRecord } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { pause } from '@mynah/kernel/util'
import type { EndpointHandle } from '@mynah/plugin-chat/api'
import { MatrixError, path, type MatrixClient } from './client.js'
import { retryAfterOf } from './errors.js'
import { isRoomId } from './events.js'
import { NoAnswerError } from './http.js'
import type { Timeline } from './timeline.js'

/** Time after which the homeserver answers without events, ms. */
const LONG_POLL_MS = 30_000
/** The usual {@link SyncOptions.silenceMs}. */
export const SILENCE_MS = LONG_POLL_MS + 20_000
/** Longest delay that the homeserver may ask for while the endpoint is online, ms. */
const PATIENCE_MS = 5_000
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000
const IDLE_BELOW_MS = 1_000
/** Events of a room in one answer. The others are asked for. */
const PAGE = 100
const MAX_PAGES = 200

const filterOf = (limit: number): string =>
  JSON.stringify({
    presence: { types: [] },
    account_data: { types: ['m.direct'] },
    room: { account_data: { types: [] }, ephemeral: { types: [] }, state: { types: [] }, timeline: { limit } },
  })

type Json = Record<string, unknown>
const recordAt = (value: unknown, name: string): Json =>
  isRecord(value) && isRecord(value[name]) ? (value[name] as Json) : {}
const listAt = (value: unknown, name: string): unknown[] => {
  const list = isRecord(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}

export interface SyncOptions {
  readonly endpoint: Pick<EndpointHandle, 'clock' | 'log' | 'cursor'>
  readonly timeline: Timeline
  readonly client: MatrixClient
  readonly me: string
  /** The homeserver has nothing of before: what is known of the rooms may be old. */
  readonly restarted: () => void
  readonly invited: (room: string, state: readonly unknown[]) => Promise<void>
  readonly left: (room: string, events: readonly unknown[]) => Promise<void>
  readonly direct: (content: unknown) => void
  /** Time for the whole answer, after which the connection is lost, ms. */
  readonly silenceMs: number
}

/** Asks for events, one request at a time. Its position moves once the events are accepted. */
export class Sync {
  readonly #options: SyncOptions
  #since: string | undefined
  #emptyAnswers = 0

  constructor(options: SyncOptions) {
    this.#options = options
  }

  /** Asks for what was missed since the stored position, or for a first position. */
  async open(): Promise<Json> {
    const { endpoint, restarted } = this.#options
    this.#since = await endpoint.cursor.get('since')
    try {
      return await this.#ask(0)
    } catch (error) {
      if (this.#since === undefined || !(error instanceof MatrixError) || error.status !== 400) throw error
      endpoint.log.warn(`the homeserver does not know the last position, what was said since is lost: ${error.message}`)
      this.#since = undefined
      restarted()
      return this.#ask(0)
    }
  }

  /** Takes the answer of {@link Sync.open} and asks until the client closes. Rejects when the connection is lost. */
  async run(first: Json): Promise<void> {
    const { client } = this.#options
    let answer: Json | undefined = first
    while (!client.signal.aborted) {
      if (answer) await this.#take(answer, answer === first)
      answer = await this.#poll()
    }
  }

  #ask(timeout: number): Promise<Json> {
    const since = this.#since
    return this.#options.client.get('/sync', {
      query: {
        timeout: String(timeout),
        // Without a position nothing is handled, so that one event a room is enough.
        filter: filterOf(since === undefined ? 1 : PAGE),
        ...(since === undefined ? {} : { since }),
      },
      ...(timeout > 0 ? { timeoutMs: this.#options.silenceMs } : {}),
    })
  }

  async #poll(): Promise<Json | undefined> {
    const { clock } = this.#options.endpoint
    const { signal } = this.#options.client
    const began = clock.now()
    try {
      const answer = await this.#ask(LONG_POLL_MS)
      if (answer['next_batch'] !== this.#since || clock.now() - began >= IDLE_BELOW_MS) this.#emptyAnswers = 0
      else await pause(Math.min(RETRY_FIRST_MS * 2 ** this.#emptyAnswers++, RETRY_MAX_MS), clock, signal)
      return answer
    } catch (error) {
      if (signal.aborted) return undefined
      const asked = retryAfterOf(error)
      if (asked === undefined || asked > PATIENCE_MS) throw error
      await pause(asked, clock, signal)
      return undefined
    }
  }

  async #take(answer: Json, late: boolean): Promise<void> {
    const { endpoint, timeline, client } = this.#options
    const next = answer['next_batch']
    if (typeof next !== 'string' || next === '' || next.length > 4_000)
      throw new Error('The homeserver answers /sync without a position: check `homeserver`')
    await this.#takeAccount(answer)
    const events = this.#since === undefined ? [] : await this.#eventsIn(answer['rooms'])
    const cursor = { since: next }
    let isWritten = this.#since === next
    for (const [index, { room, event }] of events.entries()) {
      const isLast = index === events.length - 1
      await this.#accept(async () => {
        isWritten = await timeline.deliver(room, event, { late, cursor: isLast ? cursor : undefined })
      })
    }
    if (client.signal.aborted) return
    if (!isWritten) await this.#accept(() => endpoint.cursor.set(cursor))
    if (!client.signal.aborted) this.#since = next
  }

  /** Takes what concerns the account: private rooms, invitations, and rooms that it has left. */
  async #takeAccount(answer: Json): Promise<void> {
    const { invited, left, direct } = this.#options
    for (const event of listAt(answer['account_data'], 'events'))
      if (isRecord(event) && event['type'] === 'm.direct') direct(event['content'])
    const rooms = answer['rooms']
    for (const [room, state] of Object.entries(recordAt(rooms, 'invite')))
      if (isRoomId(room)) await this.#accept(() => invited(room, listAt(recordAt(state, 'invite_state'), 'events')))
    for (const [room, state] of Object.entries(recordAt(rooms, 'leave')))
      if (isRoomId(room)) await this.#accept(() => left(room, listAt(recordAt(state, 'timeline'), 'events')))
  }

  /** Returns the events of rooms in their order, after those that were left out were taken. */
  async #eventsIn(rooms: unknown): Promise<{ readonly room: string; readonly event: unknown }[]> {
    const found: { room: string; event: unknown }[] = []
    for (const [room, joined] of Object.entries(recordAt(rooms, 'join'))) {
      if (!isRoomId(room)) continue
      const timeline = recordAt(joined, 'timeline')
      const events = listAt(timeline, 'events')
      const since = this.#joinIn(events)
      if (timeline['limited'] === true && since === 0) await this.#takeMissed(room, timeline['prev_batch'])
      for (const event of events.slice(since)) found.push({ room, event })
    }
    return found
  }

  /** Returns the index of the first event after the bot joined, 0 where it was in the room before. */
  #joinIn(events: readonly unknown[]): number {
    const { me } = this.#options
    return (
      events.findLastIndex(
        (event) =>
          isRecord(event) &&
          event['type'] === 'm.room.member' &&
          event['state_key'] === me &&
          recordAt(event, 'content')['membership'] === 'join' &&
          recordAt(event['unsigned'], 'prev_content')['membership'] !== 'join',
      ) + 1
    )
  }

  /** Takes the events between the last position and an answer that has only the newest. */
  async #takeMissed(room: string, to: unknown): Promise<void> {
    const { client, endpoint, timeline } = this.#options
    let from = this.#since ?? ''
    for (let page = 0; page < MAX_PAGES && !client.signal.aborted; page++) {
      const query = { dir: 'f', from, limit: String(PAGE), ...(typeof to === 'string' ? { to } : {}) }
      const { chunk, end } = await client.get(path`/rooms/${room}/messages`, { query })
      const events = Array.isArray(chunk) ? chunk : []
      for (const event of events.slice(this.#joinIn(events)))
        await this.#accept(async () => void (await timeline.deliver(room, event, { late: true })))
      if (typeof end !== 'string' || end === '' || end === from || events.length === 0) return
      from = end
    }
    endpoint.log.warn(`more than ${MAX_PAGES * PAGE} messages of ${room} were missed, the later ones are left out`)
  }

  /** Repeats until chat accepts it, or the connection ends. Failures of the homeserver end the connection. */
  async #accept(work: () => Promise<void>): Promise<void> {
    const { client, endpoint } = this.#options
    for (let tries = 0; !client.signal.aborted; tries++) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof MatrixError || error instanceof NoAnswerError) throw error
        if (tries === 0) endpoint.log.warn(`failed to accept an event, trying again: ${messageOf(error)}`)
        await pause(Math.min(RETRY_FIRST_MS * 2 ** tries, RETRY_MAX_MS), endpoint.clock, client.signal)
      }
    }
  }
}
