// Waiting in a turn: for an approval, a task, an answer. The place is given back, the deadline stands still, the journal says for what.
import { isWireError } from '@mynah/contract'
import type { ToolCallContext, ToolCallPart } from '@mynah/plugin-ai/api'
import type { WaitingFor } from '../session/types.js'
import { asked, questionId, QUESTION_MS } from '../tools/questions.js'
import type { LiveTurn } from './live.js'
import type { RunnerDeps } from './deps.js'

export interface WaitHost {
  readonly deps: RunnerDeps
  readonly live: LiveTurn
  /** Changes the journal in the store, and then what is known of it. */
  readonly change: (changes: Partial<LiveTurn['journal']>) => Promise<void>
  /** Something came: the deadline for the first part is met. */
  readonly began: () => void
}

/** Waits until `done` has ended; after a start the call begins anew. Of calls that wait at the same time the turn goes on after the last. */
export async function waitFor<T>(
  { deps, live, change, began }: WaitHost,
  waiting: WaitingFor,
  call: ToolCallPart,
  done: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { places, clock } = deps
  const at = clock.now()
  live.deadline?.pause()
  began()
  if (live.waits.size === 0) places.release(live.journal.session)
  live.waits.begin(waiting)
  try {
    const stage = `waiting for ${waiting.kind}`
    if (waiting.kind === 'question') {
      // Who sees that an answer is waited for may give it at once. What a question says is written by who asks it, before it is sent.
      const answer = done(live.control.signal)
      answer.catch(() => {
        /* Told by the await below. */
      })
      await change({ state: 'waiting', stage })
      return await answer
    }
    // Written before it begins: by this line a request that it makes is found again, and taken back by a turn that is given up.
    await change({ state: 'waiting', stage, waiting: live.waits.journalled() })
    await live.request?.onWait?.(waiting.kind, waiting.id)
    live.control.signal.throwIfAborted()
    return await done(live.control.signal)
  } finally {
    // A turn that ends leaves it in the journal: a request for approval is withdrawn by that.
    live.waits.end(call.id, !live.control.signal.aborted)
    const next = live.waits.last
    if (!next) places.hold(live.journal.session)
    live.deadline?.resume()
    live.message?.step('wait', waiting.kind, 'ended', call.name, clock.now() - at)
    if (!live.control.signal.aborted)
      await change({
        ...(next ? { stage: `waiting for ${next.kind}` } : { state: 'running', stage: `tool ${call.name}` }),
        waiting: live.waits.journalled(),
      })
  }
}

/** Asks the person for whom the turn runs, in chat where there is one; the console may answer as well. */
export async function askUser(
  { deps, live, change }: WaitHost,
  call: ToolCallPart,
  text: string,
  choices: readonly string[] | undefined,
): Promise<string> {
  const { questions, chat, clock } = deps
  const { origin, id: turn } = live.journal
  const known = live.waits.get(call.id)
  const id = questionId(turn, call.id)
  // It was answered, and the host stopped before the answer became a result.
  if (known?.answer !== undefined) return known.answer
  const late = new AbortController()
  const expiresAt = known?.expiresAt ?? clock.now() + QUESTION_MS
  const cancel = clock.setTimeout(
    () => late.abort(new Error('nobody answered within 30 minutes')),
    Math.max(0, expiresAt - clock.now()),
  )
  const { question, answered } = questions.ask(
    { id, turn, origin, text, choices, expiresAt },
    AbortSignal.any([live.control.signal, late.signal]),
  )
  answered.catch(() => {
    /* Told by the await below. */
  })
  try {
    // Of before a start it stands there already: written again it could take the place of an answer that comes at this moment.
    if (known?.text === undefined) {
      live.waits.know({ kind: 'question', id, call: call.id, text, ...(choices ? { choices } : {}), expiresAt })
      await change({ waiting: live.waits.journalled() })
    }
    const { adapter, endpoint, channel } = origin
    if (adapter !== undefined && endpoint !== undefined && channel !== undefined) {
      const talks = chat()
      const buttons = talks?.can(adapter, endpoint, 'buttons') ? { prefix: talks.commandPrefix } : undefined
      const sent = await talks
        ?.send(adapter, endpoint, channel, asked({ id, text, choices }, buttons), {
          key: `ask/${turn}/${call.id}`,
          ...(live.message ? { answers: live.message } : {}),
        })
        .catch((error: unknown) => {
          // It may stand there, and be answered; the console shows it anyway.
          if (!isWireError(error) || error.code !== 'upstream_unavailable:unknown') throw error
        })
      question.messageId = sent?.messageId || undefined
    }
    return await answered
  } catch (error) {
    // An answer that was taken counts, whatever became of the question.
    const given = live.control.signal.aborted ? undefined : live.waits.get(call.id)?.answer
    if (given !== undefined) return given
    // Nothing that is said from here on is taken for one.
    live.waits.end(call.id, !live.control.signal.aborted)
    throw error
  } finally {
    cancel()
  }
}

/** What a call knows of its turn, and how it waits and asks. */
export function toolCallContext(host: WaitHost, roles: ReadonlySet<string>, call: ToolCallPart): ToolCallContext {
  const { deps, live } = host
  const { origin, session_key, id } = live.journal
  return {
    roles,
    origin,
    session: session_key,
    turn: id,
    subagent: live.request?.subagent === true,
    log: deps.log,
    wait: (kind, waitId, done) =>
      waitFor(host, { kind, id: kind === 'question' ? questionId(id, call.id) : waitId, call: call.id }, call, done),
    ask: (question, options = {}) => askUser(host, call, question, options.choices),
  }
}
