// RPC: sessions, turns, questions, usage.
import { WireError } from '@mynah/contract'
import type { HostControl } from '@mynah/kernel'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { agent as contract, type EntryView, type SessionRow, type TurnRow } from './contract.js'
import type { Entry, Session, SessionStore, Turn } from './session/types.js'
import { chosenLeaf, previewOf } from './session/trees.js'
import type { Turns } from './turn/turns.js'
import type { UsageLog } from './usage.js'

interface Deps {
  readonly store: () => SessionStore
  readonly turns: Turns
  readonly usage: UsageLog
  readonly host: HostControl
  readonly now: () => number
}

const RESULT = 8_192

export function turnRow(turn: Turn, redact: (text: string) => string): TurnRow {
  const { waiting } = turn
  return {
    id: turn.id,
    sessionKey: turn.session_key,
    state: turn.state,
    stage: turn.stage,
    step: turn.step,
    ...(turn.model === null ? {} : { model: turn.model }),
    startedAt: turn.started_at,
    ...(turn.ended_at === null ? {} : { endedAt: turn.ended_at }),
    ...(waiting && turn.state === 'waiting'
      ? {
          waitingFor: {
            kind: waiting.kind,
            id: waiting.id,
            ...(waiting.text === undefined ? {} : { text: waiting.text }),
            ...(waiting.choices ? { choices: [...waiting.choices] } : {}),
            ...(waiting.expiresAt === undefined ? {} : { expiresAt: waiting.expiresAt }),
          },
        }
      : {}),
    ...(turn.error === null ? {} : { error: redact(turn.error) }),
  }
}

function sessionRow({
  key,
  id,
  state,
  title,
  adapter,
  endpoint,
  channel,
  messages,
  active_at,
  usage,
}: Session): SessionRow {
  return {
    sessionKey: key,
    sessionId: id,
    state,
    ...(title === null ? {} : { title }),
    adapter,
    endpointId: endpoint,
    ...(channel === null ? {} : { channel }),
    messages,
    lastActiveAt: active_at,
    usage: { ...usage },
  }
}

function entryView(entry: Entry, redact: (text: string) => string): EntryView {
  const { n, parent, kind, meta, at } = entry
  const common = {
    id: n,
    parentId: parent,
    kind,
    ...(meta.sender ? { sender: { ...meta.sender } } : {}),
    ...(meta.turn === undefined ? {} : { turnId: meta.turn }),
    ...(meta.model === undefined ? {} : { model: meta.model }),
    ...(meta.usage ? { usage: { ...meta.usage } } : {}),
    timestamp: at,
  }
  if (entry.kind === 'summary' || entry.kind === 'branch_summary') return { ...common, content: entry.content.text }
  if (entry.kind === 'head')
    return {
      ...common,
      content: `${entry.content.tools.length} tools: ${entry.content.tools.map(({ name }) => name).join(', ')}`,
    }
  if (entry.kind === 'cut')
    return { ...common, content: `${entry.content.results?.length ?? 0} results are sent no more` }
  const content: EntryView['content'] = []
  for (const part of entry.content as readonly { readonly type: string; readonly [key: string]: unknown }[]) {
    if (part.type === 'text') content.push({ type: 'text', text: String(part.text) })
    else if (part.type === 'media')
      content.push({
        type: String(part.mediaType).startsWith('image/') ? 'image' : 'file',
        hash: String(part.hash),
        mediaType: String(part.mediaType),
      })
    else if (part.type === 'tool-call')
      content.push({ type: 'tool-call', id: String(part.id), name: String(part.name), input: part.input })
    else if (part.type === 'tool-result')
      content.push({
        type: 'tool-result',
        id: String(part.id),
        name: String(part.name),
        output: redact(shown(part.output)).slice(0, RESULT),
        ...(part.isError ? { isError: true } : {}),
      })
  }
  return {
    ...common,
    role: entry.role,
    content:
      entry.role === 'user' && meta.said !== undefined && !content.some(({ type }) => type !== 'text')
        ? meta.said
        : content,
  }
}

const shown = (output: unknown): string =>
  typeof output === 'string'
    ? output
    : Array.isArray(output)
      ? output
          .map((part: { text?: string; mediaType?: string }) => part.text ?? `(${part.mediaType ?? 'medium'})`)
          .join(' ')
      : ''

export function agentMethods({ store, turns, usage, host, now }: Deps): BoundMethod[] {
  const { rpc } = contract
  const redact = (text: string): string => host.redact(text)
  const find = async (sessionKey: string, sessionId: string | undefined): Promise<Session> => {
    const session = sessionId === undefined ? await turns.sessions.active(sessionKey) : await store().byId(sessionId)
    if (!session || session.key !== sessionKey) throw new WireError('not_found', 'There is no such session')
    return session
  }
  return [
    method(rpc, 'agent:sessions', async ({ filter, state, limit = 50, before }) => {
      await turns.sessions.archiveIdle()
      const { rows, total } = await store().list({
        limit: limit + 1,
        ...(filter === undefined ? {} : { filter }),
        ...(state === undefined ? {} : { state }),
        ...(before === undefined ? {} : { before }),
      })
      const page = rows.slice(0, limit)
      return {
        sessions: page.map(sessionRow),
        total,
        ...(rows.length > limit ? { nextBefore: page.at(-1)?.id as string } : {}),
      }
    }),
    method(rpc, 'agent:session', async ({ sessionKey, sessionId, leaf, limit = 50, before }) => {
      const session = await find(sessionKey, sessionId)
      if (leaf !== undefined && !(await store().entry(session.id, leaf)))
        throw new WireError('not_found', `There is no entry ${leaf} in this session`)
      const rows = await store().page(session.id, leaf ?? session.leaf, {
        limit: limit + 1,
        ...(before === undefined ? {} : { before }),
      })
      const page = rows.slice(0, limit)
      return {
        sessionKey,
        sessionId: session.id,
        activeLeafMessageId: await chosenLeaf(store(), session),
        entries: page.map((entry) => entryView(entry, redact)),
        ...(rows.length > limit ? { nextBefore: page.at(-1)?.n as number } : {}),
      }
    }),
    method(rpc, 'agent:branches', async ({ sessionKey, sessionId }) => {
      const session = await find(sessionKey, sessionId)
      return {
        leaves: (await store().leaves(session.id)).map((entry) => ({
          id: entry.n,
          preview: previewOf(entry),
          timestamp: entry.at,
          active: entry.n === session.leaf,
        })),
      }
    }),
    method(rpc, 'agent:turns', async ({ active, limit = 50 }) => {
      const live = new Map(turns.all().map(({ journal }) => [journal.id, journal]))
      return {
        turns: (await store().turns({ limit, ...(active ? { open: true } : {}) })).map((turn) =>
          turnRow(live.get(turn.id) ?? turn, redact),
        ),
      }
    }),
    method(rpc, 'agent:stop', ({ turnId }) => {
      if (!turns.stop(turnId)) throw new WireError('not_found', 'No such turn is running')
      return { success: true }
    }),
    method(rpc, 'agent:answer', async ({ id, text }) => {
      await turns.asked.told(id, text)
      return { success: true }
    }),
    method(rpc, 'agent:export', async ({ sessionKey, sessionId }) => {
      const session = await find(sessionKey, sessionId)
      const entries = [...(await store().page(session.id, session.leaf, { limit: 20_000 }))].reverse()
      return {
        sessionKey,
        sessionId: session.id,
        entries: entries.map((entry) => JSON.parse(redact(JSON.stringify(entry))) as unknown),
      }
    }),
    method(rpc, 'agent:usage', async ({ days = 30 }) => ({
      days: await usage.days(new Date(now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)),
    })),
  ]
}
