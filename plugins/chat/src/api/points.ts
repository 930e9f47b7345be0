// What plugins add to chat and hear from it: points, hooks, and the service behind which chat stands.
import { hook, point, service, type Service } from '@mynah/kernel'
import type { Content, EndpointInfo, EndpointRow, Segment, Trace } from '@mynah/contract/types'
import type { Adapter, InboundNotice, InboundRequest } from './adapter.js'
import type { Command } from './command.js'
import type { Message, Receipt, Role, Target } from './message.js'

/** Chat platforms. */
export const adapters = point<Adapter>({ id: 'chat.adapters', key: (adapter) => adapter.name, describe: (adapter) => ({ name: adapter.name, ...(adapter.platform ? { description: adapter.platform } : {}) }) })

/** Commands of the bot. */
export const commands = point<Command>({
  id: 'chat.commands',
  key: (command) => command.name,
  describe: (command) => ({ name: command.name, description: typeof command.description === 'string' ? command.description : command.description.en }),
})

/** Runs around everything that happens to a message; not calling `next` ends it. */
export interface Middleware {
  readonly name: string
  /** Higher runs first; default 0. */
  readonly priority?: number
  readonly handle: (message: Message, next: () => Promise<void>) => Promise<void> | void
}
export const middlewares = point<Middleware>({ id: 'chat.middlewares', key: (middleware) => middleware.name })

/** A reusable function that renders a rich reply; used by `Component(name, props)`. */
export interface MessageComponent { readonly name: string; readonly description?: string; readonly render: (props: Record<string, unknown>) => Content }
export const components = point<MessageComponent>({ id: 'chat.components', key: (component) => component.name, describe: (component) => ({ name: component.name, ...(component.description ? { description: component.description } : {}) }) })

/** The AI path of the dispatcher. */
export interface AiPath {
  readonly name: string
  /** Whether the AI answers this message; the reason stands in the trace either way. */
  readonly decide: (message: Message) => { readonly matches: boolean; readonly reason: string }
  readonly handle: (message: Message, reply: (content: Content) => Promise<Receipt>) => Promise<void>
}
export const aiPaths = point<AiPath>({ id: 'chat.ai', key: (path) => path.name })

/** A message about to be sent; a listener passes on what is to be sent, or `undefined` to hold it back. */
export interface Outgoing {
  readonly adapter: string
  readonly endpoint: string
  readonly target: Target
  readonly segments: readonly Segment[]
}
/** Around every message that leaves, whoever sends it. */
export const beforeSendMessage = hook<Outgoing, Outgoing | undefined>('before.sendMessage')
/** After middleware and dispatcher have finished with an inbound message. */
export const messageReceive = hook<Message>('message.receive')
/** After the adapter has sent a message. */
export const messageSend = hook<Outgoing & Receipt>('message.send')
/** A friend or group request came in. */
export const requestReceive = hook<InboundRequest & { readonly adapter: string; readonly endpoint: string }>('request.receive')
/** A platform notice came in. */
export const noticeReceive = hook<InboundNotice & { readonly adapter: string; readonly endpoint: string }>('notice.receive')
/** An endpoint came online, went offline, was added or removed. */
export const endpointChanged = hook<{ readonly adapter: string; readonly endpoint: string; readonly status: 'online' | 'offline' | 'pending' | 'removed' }>('endpoint.changed')

/** What a polished reply knows of itself. */
export interface OutboundReply { readonly message: Message; readonly source: 'command' | 'ai' }
/** Changes the segments of replies that the dispatcher sends. */
export type OutboundPolish = (segments: readonly Segment[], reply: OutboundReply) => readonly Segment[] | Promise<readonly Segment[]>

/** The dispatcher as others use it. */
export interface Dispatcher {
  /** Adds a polish handler; the returned function removes it. */
  addOutboundPolish(handler: OutboundPolish): () => void
}

/** Chat as others use it. */
export interface Chat {
  readonly dispatcher: Dispatcher
  /** Sends in the name of an endpoint. Throws `not_found` for an unknown endpoint, `not_ready` for one that is offline. */
  send(adapter: string, endpoint: string, target: Target, content: Content): Promise<Receipt>
  /** All endpoints, unread counts included. */
  list(): Promise<EndpointRow[]>
  info(adapter: string, endpoint: string): Promise<EndpointInfo>
  /** Endpoints without unread counts, at no cost. */
  endpoints(): readonly { readonly adapter: string; readonly name: string; readonly status: 'online' | 'offline' | 'pending' }[]
  /** How many endpoints are online. */
  online(): number
  /** Every command with its pattern, such as `/note add <text…>`, by pattern. */
  commands(): readonly { readonly pattern: string; readonly desc: string; readonly plugin: string }[]
  /** Roles of a user for an endpoint, as configured. */
  rolesOf(adapter: string, endpoint: string, userId: string): ReadonlySet<Role>
  /** The configured masters of an endpoint. */
  mastersOf(adapter: string, endpoint: string): readonly string[]
  traces(query: { limit: number; endpointId?: string; messageId?: string }): readonly Trace[]
  /** Messages in and out since the start. */
  readonly counters: { readonly received: number; readonly sent: number; readonly errors: number; readonly duplicates: number; readonly unsaved: number }
}
export const Chat: Service<Chat> = service<Chat>('chat')
