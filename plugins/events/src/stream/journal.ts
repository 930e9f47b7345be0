// Gives events their ids: at once in memory, or by listening to an event log, which also hears of what others commit.
import { randomBytes } from 'node:crypto'
import type { EventLog, LoggedEvent } from '../api.js'
import { numbered, parsePosition, type Draft, type NumberedFrame, type Position } from './frame.js'
import { LogEar } from './log-ear.js'
import { FrameRing } from './ring.js'

/** Events held in memory. */
export const RING_SIZE = 1_000
/** Events that may wait for the log before it counts as gone. */
const MAX_PENDING = 10_000
const APPEND_LIMIT = 500
const PAGE_LIMIT = 500

interface Held extends NumberedFrame {
  readonly draft: Draft
  /** Whether no log has it. */
  missing: boolean
}

export interface JournalListener {
  /** An event has its id. */
  committed(frame: NumberedFrame, draft: Draft): void
  /** Ids begin at `head`; with `anew`, ids given before mean nothing any more. */
  begun(head: number, anew: boolean): void
  /** The log failed; the journal goes on in memory. */
  failed(error: unknown): void
  /** Whether clients of demo scope see an event. */
  demo(draft: Draft): boolean
}

export class Journal {
  readonly #listener: JournalListener
  readonly #ring = new FrameRing<Held>(RING_SIZE)
  #log: EventLog | undefined
  /** Hears the log, also while memory serves in its place. */
  readonly #ear = new LogEar((events) => this.#told(events))
  #epoch: string | undefined
  #head = 0
  /** Below this, the log of this epoch misses events that happened while it was away. */
  #floor: Position = { epoch: '', id: 0 }
  /** Epoch of the memory while it serves. */
  #memory: string | undefined
  /** Events that no log has received, because it was away; the newest of them are in the ring. */
  #missing = 0
  #pending: Draft[] = []
  #inFlight: Draft[] = []
  /** The log was asked for something that changes it: only its answer says which events it holds. */
  #busy = false
  /** A change of the log that waits for that answer. */
  #next: (() => void) | undefined
  /** Grows with each change of the log: what was asked of an earlier one no longer counts. */
  #generation = 0
  #started = false
  #closed = false
  #leaving = false
  /** Events were lost to the log: see {@link #floor}. */
  #gap = false
  #waiting: (() => void)[] = []

  constructor(listener: JournalListener) {
    this.#listener = listener
  }

  /** Names the ids given now; `undefined` while a log is being opened. */
  get epoch(): string | undefined {
    return this.#epoch
  }

  /** The newest id. */
  get head(): number {
    return this.#head
  }

  publish(draft: Draft): void {
    if (this.#closed) return
    this.#pending.push(draft)
    if (this.#pending.length > MAX_PENDING) this.#giveUp(new Error(`${MAX_PENDING} events wait for the event log`))
    this.#pump()
  }

  /** Resolves when ids are given. */
  async ready(): Promise<void> {
    if (this.#epoch === undefined && !this.#closed) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Goes on in memory, under a new epoch unless it is in memory already: there is no log any more. */
  useMemory(): void {
    this.#change(() => {
      this.#ear.close()
      this.#toMemory()
    })
  }

  /** Goes on in `log` and calls `opened`; what memory took meanwhile is appended to it first. */
  useLog(log: EventLog, opened: () => void): void {
    this.#change(() => void this.#toLog(log, opened))
  }

  /** The log goes with the whole host: it is used as long as it answers, and nothing else after it. */
  leave(): void {
    this.#leaving = true
    if (!this.#log) this.#end()
  }

  /** Waits no longer for the answer of a log. */
  abandon(): void {
    if (this.#busy) this.#giveUp(new Error('the event log does not answer'))
  }

  /** Stops giving ids: what is published from now on belongs to no log. Resolves when the log has what was published before. */
  async close(): Promise<void> {
    const log = this.#log
    const left = this.#pending
    this.#end()
    if (log && left.length) await log.append(left)
  }

  #end(): void {
    this.#closed = true
    this.#generation++
    this.#ear.close()
    this.#log = undefined
    this.#epoch = undefined
    this.#next = undefined
    this.#busy = false
    this.#pending = []
    this.#inFlight = []
    this.#release()
  }

  /** The id that a client names, when all events after it are still held. */
  async resolve(text: string): Promise<number | undefined> {
    const position = parsePosition(text)
    if (!position) return undefined
    const { epoch, id } = position
    const current = (): boolean =>
      epoch === this.#epoch && id <= this.#head && (epoch !== this.#floor.epoch || id >= this.#floor.id)
    if (!current()) return undefined
    if (this.#ring.covers(id)) return id
    if (!this.#log) return undefined
    const { before } = await this.#log.bounds()
    return current() && id >= before ? id : undefined
  }

  /** Frames after `id` up to `until`, oldest first; empty when they are not held. */
  async after(id: number, until: number, bytes: number): Promise<readonly NumberedFrame[]> {
    if (this.#ring.covers(id)) return this.#ring.after(id, until, bytes)
    const epoch = this.#epoch
    if (!this.#log || epoch === undefined) return []
    const events = await this.#log.after(id, PAGE_LIMIT)
    return events
      .filter((event) => event.id <= until)
      .map((event) => numbered(epoch, event.id, event, this.#listener.demo(event)))
  }

  #change(change: () => void): void {
    if (this.#busy) this.#next = change
    else change()
  }

  #toMemory(): void {
    this.#generation++
    this.#log = undefined
    const early = this.#ear.open()
    if (this.#memory === undefined) {
      this.#memory = randomBytes(6).toString('hex')
      this.#begin(this.#memory, 0)
    } else {
      this.#epoch = this.#memory
      this.#release()
      this.#pump()
    }
    this.#told(early)
  }

  async #toLog(log: EventLog, opened: () => void): Promise<void> {
    const generation = ++this.#generation
    const held = this.#ring.all().filter(({ missing }) => missing)
    if (this.#missing > held.length) this.#gap = true
    this.#ear.close()
    this.#log = undefined
    this.#epoch = undefined
    this.#busy = true
    try {
      const { epoch } = log
      if (held.length) await log.append(held.map(({ draft }) => draft))
      this.#missing = 0
      for (const frame of held) frame.missing = false
      if (generation !== this.#generation) return
      this.#ear.listen(log)
      const { head } = await log.bounds()
      if (generation !== this.#generation) return
      if (this.#settle()) return
      const early = this.#ear.open()
      this.#log = log
      this.#memory = undefined
      if (this.#gap) this.#floor = { epoch, id: head }
      this.#gap = false
      this.#begin(epoch, early[0] ? early[0].id - 1 : head)
      this.#told(early)
      opened()
    } catch (error) {
      if (generation === this.#generation) this.#fail(error)
    }
  }

  /** Takes committed events: under their own ids, or under those of memory while it serves. */
  #told(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      if (!this.#log) {
        this.#commit(this.#head + 1, event, false)
        continue
      }
      // A commit whose answer was lost is in the log and was never told: who follows has to start anew.
      if (event.id !== this.#head + 1) this.#begin(this.#epoch as string, event.id - 1)
      this.#commit(event.id, event, false)
    }
  }

  #begin(epoch: string, head: number): void {
    this.#epoch = epoch
    this.#head = head
    this.#ring.clear(head)
    this.#listener.begun(head, this.#started)
    this.#started = true
    this.#release()
    this.#pump()
  }

  #release(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  /** The log has answered or was given up: the change that waited is made, else `otherwise`; whether there was one. */
  #settle(otherwise?: () => void): boolean {
    this.#busy = false
    this.#pending = [...this.#inFlight, ...this.#pending]
    this.#inFlight = []
    const next = this.#next ?? otherwise
    this.#next = undefined
    next?.()
    return next !== undefined
  }

  /** A log that was to be left anyway needs no report. */
  #fail(error: unknown): void {
    if (this.#leaving) {
      this.#end()
      this.#listener.failed(error)
      return
    }
    const leaving = this.#next !== undefined
    this.#generation++
    this.#settle(() => this.#toMemory())
    if (!leaving) this.#listener.failed(error)
  }

  /** Nobody knows whether what the log was asked for will be done: it is not listened to, or memory would repeat it. */
  #giveUp(error: Error): void {
    this.#ear.close()
    this.#fail(error)
  }

  #pump(): void {
    if (this.#epoch === undefined || this.#busy || this.#pending.length === 0) return
    if (this.#log) {
      void this.#append(this.#log, this.#generation)
      return
    }
    const drafts = this.#pending
    this.#pending = []
    this.#missing += drafts.length
    for (const draft of drafts) this.#commit(this.#head + 1, draft, true)
  }

  /** The answer comes after the log has told what it committed. */
  async #append(log: EventLog, generation: number): Promise<void> {
    this.#busy = true
    while (this.#pending.length && !this.#next) {
      this.#inFlight = this.#pending.splice(0, APPEND_LIMIT)
      try {
        await log.append(this.#inFlight)
        if (generation !== this.#generation) return
        this.#inFlight = []
      } catch (error) {
        if (generation === this.#generation) this.#fail(error)
        return
      }
    }
    this.#settle()
  }

  #commit(id: number, draft: Draft, missing: boolean): void {
    const { demo, bytes } = numbered(this.#epoch as string, id, draft, this.#listener.demo(draft))
    const frame: Held = { id, demo, bytes, draft, missing }
    this.#head = id
    this.#ring.push(frame)
    this.#listener.committed(frame, draft)
  }
}
