import type { Metric, Sample } from '@mynah/plugin-management/api'
import type { BackgroundWork, TurnState } from './api.js'
import type { Turn } from './session/types.js'
import type { RecoveredTurns } from './turn/recovered-turns.js'

/** Why a request does not extend the one before it; a label of the metrics. */
export type PrefixBreak = 'summary' | 'cut' | 'tools' | 'head'

/** Counts turns and prefix breaks since the start of the plugin. */
export class TurnCounters {
  readonly #ended = new Map<TurnState, { count: number; seconds: number }>()
  readonly #breaks = new Map<PrefixBreak, number>()
  readonly #recovered = new Map<keyof RecoveredTurns, number>()
  rings = 0
  firstTexts = 0
  firstTextSeconds = 0

  turnEnded({ state, startedAt: started_at, endedAt: ended_at }: Turn): void {
    if (ended_at === null) return
    const sum = this.#ended.get(state) ?? { count: 0, seconds: 0 }
    this.#ended.set(state, { count: sum.count + 1, seconds: sum.seconds + (ended_at - started_at) / 1000 })
  }

  /** Counts an answer whose first text came after so many milliseconds. */
  firstText(ms: number): void {
    this.firstTexts++
    this.firstTextSeconds += ms / 1000
  }

  recoveredTurns(outcome: RecoveredTurns): void {
    for (const [what, count] of Object.entries(outcome) as [keyof RecoveredTurns, number][])
      this.#recovered.set(what, (this.#recovered.get(what) ?? 0) + count)
  }

  prefixBroken(why: PrefixBreak): void {
    this.#breaks.set(why, (this.#breaks.get(why) ?? 0) + 1)
  }

  endedBy(value: (sum: { readonly count: number; readonly seconds: number }) => number): Sample[] {
    return Array.from(this.#ended, ([state, sum]) => ({ value: value(sum), labels: { state } }))
  }

  recovered(): Sample[] {
    return Array.from(this.#recovered, ([outcome, value]) => ({ value, labels: { outcome } }))
  }

  breaks(): Sample[] {
    return Array.from(this.#breaks, ([why, value]) => ({ value, labels: { why } }))
  }
}

export function agentMetrics(
  counters: TurnCounters,
  running: () => readonly Turn[],
  background: () => readonly BackgroundWork[],
): Metric[] {
  const recoveredWork = (): Sample[] =>
    background().flatMap(({ name, recovered = {} }) =>
      Object.entries(recovered).map(([outcome, value]) => ({ value, labels: { work: name, outcome } })),
    )
  const active = (): Sample[] =>
    (['queued', 'running', 'waiting', 'delivering'] as const).map((state) => ({
      value: running().filter((turn) => turn.state === state).length,
      labels: { state },
    }))
  return [
    {
      name: 'agent_turns_total',
      help: 'Turns that have ended, by how',
      type: 'counter',
      collect: () => counters.endedBy(({ count }) => count),
    },
    {
      name: 'agent_turn_seconds_total',
      help: 'Time that ended turns took, waiting included',
      type: 'counter',
      collect: () => counters.endedBy(({ seconds }) => seconds),
    },
    { name: 'agent_turns', help: 'Turns that run now, by state', type: 'gauge', collect: active },
    {
      name: 'agent_first_text_seconds_total',
      help: 'Time until the first words of answers',
      type: 'counter',
      collect: () => counters.firstTextSeconds,
    },
    {
      name: 'agent_first_texts_total',
      help: 'Answers whose first words came',
      type: 'counter',
      collect: () => counters.firstTexts,
    },
    {
      name: 'agent_prefix_breaks_total',
      help: 'Requests that do not extend the one before them, by why',
      type: 'counter',
      collect: () => counters.breaks(),
    },
    {
      name: 'agent_turns_recovered_total',
      help: 'Turns that a stop or a failure of the store has left open, by outcome',
      type: 'counter',
      collect: () => counters.recovered(),
    },
    {
      name: 'agent_work_recovered_total',
      help: 'Pieces of background work that an earlier start has left, by outcome',
      type: 'counter',
      collect: recoveredWork,
    },
    {
      name: 'agent_session_rings_total',
      help: 'Rings that were found in the entries of sessions, and opened',
      type: 'counter',
      collect: () => counters.rings,
    },
  ]
}
