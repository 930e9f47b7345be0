import { WireError, chat as chatContract, endpoints as endpointsContract } from '@mynah/contract'
import { endpointPlace } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import type { CAPABILITIES } from './api/adapter.js'
import { refuseLocalFiles } from './api/local-file.js'
import type { Chat } from './api/points.js'
import type { EndpointKey, InboxQuery } from './api/store.js'
import type { OtherHosts } from './cluster/other-hosts.js'
import type { AccountTests } from './endpoints/account-tests.js'
import { capabilityOf } from './endpoints/capability-of.js'
import type { Endpoint } from './endpoints/endpoint.js'
import type { Endpoints } from './endpoints/endpoints.js'
import { itemSchema } from './endpoints/item-schema.js'
import type { Resender } from './outbound/resender.js'
import type { ChatRuntime } from './runtime.js'
import type { ActiveStore } from './store/active-store.js'

const { rpc } = endpointsContract

interface Address {
  readonly adapter: string
  readonly endpointId: string
}

const success = { success: true }

/** Returns the RPC methods that chat contributes. */
export function endpointMethods(
  chat: Chat,
  { endpoints, store, resender }: Pick<ChatRuntime, 'endpoints' | 'store' | 'resender'>,
  tests: AccountTests,
  others?: OtherHosts,
): BoundMethod[] {
  return [
    ...messagingMethods(chat).map(atEndpoint),
    ...accountMethods(endpoints, tests),
    ...socialMethods(endpoints).map(atEndpoint),
    ...requestMethods(endpoints, store).map(atEndpoint),
    ...inboxMethods(endpoints, store),
    ...unsentMethods(endpoints, store, resender).map(atEndpoint),
    ...observationMethods(chat, others),
  ]
}

/** Lets the host that has the endpoint of a call run a method. */
const atEndpoint = (bound: BoundMethod): BoundMethod => ({
  ...bound,
  place: ({ adapter, endpointId }) =>
    typeof adapter === 'string' && typeof endpointId === 'string' ? endpointPlace(adapter, endpointId) : undefined,
})

function messagingMethods(chat: Chat): BoundMethod[] {
  return [
    method(rpc, 'endpoint:list', async () => ({ endpoints: await chat.list() })),
    method(rpc, 'endpoint:info', (at) => chat.info(at.adapter, at.endpointId)),
    method(rpc, 'endpoint:sendMessage', async ({ adapter, endpointId, id, type, content, parent }) => {
      refuseLocalFiles(content)
      const { messageId } = await chat.send(adapter, endpointId, { type, id, ...(parent ? { parent } : {}) }, content)
      return { messageId }
    }),
  ]
}

/** Methods for accounts that are to be added. */
function accountMethods(endpoints: Endpoints, tests: AccountTests): BoundMethod[] {
  return [
    method(rpc, 'endpoint:adapters', () => ({
      adapters: endpoints.platforms().map((adapter) => ({
        name: adapter.name,
        platform: adapter.platform ?? adapter.name,
        schema: itemSchema(adapter),
        probes: adapter.probe !== undefined,
        ...(adapter.guide ? { guide: adapter.guide } : {}),
      })),
    })),
    method(rpc, 'endpoint:test', ({ account }) => tests.run(account)),
  ]
}

/** Methods that a platform may support, each a capability of its bot. */
function socialMethods(endpoints: Endpoints): BoundMethod[] {
  const bound = <C extends (typeof CAPABILITIES)[number]>(at: Address, capability: C) =>
    capabilityOf(endpoints.get(at.adapter, at.endpointId), capability)
  return [
    method(rpc, 'endpoint:friends', async (at) => {
      const friends = await bound(at, 'friends')()
      return { friends, total: friends.length }
    }),
    method(rpc, 'endpoint:groups', async (at) => {
      const groups = await bound(at, 'groups')()
      return { groups, total: groups.length }
    }),
    method(rpc, 'endpoint:channels', async (at) => {
      const channels = await bound(at, 'channels')(at.guildId)
      return { channels, total: channels.length }
    }),
    method(rpc, 'endpoint:groupMembers', async (at) => {
      const members = await bound(at, 'groupMembers')(at.groupId)
      return { members, total: members.length }
    }),
    method(rpc, 'endpoint:groupKick', async (at) => {
      await bound(at, 'groupKick')(at.groupId, at.userId)
      return success
    }),
    method(rpc, 'endpoint:groupMute', async (at) => {
      await bound(at, 'groupMute')(at.groupId, at.userId, at.duration)
      return success
    }),
    method(rpc, 'endpoint:groupAdmin', async (at) => {
      await bound(at, 'groupAdmin')(at.groupId, at.userId, at.enable)
      return success
    }),
    method(rpc, 'endpoint:deleteFriend', async (at) => {
      await bound(at, 'deleteFriend')(at.userId)
      return success
    }),
  ]
}

/** Methods that answer friend and group requests. */
function requestMethods(endpoints: Endpoints, store: ActiveStore): BoundMethod[] {
  /** Requests whose answer is being sent to the platform, so that none is answered twice. */
  const answering = new Set<string>()

  async function answer(
    at: Address & { requestId: string },
    status: 'approved' | 'rejected',
    act: (endpoint: Endpoint) => Promise<void>,
  ): Promise<typeof success> {
    const endpoint = endpoints.get(at.adapter, at.endpointId)
    const row = await store.require().findRequest(endpoint.key, at.requestId)
    if (!row) throw new WireError('not_found', `No request "${at.requestId}"`)
    if (row.status !== 'pending' || answering.has(row.id))
      throw new WireError(
        'conflict',
        `The request is ${row.status === 'pending' ? 'being answered' : row.status} already`,
      )
    answering.add(row.id)
    try {
      await act(endpoint)
      await store.require().answerRequest(endpoint.key, at.requestId, status)
      return success
    } finally {
      answering.delete(row.id)
    }
  }

  return [
    method(rpc, 'endpoint:requestApprove', (at) =>
      answer(at, 'approved', (endpoint) => capabilityOf(endpoint, 'requestApprove')(at.requestId, at.remark)),
    ),
    method(rpc, 'endpoint:requestReject', (at) =>
      answer(at, 'rejected', (endpoint) => capabilityOf(endpoint, 'requestReject')(at.requestId, at.reason)),
    ),
  ]
}

/** Methods that read the inbox and mark its rows as read. */
function inboxMethods(endpoints: Endpoints, store: ActiveStore): BoundMethod[] {
  const key = (at: Address): EndpointKey => endpoints.get(at.adapter, at.endpointId).key
  const query = (at: Address & { limit?: number; before?: string; unreadOnly?: boolean }): InboxQuery => ({
    ...key(at),
    limit: at.limit ?? 50,
    ...omitUndefined({ before: at.before }),
    ...(at.unreadOnly ? { unreadOnly: true } : {}),
  })
  const consume =
    (kind: 'messages' | 'requests' | 'notices') =>
    async (at: Address & { id?: string; ids?: string[] }): Promise<{ success: boolean; consumed: number }> => {
      const ids = at.ids ?? (at.id === undefined ? [] : [at.id])
      if (ids.length === 0)
        throw new WireError('invalid_request', 'data.id or data.ids is required', {
          details: [{ path: 'data.id', message: 'is required, or ids' }],
        })
      return { success: true, consumed: await store.require().consume(key(at), kind, ids) }
    }

  return [
    method(rpc, 'endpoint:requests', async (at) => {
      const { rows, total, nextBefore } = await store.require().requests({ ...query(at), pendingOnly: true })
      return omitUndefined({ requests: [...rows], total, nextBefore })
    }),
    method(rpc, 'endpoint:inboxRequests', async (at) => {
      const { rows, total, nextBefore } = await store.require().requests(query(at))
      return omitUndefined({ requests: [...rows], total, nextBefore })
    }),
    method(rpc, 'endpoint:inboxNotices', async (at) => {
      const { rows, total, nextBefore } = await store.require().notices(query(at))
      return omitUndefined({ notices: [...rows], total, nextBefore })
    }),
    method(rpc, 'endpoint:inboxMessages', async (at) => {
      const { rows, total, nextBefore } = await store
        .require()
        .messages({ ...query(at), ...omitUndefined({ channel: at.channel, parent: at.parent }) })
      return omitUndefined({ messages: [...rows], total, nextBefore })
    }),
    method(rpc, 'endpoint:messageConsumed', consume('messages')),
    method(rpc, 'endpoint:requestConsumed', consume('requests')),
    method(rpc, 'endpoint:noticeConsumed', consume('notices')),
  ]
}

/** Methods for messages that did not arrive. */
function unsentMethods(endpoints: Endpoints, store: ActiveStore, resender: Resender): BoundMethod[] {
  return [
    method(rpc, 'endpoint:unsentMessages', async ({ adapter, endpointId, limit = 50, before }) => {
      const { key } = endpoints.get(adapter, endpointId)
      const { rows, total, nextBefore } = await store.require().unsent({ ...key, limit, ...omitUndefined({ before }) })
      return omitUndefined({ messages: [...rows], total, nextBefore })
    }),
    method(rpc, 'endpoint:resendMessage', async ({ adapter, endpointId, id, mayHaveArrived = false }, call) => {
      const endpoint = endpoints.get(adapter, endpointId)
      const { messageId } = await resender.resend(endpoint, id, mayHaveArrived)
      call.log.info(`sent a message again for ${call.principal.name}`, { ...endpoint.key, message: id })
      return { messageId }
    }),
  ]
}

function observationMethods(chat: Chat, others: OtherHosts | undefined): BoundMethod[] {
  return [
    method(chatContract.rpc, 'chat:activity', ({ minutes, step }, { principal }) =>
      chat.activity(minutes ?? 60, principal.scope === 'demo' ? 'sandbox' : undefined, step),
    ),
    method(chatContract.rpc, 'chat:traces', async ({ limit = 50, endpointId, messageId, host }) => {
      const query = { limit, ...omitUndefined({ endpointId, messageId }) }
      if (!others) return { traces: host === undefined ? [...chat.traces(query)] : [] }
      const own = host === undefined || host === others.self ? chat.traces(query) : []
      const { traces, unanswered } = await others.traces(query, host)
      return {
        traces: [...own.map((trace) => ({ ...trace, host: others.self })), ...traces]
          .sort((a, b) => b.startedAt - a.startedAt)
          .slice(0, limit),
        ...(unanswered.length > 0 ? { unanswered: [...unanswered] } : {}),
      }
    }),
  ]
}
