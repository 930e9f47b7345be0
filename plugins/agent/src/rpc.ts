import { WireError } from '@mynah/contract'
import { DAY_MS, omitUndefined } from '@mynah/kernel/util'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { agent as contract, type EntryView, type SessionRow, type TurnRow } from './contract.js'
import type { AgentRuntime } from './runtime.js'
import { exportedEntry, storedKind } from './session/records.js'
import type { Entry, MessageEntry, Session, Turn, WaitingFor } from './session/types.js'
import { hostOfSession, placesOfHost } from './session/session-places.js'
import { searchSessions, subjectsOf } from './session/search-view.js'
import { pinnedLeaf, previewOf } from './session/trees.js'
import type { Turns } from './turn/turns.js'
import type { UsageLog } from './usage-log.js'

/** Characters of a tool result that are shown. */
const MAX_RESULT = 8_192
/** Characters of the words of a turn. */
const MAX_WORDS = 4_000
/** Entries of an export. */
const MAX_EXPORT = 20_000

type Redact = (text: string) => string
type PartView = Exclude<EntryView['content'], string>[number]
type Part = { readonly type: string; readonly [key: string]: unknown }

/** Returns a turn as RPC and events show it. */
export function turnRow(turn: Turn, redact: Redact): TurnRow {
  const { id, sessionKey, state, stage, step, waiting, startedAt } = turn
  return omitUndefined({
    id,
    sessionKey,
    state,
    stage,
    step,
    model: turn.model ?? undefined,
    text: redact(turn.text).slice(0, MAX_WORDS),
    entryId: turn.entrySeqs.at(-1),
    startedAt,
    endedAt: turn.endedAt ?? undefined,
    waitingFor: waiting && state === 'waiting' ? waitingView(waiting) : undefined,
    error: turn.error === null ? undefined : redact(turn.error),
  })
}

const waitingView = ({ kind, id, call, text, choices, expiresAt }: WaitingFor): NonNullable<TurnRow['waitingFor']> =>
  omitUndefined({ kind, id, call, text, choices: choices && [...choices], expiresAt })

const sessionRow = (session: Session, subject: string | undefined, host: string | undefined): SessionRow =>
  omitUndefined({
    host,
    sessionKey: session.key,
    sessionId: session.id,
    state: session.state,
    title: session.title ?? undefined,
    subject,
    adapter: session.adapter,
    endpointId: session.endpoint,
    channel: session.channel ?? undefined,
    messages: session.messages,
    lastActiveAt: session.activeAt,
    usage: session.usage,
    model: session.model ?? undefined,
    thinking: session.thinking ?? undefined,
  })

function entryView(entry: Entry, redact: Redact): EntryView {
  const { seq, parent, kind, meta, at } = entry
  const { sender, turn, model, usage } = meta
  const ids = { id: seq, parentId: parent, kind: storedKind(kind) }
  const common = { ...omitUndefined({ ...ids, sender, turnId: turn, model, usage }), timestamp: at }
  switch (entry.kind) {
    case 'summary':
    case 'branch_summary':
      return { ...common, content: entry.content.text }
    case 'prompt': {
      const { tools } = entry.content
      return {
        ...common,
        role: 'system',
        content: `${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`,
      }
    }
    case 'cut':
      return { ...common, content: `${entry.content.results?.length ?? 0} results are sent no more` }
    default:
      return { ...common, role: entry.role, content: messageContent(entry, redact) }
  }
}

function messageContent({ role, content, meta }: MessageEntry, redact: Redact): EntryView['content'] {
  const parts = (content as readonly Part[]).flatMap((part) => partView(part, redact) ?? [])
  const isText = parts.every(({ type }) => type === 'text')
  return role === 'user' && meta.said !== undefined && isText ? meta.said : parts
}

function partView(part: Part, redact: Redact): PartView | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: String(part.text) }
    case 'media': {
      const mediaType = String(part.mediaType)
      return { type: mediaType.startsWith('image/') ? 'image' : 'file', hash: String(part.hash), mediaType }
    }
    case 'tool-call':
      return { type: 'tool-call', id: String(part.id), name: String(part.name), input: part.input }
    case 'tool-result':
      return {
        type: 'tool-result',
        id: String(part.id),
        name: String(part.name),
        output: redact(outputText(part.output)).slice(0, MAX_RESULT),
        ...(part.isError ? { isError: true } : {}),
      }
    default:
      return undefined
  }
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return ''
  const parts = output as readonly { readonly text?: string; readonly mediaType?: string }[]
  return parts.map(({ text, mediaType }) => text ?? `(${mediaType ?? 'medium'})`).join(' ')
}

/** Returns the RPC methods of sessions, turns, questions and usage. */
export const agentMethods = (runtime: AgentRuntime, turns: Turns, usage: UsageLog): BoundMethod[] => [
  ...sessionMethods(runtime, turns),
  ...turnMethods(runtime, turns, usage),
]

function sessionMethods({ store, host, cluster }: AgentRuntime, turns: Turns): BoundMethod[] {
  const { rpc } = contract
  const redact: Redact = (text) => host.redact(text)
  const find = async (sessionKey: string, sessionId: string | undefined): Promise<Session> => {
    const session = sessionId === undefined ? await turns.sessions.active(sessionKey) : await store.byId(sessionId)
    if (!session || session.key !== sessionKey) throw new WireError('not_found', 'There is no such session')
    return session
  }
  return [
    method(rpc, 'agent:sessions', async ({ filter, state, host: name, limit = 50, before }) => {
      await turns.sessions.archiveIdle()
      const { rows, total } = await store.list(
        omitUndefined({
          limit: limit + 1,
          filter,
          state,
          before,
          at: name === undefined ? undefined : placesOfHost(cluster, name),
        }),
      )
      const page = rows.slice(0, limit)
      const nextBefore = rows.length > limit ? page.at(-1)?.id : undefined
      const subjects = await subjectsOf(store, page, redact)
      return omitUndefined({
        sessions: page.map((row) => sessionRow(row, subjects.get(row.id), hostOfSession(cluster, row))),
        total,
        nextBefore,
      })
    }),
    method(rpc, 'agent:session', async ({ sessionKey, sessionId, leaf, limit = 50, before }) => {
      const session = await find(sessionKey, sessionId)
      if (leaf !== undefined && !(await store.entry(session.id, leaf)))
        throw new WireError('not_found', `There is no entry ${leaf} in this session`)
      const rows = await store.page(session.id, leaf ?? session.leaf, omitUndefined({ limit: limit + 1, before }))
      const page = rows.slice(0, limit)
      const view = {
        sessionKey,
        sessionId: session.id,
        activeLeafMessageId: await pinnedLeaf(store, session),
        entries: page.map((entry) => entryView(entry, redact)),
      }
      const nextBefore = rows.length > limit ? page.at(-1)?.seq : undefined
      return nextBefore === undefined ? view : { ...view, nextBefore }
    }),
    method(rpc, 'agent:search', ({ text, limit = 50, before }) =>
      searchSessions(store, redact, omitUndefined({ text, limit, before })),
    ),
    method(rpc, 'agent:branches', async ({ sessionKey, sessionId }) => {
      const session = await find(sessionKey, sessionId)
      return {
        leaves: (await store.leaves(session.id)).map((entry) => ({
          id: entry.seq,
          preview: previewOf(entry),
          timestamp: entry.at,
          active: entry.seq === session.leaf,
        })),
      }
    }),
    method(rpc, 'agent:export', async ({ sessionKey, sessionId }) => {
      const session = await find(sessionKey, sessionId)
      const entries = [...(await store.page(session.id, session.leaf, { limit: MAX_EXPORT }))].reverse()
      return {
        sessionKey,
        sessionId: session.id,
        entries: entries.map((entry) => JSON.parse(redact(JSON.stringify(exportedEntry(entry)))) as unknown),
      }
    }),
  ]
}

/** Open turns that are looked through. */
const MAX_OPEN = 1_000

const waits = (waiting: WaitingFor | null): readonly WaitingFor[] =>
  waiting === null ? [] : [waiting, ...(waiting.beside ?? [])]

/** Returns the process that works on an open turn, in a cluster. */
async function hostOf(store: AgentRuntime['store'], matches: (turn: Turn) => boolean): Promise<string | undefined> {
  const open = await store.turns({ open: true, limit: MAX_OPEN })
  return open.find(matches)?.host ?? undefined
}

function turnMethods({ store, host, clock, activeTurns }: AgentRuntime, turns: Turns, usage: UsageLog): BoundMethod[] {
  const { rpc } = contract
  return [
    method(rpc, 'agent:turns', async ({ active, limit = 50 }) => {
      const stored = await store.turns({ limit, ...(active ? { open: true } : {}) })
      // A running turn knows more than its row.
      const rows = stored.map((turn) => activeTurns.get(turn.id)?.live.journal ?? turn)
      return { turns: rows.map((turn) => turnRow(turn, (text) => host.redact(text))) }
    }),
    method(
      rpc,
      'agent:stop',
      ({ turnId }) => {
        if (!turns.stop(turnId)) throw new WireError('not_found', 'No such turn is running')
        return { success: true }
      },
      { place: ({ turnId }) => hostOf(store, (turn) => turn.id === turnId) },
    ),
    method(
      rpc,
      'agent:answer',
      async ({ id, text }) => {
        await turns.questions.answerById(id, text)
        return { success: true }
      },
      { place: ({ id }) => hostOf(store, ({ waiting }) => waits(waiting).some((wait) => wait.id === id)) },
    ),
    method(rpc, 'agent:usage', async ({ days = 30 }) => ({
      days: await usage.days(new Date(clock.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)),
    })),
  ]
}
