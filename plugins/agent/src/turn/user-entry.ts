// The entry of the user: the words, the media, and everything that the host tells beside them.
import type { MessageRow, Segment } from '@mynah/contract/types'
import type { Chat, Message } from '@mynah/plugin-chat/api'
import type { PromptContext } from '../api.js'
import { renderSections } from '../prompt/sections.js'
import { nameOf } from '../prompt/speakers.js'
import type { Entry, NewEntry, SessionStore, Turn, UserPart } from '../session/types.js'
import { mediaParts, wordsOf } from './inbound-media.js'
import { LISTENED_AGE_MS, LISTENED_ROWS, userParts } from './preamble.js'
import type { RunnerDeps } from './deps.js'

export interface UserEntry {
  readonly message: Message | undefined
  readonly segments: readonly Segment[]
  readonly turn: Turn
  readonly path: readonly Entry[]
  readonly context: PromptContext
  readonly others: number
  readonly takesVideo: boolean
  readonly signal: AbortSignal
  /** Time for its media, ms. */ readonly patience: number
}

export async function userEntry(
  deps: RunnerDeps,
  { message, segments, turn, path, context, others, takesVideo, signal, patience }: UserEntry,
): Promise<NewEntry & { readonly role: 'user' }> {
  const { config, clock, web, speech, media, log, cannotTranscribe, host } = deps
  const own = deps.ownSections.filter(({ id }) => id !== 'tone' || config()['ai.agent'].toneAwareness)
  const sections = await renderSections(own, deps.sections, 'preamble', context, host)
  const files = sections.flatMap((section) => section.files)
  const chat = deps.chat()
  const parts: UserPart[] = segments.length
    ? await mediaParts(segments, {
        folder: media,
        web,
        speech,
        platform:
          message && chat && ((segment, limits) => chat.fetchMedia(message.adapter, message.endpoint, segment, limits)),
        strategy: config()['ai.multimodal'].audio.strategy,
        log,
        cannotTranscribe,
        takesVideo,
        signal,
        clock,
        patience,
        about: { origin: turn.origin, session: turn.session_key, turn: turn.id },
        told: (outcome, reason) => message?.step('speech', 'transcribe', outcome, reason),
      })
    : []
  const isGroup = message !== undefined && message.channel.type !== 'private'
  const name = message && nameOf(message.sender)
  return {
    kind: 'message',
    role: 'user',
    content: userParts(wordsOf(turn.text, segments), parts, {
      now: clock.now(),
      sections,
      others,
      speaker: isGroup ? name : undefined,
      listened: isGroup && chat ? await listened(chat, message, path, clock.now(), deps.store()) : [],
      quoted: message?.replyTo !== undefined && chat ? await quoted(chat, message, message.replyTo) : undefined,
    }),
    meta: {
      turn: turn.id,
      said: turn.text,
      ...(files.length ? { files } : {}),
      ...(message
        ? {
            sender: { id: message.sender.id, name: name as string },
            ...(message.row === undefined ? {} : { row: message.row }),
          }
        : {}),
    },
  }
}

const placeOf = ({ adapter, endpoint, channel }: Message) => ({ adapter, endpoint, channel })

/** What was said in the group since the last message of this path, but to the bot: that has turns of its own. */
async function listened(
  chat: Chat,
  message: Message,
  path: readonly Entry[],
  now: number,
  store: SessionStore,
): Promise<readonly MessageRow[]> {
  const last = path.findLast((entry) => entry.kind === 'message' && entry.meta.row !== undefined)?.meta.row
  const rows = await chat.transcript({
    ...placeOf(message),
    limit: LISTENED_ROWS * 2,
    since: now - LISTENED_AGE_MS,
    ...(last === undefined ? {} : { after: last }),
    ...(message.row === undefined ? {} : { before: message.row }),
  })
  const said = rows.filter(({ direction }) => direction === 'in')
  const answered = await store.rowsOfTurns(said.map(({ id }) => id))
  return said.filter(({ id }) => !answered.has(id)).slice(-LISTENED_ROWS)
}

async function quoted(chat: Chat, message: Message, messageId: string): Promise<string | undefined> {
  return (await chat.transcript({ ...placeOf(message), limit: 100 })).find((row) => row.messageId === messageId)?.text
}
