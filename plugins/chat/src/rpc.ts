// The RPC methods of endpoints: list, info, sending, social methods, inbox, traces.
import { WireError, endpoints as contract, chat as chatContract } from '@mynah/contract'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import type { Bot, CAPABILITIES } from './api/adapter.js'
import { refuseLocalFiles } from './api/local-file.js'
import type { Chat } from './api/points.js'
import type { MessageStore } from './api/store.js'
import type { Endpoint } from './endpoints/endpoint.js'
import type { Endpoints } from './endpoints/endpoints.js'

interface Deps {
  readonly chat: Chat
  readonly endpoints: Endpoints
  readonly store: () => MessageStore
}

interface Address {
  readonly adapter: string
  readonly endpointId: string
}

const success = { success: true }

/** All methods that chat contributes. */
export function endpointMethods({ chat, endpoints, store }: Deps): BoundMethod[] {
  const { rpc } = contract
  const find = ({ adapter, endpointId }: Address): Endpoint => endpoints.get(adapter, endpointId)
  const key = (at: Address) => ({ adapter: find(at).adapter, endpoint: at.endpointId })

  /** A bound capability of an endpoint that is online. */
  function able<C extends (typeof CAPABILITIES)[number]>(at: Address, capability: C): NonNullable<Bot[C]> {
    const endpoint = find(at)
    const call = endpoint.bot?.[capability]
    if (!call) throw new WireError('unsupported', `The platform of "${at.endpointId}" has no ${capability}`)
    if (endpoint.status !== 'online')
      throw new WireError('not_ready', `The endpoint "${at.endpointId}" is ${endpoint.status}`)
    return call.bind(endpoint.bot) as unknown as NonNullable<Bot[C]>
  }

  /** Requests whose answer is on its way to the platform: a second answer must not be. */
  const answering = new Set<string>()

  async function answer(
    at: Address & { requestId: string },
    status: 'approved' | 'rejected',
    act: () => Promise<void>,
  ): Promise<typeof success> {
    const row = await store().request(key(at), at.requestId)
    if (!row) throw new WireError('not_found', `No request "${at.requestId}"`)
    if (row.status !== 'pending' || answering.has(row.id))
      throw new WireError(
        'conflict',
        `The request is ${row.status === 'pending' ? 'being answered' : row.status} already`,
      )
    answering.add(row.id)
    try {
      await act()
      await store().answerRequest(key(at), at.requestId, status)
      return success
    } finally {
      answering.delete(row.id)
    }
  }

  const consume =
    (kind: 'messages' | 'requests' | 'notices') =>
    async (at: Address & { id?: string; ids?: string[] }): Promise<{ success: boolean; consumed: number }> => {
      const ids = at.ids ?? (at.id === undefined ? [] : [at.id])
      if (ids.length === 0)
        throw new WireError('invalid_request', 'data.id or data.ids is required', {
          details: [{ path: 'data.id', message: 'is required, or ids' }],
        })
      return { success: true, consumed: await store().consume(key(at), kind, ids) }
    }

  const counted = <T>(list: T[]): { list: T[]; total: number } => ({ list, total: list.length })
  const query = (at: Address & { limit?: number; before?: string; unreadOnly?: boolean }) => ({
    ...key(at),
    limit: at.limit ?? 50,
    ...(at.before === undefined ? {} : { before: at.before }),
    ...(at.unreadOnly ? { unreadOnly: true } : {}),
  })
  const next = (nextBefore: string | undefined) => (nextBefore === undefined ? {} : { nextBefore })

  return [
    method(rpc, 'endpoint:list', async () => ({ endpoints: await chat.list() })),
    method(rpc, 'endpoint:info', (at) => chat.info(at.adapter, at.endpointId)),
    method(rpc, 'endpoint:sendMessage', async ({ adapter, endpointId, id, type, content, parent }) => {
      refuseLocalFiles(content)
      const { messageId } = await chat.send(adapter, endpointId, { type, id, ...(parent ? { parent } : {}) }, content)
      return { messageId }
    }),
    method(rpc, 'endpoint:friends', async (at) => {
      const { list, total } = counted(await able(at, 'friends')())
      return { friends: list, total }
    }),
    method(rpc, 'endpoint:groups', async (at) => {
      const { list, total } = counted(await able(at, 'groups')())
      return { groups: list, total }
    }),
    method(rpc, 'endpoint:channels', async (at) => {
      const { list, total } = counted(await able(at, 'channels')(at.guildId))
      return { channels: list, total }
    }),
    method(rpc, 'endpoint:groupMembers', async (at) => {
      const { list, total } = counted(await able(at, 'groupMembers')(at.groupId))
      return { members: list, total }
    }),
    method(rpc, 'endpoint:groupKick', async (at) => {
      await able(at, 'groupKick')(at.groupId, at.userId)
      return success
    }),
    method(rpc, 'endpoint:groupMute', async (at) => {
      await able(at, 'groupMute')(at.groupId, at.userId, at.duration)
      return success
    }),
    method(rpc, 'endpoint:groupAdmin', async (at) => {
      await able(at, 'groupAdmin')(at.groupId, at.userId, at.enable)
      return success
    }),
    method(rpc, 'endpoint:deleteFriend', async (at) => {
      await able(at, 'deleteFriend')(at.userId)
      return success
    }),
    method(rpc, 'endpoint:requestApprove', (at) =>
      answer(at, 'approved', () => able(at, 'requestApprove')(at.requestId, at.remark)),
    ),
    method(rpc, 'endpoint:requestReject', (at) =>
      answer(at, 'rejected', () => able(at, 'requestReject')(at.requestId, at.reason)),
    ),
    method(rpc, 'endpoint:requests', async (at) => {
      const { rows, total, nextBefore } = await store().requests({ ...query(at), pendingOnly: true })
      return { requests: [...rows], total, ...next(nextBefore) }
    }),
    method(rpc, 'endpoint:inboxRequests', async (at) => {
      const { rows, total, nextBefore } = await store().requests(query(at))
      return { requests: [...rows], total, ...next(nextBefore) }
    }),
    method(rpc, 'endpoint:inboxNotices', async (at) => {
      const { rows, total, nextBefore } = await store().notices(query(at))
      return { notices: [...rows], total, ...next(nextBefore) }
    }),
    method(rpc, 'endpoint:inboxMessages', async (at) => {
      const { rows, total, nextBefore } = await store().messages({
        ...query(at),
        ...(at.channel ? { channel: at.channel } : {}),
        ...(at.parent ? { parent: at.parent } : {}),
      })
      return { messages: [...rows], total, ...next(nextBefore) }
    }),
    method(rpc, 'endpoint:messageConsumed', consume('messages')),
    method(rpc, 'endpoint:requestConsumed', consume('requests')),
    method(rpc, 'endpoint:noticeConsumed', consume('notices')),
    method(chatContract.rpc, 'chat:activity', ({ minutes }, { principal }) => {
      const activity = chat.activity(minutes ?? 60)
      return principal.scope === 'demo'
        ? { ...activity, endpoints: activity.endpoints.filter(({ adapter }) => adapter === 'sandbox') }
        : activity
    }),
    method(chatContract.rpc, 'chat:traces', ({ limit, endpointId, messageId }) => ({
      traces: [
        ...chat.traces({
          limit: limit ?? 50,
          ...(endpointId === undefined ? {} : { endpointId }),
          ...(messageId === undefined ? {} : { messageId }),
        }),
      ],
    })),
  ]
}
