// Buttons of questions that are over, in messages of which only the store knows: those of an earlier start, and those
// that were sent after their call had a receipt.
import { messageOf } from '@mynah/kernel'
import { backoff, HOUR_MS, MINUTE_MS, SECOND_MS, pause } from '@mynah/kernel/util'
import type { MessageRow } from '@mynah/contract/types'
import type { CardData, Chat } from '@mynah/plugin-chat/api'
import type { Origin } from '@mynah/plugin-ai/api'
import type { AgentRuntime } from '../runtime.js'
import type { Turn } from '../session/types.js'
import { conversationKey, questionId, withoutButtons } from '../tools/questions.js'
import { OpenWaits } from './open-waits.js'
import { untilStored } from './until-stored.js'
import { placeOf } from './turn-place.js'

/** Messages of a conversation that are looked at. */
const MAX_MESSAGES = 50
/** Turns that are looked at after a start: the newest, of those that ended not long ago. */
const MAX_TURNS = 100
const LATELY_MS = HOUR_MS
/** How often a question that is on its way is looked for, about nine minutes long. An intent is given up before. */
const MAX_LOOKS = 14
const LOOKS = { firstMs: SECOND_MS, maxMs: MINUTE_MS }

/** A message that asks, as it was sent. */
interface Asking {
  readonly id: string
  /** `undefined` while it is on its way. */
  readonly messageId: string | undefined
  readonly text: string
}

/**
 * Takes the buttons off the questions of a turn that an earlier start has left. Never rejects.
 *
 * @param isOver whether no question of the turn waits for its answer any more
 */
export async function takeOffLeft(
  runtime: AgentRuntime,
  turn: Turn,
  isOver: boolean,
  signal: AbortSignal,
): Promise<void> {
  try {
    const open = new Set(isOver ? [] : new OpenWaits(turn.waiting).questions.map(({ id }) => id))
    const over = (await questionsOf(runtime, turn, signal)).filter((id) => !open.has(id))
    await takeOff(runtime, turn, new Set(over), signal)
  } catch (error) {
    logFailure(runtime, turn.id, error)
  }
}

/**
 * Takes the buttons off the questions of turns that have ended lately: the host may have stopped right before it did
 * so. Once more does no harm. Never rejects.
 */
export async function takeOffEnded(runtime: AgentRuntime, signal: AbortSignal): Promise<void> {
  const { chat, clock, store, cluster } = runtime
  if (!chat) return
  try {
    const since = clock.now() - LATELY_MS
    const conversations = new Map<string, Turn[]>()
    for (const turn of await untilStored(() => store.turns({ limit: MAX_TURNS }), clock, signal)) {
      if (turn.endedAt === null || turn.endedAt < since) continue
      if (cluster && !cluster.answersFor(placeOf(turn))) continue
      const { user: _, ...conversation } = turn.origin
      const key = conversationKey(conversation)
      conversations.set(key, [...(conversations.get(key) ?? []), turn])
    }
    // At the same time: each waits until its endpoint is online.
    await Promise.all(Array.from(conversations.values(), (turns) => takeOffAll(runtime, chat, turns, signal)))
  } catch (error) {
    runtime.log.debug(`failed to take the buttons off questions: ${messageOf(error)}`)
  }
}

/** Takes the buttons off the questions of ended turns of one conversation. */
async function takeOffAll(
  runtime: AgentRuntime,
  chat: Chat,
  turns: readonly Turn[],
  signal: AbortSignal,
): Promise<void> {
  const [newest] = turns
  if (!newest) return
  let over: Promise<ReadonlySet<string>> | undefined
  const readOver = async (): Promise<ReadonlySet<string>> =>
    new Set((await Promise.all(turns.map((turn) => questionsOf(runtime, turn, signal)))).flat())
  const startedAt = Math.min(...turns.map((turn) => turn.startedAt))
  // Most conversations have no question, and then no turn is looked at.
  await takeOffOf(runtime, chat, { origin: newest.origin, startedAt }, () => (over ??= readOver()), signal)
}

/** Returns the ids that the questions of a turn have, if its calls have asked any. */
async function questionsOf(
  { store, clock }: AgentRuntime,
  { id, session, entrySeqs }: Turn,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const entries = await untilStored(() => store.entries(session, entrySeqs), clock, signal)
  return entries
    .flatMap((entry) => (entry.kind === 'message' ? [...entry.content] : []))
    .flatMap((part) => (part.type === 'tool-call' ? [questionId(id, part.id)] : []))
}

/** Takes the buttons off these questions of a turn. Never rejects. */
export async function takeOff(
  runtime: AgentRuntime,
  turn: Pick<Turn, 'id' | 'origin' | 'startedAt'>,
  over: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { chat } = runtime
  if (!chat || over.size === 0) return
  try {
    await takeOffOf(runtime, chat, turn, async () => over, signal)
  } catch (error) {
    logFailure(runtime, turn.id, error)
  }
}

/** Takes the buttons off these questions. One that is on its way to the platform is waited for, and has them then. */
async function takeOffOf(
  { clock }: AgentRuntime,
  chat: Chat,
  { origin, startedAt }: Pick<Turn, 'origin' | 'startedAt'>,
  readOver: () => Promise<ReadonlySet<string>>,
  signal: AbortSignal,
): Promise<void> {
  const done = new Set<string>()
  for (let tries = 0; tries < MAX_LOOKS; tries++) {
    if (tries > 0) await pause(backoff(tries - 1, LOOKS), clock, signal)
    if (signal.aborted) return
    const left = (await untilStored(() => askingsIn(chat, origin, startedAt), clock, signal)).filter(
      ({ id }) => !done.has(id),
    )
    const over = left.length > 0 ? await readOver() : undefined
    const askings = left.filter(({ id }) => over?.has(id))
    for (const { id, messageId, text } of askings) {
      if (messageId === undefined) continue
      done.add(id)
      await edit(chat, origin, messageId, text)
    }
    if (askings.every(({ messageId }) => messageId !== undefined)) return
  }
}

const logFailure = ({ log }: AgentRuntime, turn: string, error: unknown): void =>
  log.debug(`failed to take the buttons off a question: ${messageOf(error)}`, { turn })

/** Shows a text in place of a message of a conversation. */
async function edit(
  chat: Chat,
  { adapter, endpoint, channel }: Origin,
  messageId: string,
  text: string,
): Promise<void> {
  if (adapter === undefined || endpoint === undefined || channel === undefined) return
  await chat.edit(adapter, endpoint, channel, messageId, text)
}

/** Returns the messages of a conversation that were sent with the buttons of a question. */
async function askingsIn(
  chat: Chat,
  { adapter, endpoint, channel }: Origin,
  since: number,
): Promise<readonly Asking[]> {
  if (adapter === undefined || endpoint === undefined || channel === undefined) return []
  const command = `${chat.commandPrefix}answer `
  const rows = await chat.transcript({ adapter, endpoint, channel, since, text: command, limit: MAX_MESSAGES })
  return rows.flatMap((row) => askingOf(row, command))
}

/** Returns what a message asks, where it has the buttons of a question. */
function askingOf({ direction, state, messageId, content }: MessageRow, command: string): readonly Asking[] {
  const isSent = state === 'sent'
  if (direction !== 'out' || typeof content === 'string') return []
  if (isSent ? messageId === '' : state !== 'intent' && state !== 'sending') return []
  const { text = '', buttons = [] } = (content.find(({ type }) => type === 'card')?.data ?? {}) as CardData
  const [first] = buttons
  if (!first?.command?.startsWith(command)) return []
  const [id = ''] = first.command.slice(command.length).split(' ')
  return [
    {
      id,
      messageId: isSent ? messageId : undefined,
      text: withoutButtons(
        text,
        Array.from(buttons, ({ text: label }) => label),
      ),
    },
  ]
}
