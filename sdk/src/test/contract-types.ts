// Compiles only where the types of the client are those of the contract.
import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import type {
  CronTask,
  EndpointInfo,
  Health,
  LogEntry,
  MessageRow,
  PluginDetail,
  SandboxMessage,
} from '@mynah/contract/types'
import type { Client } from '../index.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const is = <T extends true>(_same?: T): void => undefined

export async function operations(client: Client): Promise<void> {
  const detail = await client.rest('GET /plugins/:name', { params: { name: 'chat' } })
  is<Same<typeof detail, PluginDetail>>()
  const health = await client.rest('GET /pub/health')
  is<Same<typeof health, Health>>()
  const logs = await client.rest('GET /logs', {
    query: { limit: 5, level: 'all' },
    signal: AbortSignal.abort(),
    timeout: 5,
  })
  is<Same<typeof logs, LogEntry[]>>()
  const metrics = await client.rest('GET /metrics')
  is<Same<typeof metrics, string>>()
  const page = await client.rest('GET /introspection/tools', { query: { page: 2 } })
  is<Same<(typeof page.items)[number]['description'], string>>()
  const deleted = await client.rest('DELETE /logs')
  is<Same<typeof deleted, { deleted: number }>>()
  const leaf = await client.rest('POST /agent/sessions/:sessionKey/leaf', {
    params: { sessionKey: 'a' },
    body: { index: 1 },
  })
  is<Same<typeof leaf.data.activeLeafMessageId, number | null>>()
  // @ts-expect-error no such operation
  await client.rest('GET /plugin')
  // @ts-expect-error the parameter is missing
  await client.rest('GET /plugins/:name')
  // @ts-expect-error not a parameter of this operation
  await client.rest('GET /plugins/:name', { params: { id: 'chat' } })
  // @ts-expect-error no such level
  await client.rest('GET /logs', { query: { level: 'loud' } })
  // @ts-expect-error it takes no query
  await client.rest('GET /stats', { query: { a: 1 } })
  // @ts-expect-error the stream is at client.events
  await client.rest('GET /events')
}

export async function methods(client: Client): Promise<void> {
  const info = await client.rpc('endpoint:info', { adapter: 'irc', endpointId: 'libera' })
  is<Same<typeof info, EndpointInfo>>()
  const task = await client.rpc('cron:add', { cronExpression: '* * * * *', prompt: 'hi' }, { timeout: 5 })
  is<Same<typeof task, CronTask>>()
  await client.rpc('chat:traces')
  await client.rpc('endpoint:list')
  await client.rpc('ping', {}, { signal: AbortSignal.abort() })
  // @ts-expect-error parameters are missing
  await client.rpc('db:select')
  // @ts-expect-error not a parameter of this method
  await client.rpc('files:read', { path: 'a' })
  // @ts-expect-error it takes none
  await client.rpc('ping', { a: 1 })
}

export function events(client: Client): void {
  client.events.on('endpoint:message', (row) => is<Same<typeof row.channel, MessageRow['channel']>>())
  client.events.on('sandbox:message', (message) => is<Same<typeof message, SandboxMessage>>())
  client.events.on('system:restarting', (nothing) => is<Same<typeof nothing, null>>())
  client.events.on('reset', () => undefined)
  client.events.on('*', (frame) => is<Same<typeof frame.type, string>>())
  // @ts-expect-error no such event
  client.events.on('endpoint:massage', () => undefined)
}

const greeter = contract({
  rest: {
    'GET /greeter/:name': {
      summary: 'Greets',
      params: Type.Object({ name: Type.String() }),
      data: Type.Object({ text: Type.String() }),
    },
  },
  rpc: {
    'greeter:greet': {
      summary: 'Greets',
      params: Type.Object({ name: Type.String() }),
      data: Type.Object({ text: Type.String() }),
    },
  },
  events: { 'greeter:greeted': { summary: 'A name was greeted', data: Type.Object({ name: Type.String() }) } },
})
const odd = contract({
  rest: {
    'GET /feed': { summary: 'Public', reply: Type.Object({ success: Type.Boolean() }), scope: 'public' },
    'GET /pub/odd': { summary: 'Public', data: Type.Object({}), scope: 'public' },
  },
  rpc: {
    'odd:nested': { summary: 'Nested', params: Type.Object({}), nested: true, data: Type.Object({}) },
    'endpoint:odd': { summary: 'Nested', params: Type.Object({}), nested: true, data: Type.Object({}) },
  },
})

export async function contracts(client: Client): Promise<void> {
  const more = client.with<typeof greeter>()
  const greeting = await more.rpc('greeter:greet', { name: 'Ada' })
  is<Same<typeof greeting, { text: string }>>()
  is<Same<Awaited<ReturnType<typeof more.rest<'GET /greeter/:name'>>>, { text: string }>>()
  more.events.on('greeter:greeted', (data) => is<Same<typeof data, { name: string }>>())
  await more.rpc('ping')
  // @ts-expect-error the contract has not been given
  await client.rpc('greeter:greet', { name: 'Ada' })
  client.with<typeof odd>({
    nested: { 'odd:nested': true },
    outside: { 'GET /feed': true },
    whole: { 'GET /feed': true },
  })
  // @ts-expect-error the client cannot know how these are called
  client.with<typeof odd>()
  // @ts-expect-error one is missing
  client.with<typeof odd>({ outside: { 'GET /feed': true }, whole: { 'GET /feed': true } })
}
void greeter
void odd
