// The methods that a console needs first: entries, the RPC entry point, its catalogue, the event stream.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Json, Time } from './common.js'

const EntryText = Type.Union([
  Type.String({ maxLength: 256 }),
  Type.Object({ en: Type.String({ maxLength: 256 }), 'zh-CN': Type.Optional(Type.String({ maxLength: 256 })) }),
])
const EntryPlace = {
  name: EntryText,
  icon: Type.Optional(Type.String({ description: 'Name of an icon of the console' })),
  parent: Type.Optional(Type.String()),
}
const EntryMeta = Type.Object({
  hideInMenu: Type.Optional(Type.Boolean()),
  order: Type.Optional(Type.Number()),
  group: Type.Optional(Type.String()),
  fullWidth: Type.Optional(Type.Boolean()),
})

/** What the page of a plugin adds to the console: routes and tools. */
export const EntryManifest = Type.Object({
  routes: Type.Array(Type.Object({ ...EntryPlace, path: Type.String(), meta: Type.Optional(EntryMeta) }), {
    maxItems: 100,
  }),
  tools: Type.Array(
    Type.Object({ ...EntryPlace, id: Type.Optional(Type.String()), path: Type.Optional(Type.String()) }),
    { maxItems: 100 },
  ),
})
export type EntryManifest = Static<typeof EntryManifest>

/** The console page of a plugin, as clients load it. */
export const ConsoleEntry = Type.Object({
  id: Type.String(),
  resolvedModule: Type.String({
    description: 'Path of the module, relative to the host’s origin',
    examples: ['/@dev/sandbox/client/index.js?v=3f2a'],
  }),
  order: Type.Number(),
  enabled: Type.Boolean(),
  meta: Type.Object({
    name: Type.String(),
    version: Type.String(),
    plugin: Type.Optional(Type.String({ description: 'The plugin that contributed the entry' })),
    manifest: Type.Optional(EntryManifest),
  }),
})
export type ConsoleEntry = Static<typeof ConsoleEntry>

/** An event of the stream. */
export const StreamFrame = Type.Object({ type: Type.String(), data: Json, timestamp: Time })
export type StreamFrame = Static<typeof StreamFrame>

/** The RPC channel, the event stream and the pages of plugins. */
export const consoleApi = contract({
  rest: {
    'GET /entries': {
      summary: 'Console entries of plugins',
      reply: Type.Object({
        entries: Type.Array(ConsoleEntry),
        runtimeEnvHint: Type.Enum(['development', 'production']),
      }),
      scope: 'public',
    },
    'GET /@dev/:id/*path': {
      summary: 'A client module of an entry',
      params: Type.Object({ id: Type.String(), path: Type.String() }),
      raw: 'text/javascript; charset=utf-8',
      scope: 'public',
    },
    'POST /console/request': {
      summary: 'Calls an RPC method',
      body: Type.Object(
        { type: Type.String({ minLength: 1, maxLength: 128 }), requestId: Type.Optional(Type.Number()) },
        { examples: [{ type: 'ping', requestId: 1 }] },
      ),
      reply: Type.Object({ success: Type.Boolean(), data: Json, requestId: Type.Optional(Type.Number()) }),
      scope: 'demo',
      errors: ['unknown_method', 'unsupported'],
    },
    'GET /console/methods': {
      summary: 'The methods and events that are available now',
      data: Type.Object({
        methods: Type.Array(
          Type.Object({
            type: Type.String(),
            summary: Type.Optional(Type.String()),
            scope: Type.String(),
            params: Json,
            result: Json,
          }),
        ),
        events: Type.Array(Type.Object({ type: Type.String(), summary: Type.Optional(Type.String()), data: Json })),
      }),
    },
    'GET /events': {
      summary: 'The event stream, resumed by `Last-Event-ID`',
      query: Type.Object({ lastEventId: Type.Optional(Type.String()) }),
      raw: 'text/event-stream; charset=utf-8',
      scope: 'demo',
    },
  },
  rpc: {
    ping: { summary: 'Returns `pong`', reads: true, data: Type.Object({ type: Type.Enum(['pong']) }), scope: 'demo' },
    'entries:get': {
      summary: 'Console entries of plugins',
      reads: true,
      data: Type.Array(ConsoleEntry),
      scope: 'demo',
    },
  },
  events: {
    sync: {
      summary: 'State that is sent when a connection opens and again when it changes',
      data: Type.Object({ key: Type.String(), value: Json, reset: Type.Optional(Type.Boolean()) }),
    },
    'init-data': { summary: 'The connection is open', data: Type.Object({ timestamp: Time }) },
    'data-update': { summary: 'The data of a list changed', data: Type.Object({ timestamp: Time }) },
  },
})
