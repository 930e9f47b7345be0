import { randomBytes } from 'node:crypto'
import type { EventLog, LoggedEvent } from '../api.js'
import { numbered, parsePosition, type Draft, type NumberedFrame, type Position } from './frame.js'
import { LogListener } from './log-listener.js'
import { FrameRing } from './frame-ring.js'

/** Number of events in memory. */
const RING_SIZE = 1_000
/** Maximum events that wait for the log before it is considered failed. */
const MAX_PENDING = 10_000
const APPEND_LIMIT = 500
const PAGE_LIMIT = 500

interface HeldFrame extends NumberedFrame {
  readonly draft: Draft
  /** True if no log has received it. */
  missing: boolean
}

export interface JournalEvents {
  /** Notes that an event has received its id. */
  committed(frame: NumberedFrame, draft: Draft): void
  /** Ids start at `head`. With `anew`, earlier ids are invalid. */
  begun(head: number, anew: boolean): void
  /** The log failed. The journal continues in memory. */
  failed(error: unknown): void
  /** Returns whether clients of demo scope may see an event. */
  demo(draft: Draft): boolean
}

/** Assigns ids to events: at once in memory, or by an event log, which also delivers events that others commit. */
export class Journal {
  readonly #listener: JournalEvents
  readonly #ring = new FrameRing<HeldFrame>(RING_SIZE)
  #log: EventLog | undefined
  /** Listens to the log, also while the memory is used instead. */
  readonly #logListener = new LogListener((events) => this.#receive(events))
  #epoch: string | undefined
  #head = 0
  /** Below this position the log lacks events that happened while it was unavailable. */
  #floor: Position = { epoch: '', id: 0 }
  /** Epoch of the memory while it is used. */
  #memory: string | undefined
  /** Number of events that no log has received. The newest of them are in the ring. */
  #missing = 0
  #pending: Draft[] = []
  #inFlight: Draft[] = []
  /** A write to the log is running. Only its result tells which events the log contains. */
  #busy = false
  /** A change of the log that waits for that result. */
  #next: (() => void) | undefined
  /** Incremented with each change of the log, to ignore results of an earlier one. */
  #generation = 0
  #started = false
  #closed = false
  #leaving = false
  /** The log lacks events; see {@link #floor}. */
  #gap = false
  #waiting: (() => void)[] = []

  constructor(listener: JournalEvents) {
    this.#listener = listener
  }

  /** Epoch of the current ids; `undefined` while a log is being opened. */
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
    if (this.#pending.length > MAX_PENDING) this.#abandonLog(new Error(`${MAX_PENDING} events wait for the event log`))
    this.#pump()
  }

  /** Resolves when ids can be assigned. */
  async ready(): Promise<void> {
    if (this.#epoch === undefined && !this.#closed) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Continues in memory, with a new epoch unless memory is already used. */
  useMemory(): void {
    this.#change(() => {
      this.#logListener.close()
      this.#toMemory()
    })
  }

  /** Continues in `log` and calls `opened`. Events in memory are appended to it first. */
  useLog(log: EventLog, opened: () => void): void {
    this.#change(() => void this.#toLog(log, opened))
  }

  /** Prepares for the end of the host: uses the log as long as it answers, and nothing after it. */
  leave(): void {
    this.#leaving = true
    if (!this.#log) this.#end()
  }

  /** Stops waiting for a log that does not answer. */
  abandon(): void {
    if (this.#busy) this.#abandonLog(new Error('the event log does not answer'))
  }

  /** Ignores later events. Resolves when the log has received all earlier ones. */
  async close(): Promise<void> {
    const log = this.#log
    const left = this.#pending
    this.#end()
    if (log && left.length) await log.append(left)
  }

  #end(): void {
    this.#closed = true
    this.#generation++
    this.#logListener.close()
    this.#log = undefined
    this.#epoch = undefined
    this.#next = undefined
    this.#busy = false
    this.#pending = []
    this.#inFlight = []
    this.#release()
  }

  /** Parses the id of a client. Returns `undefined` unless all later events are still held. */
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

  /** Returns frames after `id` up to `until`, oldest first; empty if they are not held. */
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
    const early = this.#logListener.open()
    if (this.#memory === undefined) {
      this.#memory = randomBytes(6).toString('hex')
      this.#begin(this.#memory, 0)
    } else {
      this.#epoch = this.#memory
      this.#release()
      this.#pump()
    }
    this.#receive(early)
  }

  async #toLog(log: EventLog, opened: () => void): Promise<void> {
    const generation = ++this.#generation
    const held = this.#ring.all().filter(({ missing }) => missing)
    if (this.#missing > held.length) this.#gap = true
    this.#logListener.close()
    this.#log = undefined
    this.#epoch = undefined
    this.#busy = true
    try {
      const { epoch } = log
      if (held.length) await log.append(held.map(({ draft }) => draft))
      this.#missing = 0
      for (const frame of held) frame.missing = false
      if (generation !== this.#generation) return
      this.#logListener.listen(log)
      const { head } = await log.bounds()
      if (generation !== this.#generation) return
      if (this.#settle()) return
      const early = this.#logListener.open()
      this.#log = log
      this.#memory = undefined
      if (this.#gap) this.#floor = { epoch, id: head }
      this.#gap = false
      this.#begin(epoch, early[0] ? early[0].id - 1 : head)
      this.#receive(early)
      opened()
    } catch (error) {
      if (generation === this.#generation) this.#fail(error)
    }
  }

  /** Takes committed events: under their own ids, or under those of memory while it serves. */
  #receive(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      if (!this.#log) {
        this.#commit(this.#head + 1, event, false)
        continue
      }
      // It was in the log when that was opened, and its commit had no answer yet.
      if (event.id <= this.#head) continue
      // The log contains a commit that was never delivered, so clients have to start again.
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

  /** Ends a write to the log and runs the pending change, or else `otherwise`. Returns whether one was run. */
  #settle(otherwise?: () => void): boolean {
    this.#busy = false
    this.#pending = [...this.#inFlight, ...this.#pending]
    this.#inFlight = []
    const next = this.#next ?? otherwise
    this.#next = undefined
    next?.()
    return next !== undefined
  }

  /** Handles a failure of the log. A log that was about to be replaced is not reported. */
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

  /**
   * Stops listening to a log with an unknown state. Otherwise memory would repeat events that the log still commits.
   */
  #abandonLog(error: Error): void {
    this.#logListener.close()
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

  /** Appends pending events. The log calls its listeners before the append resolves. */
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
    const frame: HeldFrame = { id, demo, bytes, draft, missing }
    this.#head = id
    this.#ring.push(frame)
    this.#listener.committed(frame, draft)
  }
}
