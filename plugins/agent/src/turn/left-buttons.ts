import { messageOf } from '@mynah/kernel'
import { MINUTE_MS, SECOND_MS } from '@mynah/kernel/util'
import type { MessageRow } from '@mynah/contract/types'
import type { CardData } from '@mynah/plugin-chat/api'
import type { AgentRuntime } from '../runtime.js'
import type { Turn } from '../session/types.js'
import { questionId, withoutButtons } from '../tools/questions.js'
import { OpenWaits } from './open-waits.js'
import { pause } from './until-stored.js'

/** Messages of a conversation that are looked at. */
const MAX_MESSAGES = 50
/** Shortest pause between two tries while the endpoint is offline, and the time after which none is made, ms. */
const MIN_PAUSE_MS = SECOND_MS
const MAX_WAIT_MS = 5 * MINUTE_MS

type Buttons = NonNullable<CardData['buttons']>

/** A message that asks, as it was sent. */
interface Asking {
  readonly id: string
  readonly messageId: string
  readonly text: string
}

/** Takes the buttons off questions that were over when the host stopped, and whose messages show them still. */
export class LeftButtons {
  readonly #runtime: AgentRuntime
  readonly #closing = new AbortController()

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime
  }

  /** Edits no further message: the host stops. */
  close(): void {
    this.#closing.abort()
  }

  /**
   * Takes them off the questions of a turn that an earlier start has left. Never rejects.
   *
   * @param isOver whether no question of the turn waits for its answer any more
   */
  async takeOff(turn: Turn, isOver: boolean): Promise<void> {
    try {
      const open = new Set(isOver ? [] : new OpenWaits(turn.waiting).questions.map(({ id }) => id))
      for (const asking of await this.#askings(turn)) if (!open.has(asking.id)) await this.#edit(turn, asking)
    } catch (error) {
      this.#runtime.log.debug(`failed to take the buttons off a question: ${messageOf(error)}`, { turn: turn.id })
    }
  }

  /** Returns the messages with buttons that the calls of a turn have sent. */
  async #askings({ id, session, entrySeqs, origin, startedAt }: Turn): Promise<readonly Asking[]> {
    const { chat, store } = this.#runtime
    const { adapter, endpoint, channel } = origin
    if (!chat || adapter === undefined || endpoint === undefined || channel === undefined) return []
    const ids = new Set<string>()
    for (const entry of await store.entries(session, entrySeqs))
      if (entry.kind === 'message')
        for (const part of entry.content) if (part.type === 'tool-call') ids.add(questionId(id, part.id))
    if (ids.size === 0) return []
    const command = `${chat.commandPrefix}answer `
    const rows = await chat.transcript({
      adapter,
      endpoint,
      channel,
      since: startedAt,
      text: command,
      limit: MAX_MESSAGES,
    })
    return rows.flatMap((row) => askingOf(row, command)).filter((asking) => ids.has(asking.id))
  }

  /** Shows the text of a question alone, as soon as its endpoint is online. */
  async #edit({ origin: { adapter = '', endpoint = '', channel } }: Turn, { messageId, text }: Asking): Promise<void> {
    const { chat, clock } = this.#runtime
    const { signal } = this.#closing
    for (let pauseMs = MIN_PAUSE_MS, waitedMs = 0; waitedMs < MAX_WAIT_MS && !signal.aborted; pauseMs *= 2) {
      if (!chat || !channel || (await chat.edit(adapter, endpoint, channel, messageId, text))) return
      await pause(pauseMs, clock, signal)
      waitedMs += pauseMs
    }
  }
}

/** Returns what a message asks, where it has the buttons of a question. */
function askingOf({ direction, state, messageId, content }: MessageRow, command: string): readonly Asking[] {
  if (direction !== 'out' || state !== 'sent' || messageId === '' || typeof content === 'string') return []
  const { text = '', buttons = [] } = (content.find(({ type }) => type === 'card')?.data ?? {}) as CardData
  const id = idOf(buttons, command)
  return id === undefined ? [] : [{ id, messageId, text: withoutButtons(text, buttons.map(labelOf)) }]
}

const labelOf = ({ text }: Buttons[number]): string => text

/** Returns the question that the first button answers. */
const idOf = ([first]: Buttons, command: string): string | undefined =>
  first?.command?.startsWith(command) ? first.command.slice(command.length).split(' ')[0] : undefined
