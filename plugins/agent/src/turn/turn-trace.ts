import type { Candidate, ModelError, ToolOutcome, Usage } from '@mynah/plugin-ai/api'
import type { Message, StepDetails } from '@mynah/plugin-chat/api'

/** Most characters of a failed result that a trace shows. */
const MAX_REASON = 200

/** A tool call of a turn. */
interface CallOfTurn {
  readonly turn: string
  /** Id of the call, unique within the turn. */
  readonly call: string
}

const stepId = ({ turn, call }: CallOfTurn): string => `${turn}/${call}`

const nameOf = ({ provider, model }: Candidate): string => `${provider}:${model}`

/**
 * Adds the steps of a turn to the trace of its message. The steps of a sub-agent are parts of the tool call that asked
 * for it, in the trace of the message that the call comes from.
 */
export class TurnTrace {
  readonly #turn: string
  readonly #message: Message | undefined
  /** Id of the step that all steps of the turn are parts of. */
  readonly #parent: string | undefined
  #askedAt: number | undefined

  constructor(turn: string, message: Message | undefined, parent?: string) {
    this.#turn = turn
    this.#message = message
    this.#parent = parent
  }

  /** Returns the trace of a turn that a call of this one has asked for. */
  ofSubagent(turn: string, asking: CallOfTurn): TurnTrace {
    return new TurnTrace(turn, this.#message, stepId(asking))
  }

  step(stage: string, name: string, outcome: string, reason?: string, details?: StepDetails): void {
    this.#message?.step(stage, name, outcome, reason, { parent: this.#parent, ...details })
  }

  /** Notes when a model is asked, by the clock of the host in milliseconds. */
  asked(now: number): void {
    this.#askedAt = now
  }

  answered(model: Candidate, usage: Usage, reason: string, now: number): void {
    const tokens = `${usage.input} tokens in, ${usage.cachedInput} cached, ${usage.output} out`
    this.step('model', nameOf(model), reason, tokens, { durationMs: this.#sinceAsked(now) })
  }

  fellBack(from: Candidate, to: Candidate, error: ModelError, now: number): void {
    const next = nameOf(to) === nameOf(from) ? 'it is asked again' : `${nameOf(to)} is asked`
    const reason = `${error.class}; ${next}`
    this.step('model', nameOf(from), 'failed', reason, { durationMs: this.#sinceAsked(now) })
  }

  /** @param output text of the result */
  toolEnded({ call, result: { isError }, ms, waitedMs }: ToolOutcome, output: string): void {
    this.step('tool', call.name, isError ? 'failed' : 'ran', isError ? output.slice(0, MAX_REASON) : undefined, {
      id: stepId({ turn: this.#turn, call: call.id }),
      durationMs: ms,
      waitedMs: waitedMs || undefined,
    })
  }

  /** @param ms how long the call has waited, in milliseconds */
  waited(kind: string, call: { readonly id: string; readonly name: string }, ms: number): void {
    const parent = stepId({ turn: this.#turn, call: call.id })
    this.step('wait', kind, 'ended', call.name, { parent, durationMs: ms, waitedMs: ms })
  }

  #sinceAsked(now: number): number | undefined {
    return this.#askedAt === undefined ? undefined : Math.max(0, now - this.#askedAt)
  }
}
