import type { MessageRow, Segment } from '@mynah/contract/types'
import type { TextPart } from '@mynah/plugin-ai/api'
import { isForeign, type Message } from '@mynah/plugin-chat/api'
import { isKnown } from '../access/verdict.js'
import type { PromptContext, SectionFile } from '../api.js'
import { renderSections } from '../prompt/sections.js'
import { displayName, singleLine, speakerElement } from '../prompt/speakers.js'
import type { AgentRuntime } from '../runtime.js'
import type { Entry, EntryMeta, NewEntry, UserPart } from '../session/types.js'
import { loadMediaParts, textWithoutMedia, type MediaTarget } from './inbound-media.js'
import { nonEmptyString } from './media-bytes.js'
import type { LiveTurn } from './live-turn.js'
import { MAX_LINE, OVERHEARD_AGE_MS, OVERHEARD_ROWS, userContent } from './preamble.js'

/** Messages among which a quoted one is looked for. */
const QUOTED_ROWS = 100

export interface UserEntryOptions {
  /** The path that the entry continues. */
  readonly path: readonly Entry[]
  readonly context: PromptContext
  /** The kinds of media that the models of the turn take. */
  readonly models: MediaTarget
  /** Time for all media together. */
  readonly mediaTimeoutMs: number
}

/** Builds the entry of the user: the words, the media, and everything that the host adds. */
export async function buildUserEntry(
  runtime: AgentRuntime,
  live: LiveTurn,
  options: UserEntryOptions,
): Promise<NewEntry & { readonly role: 'user' }> {
  const { config, clock, host } = runtime
  const { toneAwareness } = config['ai.agent']
  const builtIn = runtime.builtInSections.filter(({ id }) => id !== 'tone' || toneAwareness)
  const sections = await renderSections(builtIn, runtime.sections, 'preamble', options.context, host)
  const { strangers, ...group } = await groupContext(runtime, live, options)
  const others = runtime.activeTurns.othersThan(live)
  const own = others.filter(({ journal }) => journal.origin.user === live.journal.origin.user)
  const said = textWithoutMedia(live.journal.text, live.media)
  const { words, media } = ownParts(live.message, options.context.roles, said, await loadMedia(runtime, live, options))
  return {
    kind: 'message',
    role: 'user',
    content: userContent(words, media, {
      now: clock.now(),
      sections,
      others: others.length,
      ownWords: live.message ? own.map(({ journal }) => journal.text) : [],
      ...group,
    }),
    meta: metaOf(
      live,
      sections.flatMap(({ files }) => files),
      strangers,
    ),
  }
}

/** Returns the words of a sender. Where several people speak, they stand in an element with who says them. */
export const wordsOf = (
  { adapter, endpoint, sender, channel }: Message,
  roles: ReadonlySet<string>,
  said: string,
): string =>
  channel.type === 'private' ? said : speakerElement('message', { adapter, endpoint, person: sender, roles }, said)

/**
 * Returns what the sender says and shows. In a group all text of it, such as that of sounds, is in the element, except
 * documents, which have marks of their own.
 */
function ownParts(
  message: Message | undefined,
  roles: ReadonlySet<string>,
  said: string,
  media: readonly UserPart[],
): { readonly words: string; readonly media: readonly UserPart[] } {
  if (!message || message.channel.type === 'private') return { words: said, media }
  const texts = media.flatMap((part) => (isSaid(part) ? [part.text] : []))
  return {
    words: wordsOf(message, roles, [said, ...texts].filter((text) => text !== '').join('\n')),
    media: media.filter((part) => !isSaid(part)),
  }
}

const isSaid = (part: UserPart): part is TextPart => part.type === 'text' && !('isDocument' in part)

async function loadMedia(
  runtime: AgentRuntime,
  live: LiveTurn,
  { models, mediaTimeoutMs }: UserEntryOptions,
): Promise<UserPart[]> {
  const { journal, message, media, signal } = live
  if (media.length === 0) return []
  const { origin, sessionKey, id } = journal
  const { chat } = runtime
  return loadMediaParts(runtime, media, {
    platform:
      message && chat && ((segment, limits) => chat.fetchMedia(message.adapter, message.endpoint, segment, limits)),
    about: { origin, session: sessionKey, turn: id },
    models,
    signal,
    timeoutMs: mediaTimeoutMs,
    onTranscribed: (outcome, reason) => message?.step('speech', 'transcribe', outcome, reason),
    onRead: (outcome, reason) => message?.step('document', 'read', outcome, reason),
  })
}

/** Returns which message is quoted, and what was said in the group since the last message of the path. */
async function groupContext(
  runtime: AgentRuntime,
  { message }: LiveTurn,
  { path, context }: UserEntryOptions,
): Promise<{
  readonly overheard: readonly string[]
  readonly quoted: string | undefined
  readonly forwarded: string | undefined
  readonly strangers: boolean
}> {
  if (!message) return { overheard: [], quoted: undefined, forwarded: undefined, strangers: false }
  const rows = message.channel.type === 'private' ? [] : await overheardMessages(runtime, message, path)
  return {
    overheard: rows.map((row) => overheardElement(runtime, message, row)),
    strangers:
      !isKnown(context.roles) ||
      message.replyTo !== undefined ||
      message.segments.some(isForeign) ||
      rows.some(({ sender }) => !isKnown(rolesOfOther(runtime, message, sender.id))),
    quoted: await quotedText(runtime, message),
    forwarded: foreignText(message.segments.find(({ type }) => type === 'forward')),
  }
}

const rolesOfOther = ({ chat }: AgentRuntime, { adapter, endpoint }: Message, user: string): ReadonlySet<string> =>
  chat?.rolesOf(adapter, endpoint, user) ?? new Set()

const overheardElement = (runtime: AgentRuntime, message: Message, { sender: person, text }: MessageRow): string => {
  const { adapter, endpoint } = message
  const roles = rolesOfOther(runtime, message, person.id)
  return speakerElement('overheard', { adapter, endpoint, person, roles }, text.slice(0, MAX_LINE))
}

function metaOf({ message, journal }: LiveTurn, files: readonly SectionFile[], strangers: boolean): EntryMeta {
  return {
    turn: journal.id,
    said: journal.text,
    ...(strangers ? { strangers } : {}),
    ...(files.length ? { files } : {}),
    ...(message ? { sender: { id: message.sender.id, name: displayName(message.sender) } } : {}),
    ...(message?.row === undefined ? {} : { row: message.row }),
  }
}

const conversationOf = ({ adapter, endpoint, channel }: Message) => ({ adapter, endpoint, channel })

/** Returns what was said in the group since the last message of this path, but not messages with turns of their own. */
async function overheardMessages(
  { chat, clock, store }: AgentRuntime,
  message: Message,
  path: readonly Entry[],
): Promise<readonly MessageRow[]> {
  if (!chat) return []
  const after = path.findLast((entry) => entry.kind === 'message' && entry.meta.row !== undefined)?.meta.row
  const rows = await chat.transcript({
    ...conversationOf(message),
    limit: OVERHEARD_ROWS * 2,
    since: clock.now() - OVERHEARD_AGE_MS,
    ...(after === undefined ? {} : { after }),
    ...(message.row === undefined ? {} : { before: message.row }),
  })
  const inbound = rows.filter(({ direction, deletedAt }) => direction === 'in' && deletedAt === undefined)
  const answered = await store.answeredRows(inbound.map(({ id }) => id))
  return inbound.filter(({ id }) => !answered.has(id)).slice(-OVERHEARD_ROWS)
}

/** Returns the words of a quoted or forwarded message, with the name of their author where the platform reports it. */
function foreignText(segment: Segment | undefined): string | undefined {
  const text = nonEmptyString(segment?.data.text)
  const name = singleLine(nonEmptyString(segment?.data.name) ?? '', MAX_LINE)
  return text === undefined || name === '' ? text : `${name}:\n${text}`
}

/** Returns the quoted words: the selected part, else the message that chat knows, else those that the platform has. */
async function quotedText({ chat }: AgentRuntime, message: Message): Promise<string | undefined> {
  const segment = message.segments.find(({ type }) => type === 'reply')
  const sent = foreignText(segment)
  const { replyTo } = message
  if (replyTo === undefined || (sent !== undefined && segment?.data.isPart === true)) return sent
  const rows = await chat?.transcript({ ...conversationOf(message), limit: QUOTED_ROWS })
  const row = rows?.find(({ messageId }) => messageId === replyTo)
  if (!row) return sent
  return row.deletedAt === undefined ? row.text : undefined
}
