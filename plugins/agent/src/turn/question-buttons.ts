// Buttons of questions that are over, in messages of which only the store knows: those of an earlier start, and those
// that were sent after their call had a receipt.
import { messageOf } from '@mynah/kernel'
import type { MessageRow } from '@mynah/contract/types'
import type { CardData, Chat } from '@mynah/plugin-chat/api'
import type { Origin } from '@mynah/plugin-ai/api'
import type { AgentRuntime } from '../runtime.js'
import type { Turn } from '../session/types.js'
import { questionId, withoutButtons } from '../tools/questions.js'
import { OpenWaits } from './open-waits.js'
import { untilStored } from './until-stored.js'

/** Messages of a conversation that are looked at. */
const MAX_MESSAGES = 50

/** A message that asks, as it was sent. */
interface Asking {
  readonly id: string
  readonly messageId: string
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
    const { store, clock } = runtime
    const entries = await untilStored(() => store.entries(turn.session, turn.entrySeqs), clock, signal)
    const over = entries
      .flatMap((entry) => (entry.kind === 'message' ? [...entry.content] : []))
      .flatMap((part) => (part.type === 'tool-call' ? [questionId(turn.id, part.id)] : []))
      .filter((id) => !open.has(id))
    await takeOff(runtime, turn, new Set(over), signal)
  } catch (error) {
    logFailure(runtime, turn.id, error)
  }
}

/** Takes the buttons off these questions of a turn. Never rejects. */
export async function takeOff(
  runtime: AgentRuntime,
  { id: turn, origin, startedAt }: Pick<Turn, 'id' | 'origin' | 'startedAt'>,
  over: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { chat, clock } = runtime
  if (!chat || over.size === 0) return
  try {
    for (const { id, messageId, text } of await untilStored(() => askingsIn(chat, origin, startedAt), clock, signal))
      if (over.has(id)) await edit(chat, origin, messageId, text)
  } catch (error) {
    logFailure(runtime, turn, error)
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
  if (direction !== 'out' || state !== 'sent' || messageId === '' || typeof content === 'string') return []
  const { text = '', buttons = [] } = (content.find(({ type }) => type === 'card')?.data ?? {}) as CardData
  const [first] = buttons
  if (!first?.command?.startsWith(command)) return []
  const [id = ''] = first.command.slice(command.length).split(' ')
  return [
    {
      id,
      messageId,
      text: withoutButtons(
        text,
        Array.from(buttons, ({ text: label }) => label),
      ),
    },
  ]
}
