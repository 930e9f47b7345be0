import type { Segment } from '@mynah/contract/types'
import type { Message } from '@mynah/plugin-chat/api'
import type { Deadline, UserMessage } from '@mynah/plugin-ai/api'
import type { AgentRequest } from '../api.js'
import type { NewEntry, Turn } from '../session/types.js'
import type { CollectWindow } from './collect-window.js'
import { OpenWaits } from './open-waits.js'
import { TurnTrace } from './turn-trace.js'

/** Notes that wait for the next step of a turn. */
const MAX_NOTES = 10

/** The reason of an abort that came from outside the turn. */
export class TurnAborted extends Error {
  override readonly name = 'TurnAborted'
  readonly state: 'stopped' | 'failed' | 'suspended'

  /** @param state `suspended` when the host stops: the turn continues after the next start */
  constructor(state: TurnAborted['state'], message: string) {
    super(message)
    this.state = state
  }
}

/** A message of a master for a running turn. */
export interface Steering {
  /** The turn that the message would have had for itself. */
  readonly turn: Turn
  readonly message: UserMessage
  readonly entry: NewEntry
  readonly inbound: Message
  /** The message came before the turn had begun, and is part of its first request. */
  readonly isJoined?: true
}

/** Words that a running turn is to know of. They have a turn of their own. */
export interface TurnNote {
  readonly message: UserMessage
  readonly entry: NewEntry
}

/** How a turn begins. */
export interface LiveTurnOptions {
  readonly onlyWaited?: boolean | undefined
  readonly collecting?: CollectWindow | undefined
  /** Where its steps are traced; default the trace of its message. */
  readonly trace?: TurnTrace | undefined
}

/** A turn that runs in this process. */
export class LiveTurn {
  readonly message: Message | undefined
  readonly request: AgentRequest | undefined
  readonly waits: OpenWaits
  readonly trace: TurnTrace
  /** Whether all that the starts before have left is waiting: going on with it is no attempt. */
  readonly onlyWaited: boolean
  /** The time in which further messages join the turn, before it begins. */
  readonly collecting: CollectWindow | undefined
  readonly #control = new AbortController()
  readonly #leaving = new AbortController()
  readonly #steering: Steering[] = []
  readonly #notes: TurnNote[] = []
  #journal: Turn
  #deadline: Deadline | undefined
  #failure: unknown
  #pendingWrite: Promise<unknown> = Promise.resolve()
  #answerText = ''
  #hasBegun = false
  #newestRow: string | undefined
  #answeredBy: string | undefined
  #whenWaiting: (() => void)[] = []

  constructor(
    journal: Turn,
    message: Message | undefined,
    request: AgentRequest | undefined,
    { onlyWaited = false, collecting, trace }: LiveTurnOptions = {},
  ) {
    this.#journal = journal
    this.onlyWaited = onlyWaited
    this.collecting = collecting
    this.waits = new OpenWaits(journal.waiting)
    this.#newestRow = [...(journal.row === null ? [] : [journal.row]), ...this.waits.answerRows].sort().at(-1)
    this.trace = trace ?? new TurnTrace(journal.id, message)
    this.message = message
    this.request = request
  }

  /** The journal with all changes so far, stored or not. */
  get journal(): Turn {
    return this.#journal
  }

  get signal(): AbortSignal {
    return this.#control.signal
  }

  /** Row of the newest message that the turn has words of: the one that it answers, or an answer to its question. */
  get newestRow(): string | undefined {
    return this.#newestRow
  }

  /** Row of the last message that has answered a question of the turn since the start of the host. */
  get answeredBy(): string | undefined {
    return this.#answeredBy
  }

  /** Notes that the message of this row has answered a question of the turn. */
  takeAnswer(row: string | undefined): void {
    if (row === undefined) return
    this.#answeredBy = row
    if (row > (this.#newestRow ?? '')) this.#newestRow = row
  }

  /** Aborts when the host stops, even where the turn was aborted for another reason before. */
  get leaving(): AbortSignal {
    return this.#leaving.signal
  }

  /** The error that ended the turn, as it was thrown. */
  get failure(): unknown {
    return this.#failure
  }

  /** The text so far of the answer that is being written. */
  get answerText(): string {
    return this.#answerText
  }

  /** Resolves when the last change of the journal has been stored, or has failed. */
  get pendingWrite(): Promise<unknown> {
    return this.#pendingWrite
  }

  /** Media of the message or of the request. */
  get media(): readonly Segment[] {
    return this.message?.segments ?? this.request?.media ?? []
  }

  update(changes: Partial<Turn>): void {
    this.#journal = { ...this.#journal, ...changes }
    if (this.#journal.state === 'waiting') for (const notify of this.#whenWaiting.splice(0)) notify()
  }

  /** Resolves when the turn waits for a person. */
  whenWaiting(): Promise<void> {
    if (this.#journal.state === 'waiting') return Promise.resolve()
    return new Promise((resolve) => this.#whenWaiting.push(resolve))
  }

  /** Remembers a write of the journal. Later writes that depend on its order wait for it. */
  track(write: Promise<unknown>): void {
    this.#pendingWrite = write.catch(() => {
      // The caller of `track` awaits the write and handles its failure.
    })
  }

  appendText(text: string): void {
    this.#answerText += text
  }

  /** Puts a text in the place of all that follows a position. */
  replaceText(from: number, text: string): void {
    this.#answerText = this.#answerText.slice(0, from) + text
  }

  clearText(): void {
    this.#answerText = ''
  }

  /** Whether the first request is being built, so that no message can join any more. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Notes that the first request is being built. Returns the messages that have joined the turn. */
  begin(): readonly Steering[] {
    this.#hasBegun = true
    return this.#steering.filter(({ isJoined }) => isJoined)
  }

  /** Replaces a message for the turn by one that says more. */
  replaceSteering(before: Steering, now: Steering): void {
    const index = this.#steering.indexOf(before)
    if (index !== -1) this.#steering[index] = now
  }

  steer(steering: Steering): void {
    this.#steering.push(steering)
  }

  /** Returns the next steering message without taking it. */
  peekSteering(): Steering | undefined {
    return this.#steering[0]
  }

  takeSteering(): Steering | undefined {
    return this.#steering.shift()
  }

  addNote(note: TurnNote): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(note)
  }

  /** Returns the next note without taking it. */
  peekNote(): TurnNote | undefined {
    return this.#notes[0]
  }

  takeNote(): TurnNote | undefined {
    return this.#notes.shift()
  }

  /** Returns whether a turn is that of a message that was added to this one. */
  holds(id: string): boolean {
    return this.#steering.some(({ turn }) => turn.id === id)
  }

  takeAllSteering(): Steering[] {
    return this.#steering.splice(0)
  }

  startDeadline(deadline: Deadline): void {
    this.#deadline = deadline
  }

  pauseDeadline(): void {
    this.#deadline?.pause()
  }

  resumeDeadline(): void {
    this.#deadline?.resume()
  }

  stopDeadline(): void {
    this.#deadline?.stop()
  }

  fail(failure: unknown): void {
    this.#failure = failure
  }

  abort(state: TurnAborted['state'], reason: string): void {
    const aborted = new TurnAborted(state, reason)
    this.#control.abort(aborted)
    if (state === 'suspended') this.#leaving.abort(aborted)
  }
}
