import type { LoopEvent, ToolOutcome } from '@mynah/plugin-ai/api'
import type { Compacted } from '../compaction/compacted.js'
import type { PrefixBreak } from '../metrics.js'
import type { MendedRing, Session, Turn } from '../session/types.js'
import type { LiveTurn } from './live-turn.js'
import type { RecoveredTurns } from './recovered-turns.js'

/** The events of sessions and turns, with the arguments of their listeners. */
export interface TurnEventMap {
  /** The journal of a turn has changed. */
  turnChanged: [turn: Turn]
  /** A turn has ended, or was suspended until the next start. */
  turnEnded: [turn: Turn]
  /** Work on a turn has ended although the store still has it open, or may have: a sweep must take it up. */
  turnLeft: [id: string]
  /** A message started a turn. */
  received: [turn: Turn, text: string]
  /** An answer was sent, or could not be sent. */
  sent: [live: LiveTurn, text: string, error: string | undefined]
  toolEnded: [live: LiveTurn, outcome: ToolOutcome]
  /** A turn has reached a stage; for traces. */
  phase: [live: LiveTurn, stage: string, facts: Record<string, unknown>]
  /** The next candidate is asked after a failure. */
  fellBack: [live: LiveTurn, event: LoopEvent & { readonly type: 'fallback' }]
  /** A request will not extend the one before it. */
  prefixBroken: [why: PrefixBreak]
  /** The first text of an answer arrived after so many milliseconds. */
  firstText: [ms: number]
  sessionCreated: [sessionKey: string, sessionId: string, previous: string | undefined]
  sessionArchived: [session: Session]
  /** A person has chosen the model of a session, or how much it thinks. */
  sessionChosen: [session: Session]
  compacted: [compacted: Compacted]
  /** The entries of a session had formed a ring, which was opened. */
  ringMended: [mended: MendedRing]
  /** A sweep has continued or ended turns that were open without work on them. */
  recovered: [outcome: RecoveredTurns]
}

type Listener<K extends keyof TurnEventMap> = (...args: TurnEventMap[K]) => void

/** Delivers the events of sessions and turns to their listeners, in the order in which these subscribed. */
export class TurnEvents {
  readonly #listeners: { readonly [K in keyof TurnEventMap]: Set<Listener<K>> } = {
    turnChanged: new Set(),
    turnEnded: new Set(),
    turnLeft: new Set(),
    received: new Set(),
    sent: new Set(),
    toolEnded: new Set(),
    phase: new Set(),
    fellBack: new Set(),
    prefixBroken: new Set(),
    firstText: new Set(),
    sessionCreated: new Set(),
    sessionArchived: new Set(),
    sessionChosen: new Set(),
    compacted: new Set(),
    ringMended: new Set(),
    recovered: new Set(),
  }

  /** Subscribes a listener. Returns a function that removes it. */
  on<K extends keyof TurnEventMap>(name: K, listener: Listener<K>): () => void {
    const listeners = this.#listeners[name]
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  emit<K extends keyof TurnEventMap>(name: K, ...args: TurnEventMap[K]): void {
    for (const listener of this.#listeners[name]) listener(...args)
  }
}
