import { messageOf } from '@mynah/kernel'
import { wrapped } from '@mynah/plugin-ai/api'
import type { Message, Role } from '@mynah/plugin-chat/api'
import { displayName } from '../prompt/speakers.js'
import type { AgentRuntime } from '../runtime.js'
import { agentOfKey, sessionKey } from '../session/key.js'
import type { NewEntry, Turn } from '../session/types.js'
import { textsFor } from '../texts.js'
import { collectMsOf } from './collect-ms.js'
import { mediaKinds } from './media-kinds.js'
import type { LiveTurn } from './live-turn.js'
import { MAX_LINE } from './preamble.js'
import { wordsOf } from './user-entry.js'

/** Messages among which a quoted one is looked for. */
const QUOTED_ROWS = 100

/** Adds messages to turns of before: further words of a person whose turn has not begun, and steering of masters. */
export class AddedMessages {
  readonly #runtime: AgentRuntime

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime
  }

  /** Ends the time in which messages of a person join his turn: what he says now is no part of it. */
  endCollecting(message: Message): void {
    for (const live of this.#runtime.activeTurns.all())
      if (live.collecting && isSamePerson(live, message)) live.collecting.end()
  }

  /** Returns the turn of the sender in this conversation that waits for his further messages. */
  collectingFor(message: Message): LiveTurn | undefined {
    return this.#runtime.activeTurns
      .all()
      .findLast((live) => live.collecting?.isOpen === true && !live.hasBegun && isSamePerson(live, message))
  }

  /** Adds a message to a turn of its sender that has not begun. Returns whether there is such a turn. */
  join(turn: Turn, message: Message, text: string): boolean {
    const { config, activeTurns } = this.#runtime
    const waitMs = collectMsOf(message, config['ai.trigger'].collectMs)
    if (waitMs === 0) return false
    const target = activeTurns
      .ofSession(turn.session)
      .findLast((live) => !live.hasBegun && live.journal.state === 'queued' && isSamePerson(live, message))
    if (!target) return false
    const { entry, content } = addedEntry(target, message, text)
    target.steer({ turn, message: { role: 'user', content }, entry, inbound: message, isJoined: true })
    target.collecting?.extend(waitMs)
    message.step('turn', target.journal.id, 'joins')
    return true
  }

  /** Returns the row of the message that a master quotes, or that the quoted message answers. */
  async quotedRow({ adapter, endpoint, channel, replyTo, roles }: Message): Promise<string | undefined> {
    if (replyTo === undefined || !roles.has('master' satisfies Role)) return undefined
    const rows = await this.#runtime.chat?.transcript({ adapter, endpoint, channel, limit: QUOTED_ROWS })
    const row = rows?.find(({ messageId }) => messageId === replyTo)
    return row?.direction === 'in' ? row.id : row?.answers
  }

  /**
   * Adds a message of a master to a running turn of the session: the one whose message or answer it quotes, else the
   * master's latest. Returns whether there is such a turn.
   */
  steer(turn: Turn, message: Message, text: string, quotedRow: string | undefined): boolean {
    // Only text can be added to a turn. A message with media or words of others gets a turn of its own.
    if (!message.roles.has('master' satisfies Role) || hasMore(message)) return false
    const running = this.#runtime.activeTurns
      .ofSession(turn.session)
      .filter(
        ({ journal, message: answered }) =>
          answered && (journal.state === 'running' || journal.state === 'waiting') && journal.id !== turn.id,
      )
    const isOwn = ({ journal }: LiveTurn): boolean => journal.origin.user === message.sender.id
    const quoted = quotedRow === undefined ? undefined : running.findLast(({ journal }) => journal.row === quotedRow)
    const target = quoted ?? running.findLast(isOwn)
    if (!target) return false
    const { entry, content } = addedEntry(target, message, text, '[The user adds] ')
    target.steer({ turn, message: { role: 'user', content }, entry, inbound: message })
    message.step('turn', target.journal.id, 'steers')
    if (target.waits.approvals.length > 0) this.#acknowledge(turn, message)
    return true
  }

  /** Lets running turns of a person know what he has said since. */
  inform(turn: Turn, message: Message, text: string): void {
    const words = wrapped(text.slice(0, MAX_LINE), 'own message', 'own')
    const content = [
      { type: 'text' as const, text: `[Said by the same user since, and answered separately]\n${words}` },
    ]
    for (const live of this.#runtime.activeTurns.ofSession(turn.session))
      if (live.hasBegun && isSamePerson(live, message))
        live.addNote({
          message: { role: 'user', content },
          entry: { kind: 'message', role: 'user', content, meta: { turn: live.journal.id } },
        })
  }

  /** Says that a message was heard whose turn waits for an approval: its answer may come much later. */
  #acknowledge({ id }: Turn, message: Message): void {
    const { chat, log } = this.#runtime
    const { adapter, endpoint, channel, locale } = message
    chat
      ?.send(adapter, endpoint, channel, textsFor(locale).noted, { key: `turn/${id}/noted`, answers: message })
      .catch((error: unknown) => log.warn(`failed to acknowledge a message: ${messageOf(error)}`, { turn: id }))
  }
}

const hasMore = ({ segments }: Message): boolean =>
  mediaKinds(segments).size > 0 ||
  segments.some(
    ({ type, data }) => type === 'forward' || (type === 'reply' && (data.isPart === true || data.id === undefined)),
  )

/** Returns whether a turn answers a message of the same person in the same place, whichever agent it is for. */
const isSamePerson = ({ journal }: LiveTurn, { adapter, endpoint, channel, sender }: Message): boolean =>
  journal.origin.user === sender.id &&
  journal.sessionKey === sessionKey(adapter, endpoint, channel, agentOfKey(journal.sessionKey))

/** Returns the entry of a message that is added to a turn. */
function addedEntry(
  { journal }: LiveTurn,
  message: Message,
  text: string,
  prefix = '',
): { readonly entry: NewEntry; readonly content: readonly [{ readonly type: 'text'; readonly text: string }] } {
  const { sender, row } = message
  const content = [{ type: 'text' as const, text: `${prefix}${wordsOf(message, message.roles, text)}` }] as const
  const meta = {
    turn: journal.id,
    said: text,
    sender: { id: sender.id, name: displayName(sender) },
    ...(row === undefined ? {} : { row }),
  }
  return { entry: { kind: 'message', role: 'user', content, meta }, content }
}
