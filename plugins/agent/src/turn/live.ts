// A turn that runs in this process: its journal as it stands, what may still be said to it, and how it is ended.
import type { Segment } from '@mynah/contract/types'
import type { Message } from '@mynah/plugin-chat/api'
import type { Deadline, UserMessage } from '@mynah/plugin-ai/api'
import type { AgentRequest } from '../api.js'
import type { NewEntry, Turn } from '../session/types.js'
import { OpenWaits } from './open-waits.js'

/** Why a turn was ended from outside. */
export class Ended extends Error {
  override readonly name = 'Ended'
  readonly state: 'stopped' | 'failed' | 'left'

  /** @param state `left`: the host stops, and the turn goes on after its next start. */
  constructor(state: Ended['state'], message: string) {
    super(message)
    this.state = state
  }
}

/** A message of a master for a running turn. */
export interface Steering {
  readonly turn: Turn
  readonly message: UserMessage
  readonly entry: NewEntry
  readonly inbound: Message
}

export class LiveTurn {
  journal: Turn
  readonly message: Message | undefined
  readonly request: AgentRequest | undefined
  readonly control = new AbortController()
  readonly steering: Steering[] = []
  deadline: Deadline | undefined
  /** What it failed of, as it was thrown. */
  failure: unknown
  /** Resolves when the last change of the journal is in the store. */
  written: Promise<unknown> = Promise.resolve()
  /** Text so far, of the answer that is being written. */
  said = ''
  readonly waits: OpenWaits

  constructor(journal: Turn, message: Message | undefined, request: AgentRequest | undefined) {
    this.journal = journal
    this.waits = new OpenWaits(journal.waiting)
    this.message = message
    this.request = request
  }

  /** What came beside the words. */
  get media(): readonly Segment[] {
    return this.message?.segments ?? this.request?.media ?? []
  }

  end(state: Ended['state'], reason: string): void {
    this.control.abort(new Ended(state, reason))
  }
}
