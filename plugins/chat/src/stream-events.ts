import { endpoints as wire } from '@mynah/contract'
import type { MessageRow, NoticeRow, RequestRow } from '@mynah/contract/types'
import { event, type Publication } from '@mynah/plugin-events/api'
import type { InboundReaction } from './api/inbound.js'
import type { EndpointKey, InboundRecord, OutboundRecord, SendOutcome } from './api/store.js'
import type { Mutable } from './util/mutable.js'

/** Has both spellings, since clients of this protocol use either. */
const place = ({ adapter, endpoint }: EndpointKey) => ({ adapter, endpoint_id: endpoint, endpointId: endpoint })

type MessageEvent = ReturnType<typeof place> & Mutable<MessageRow>

// Written out without a spread, which is slow in Node 20: each message makes one or two of these.
export function inboundEvent({
  adapter,
  endpoint,
  id,
  messageId,
  sender,
  channel,
  segments,
  text,
  timestamp,
  onlyStored,
}: InboundRecord): Publication {
  const row: MessageEvent = {
    adapter,
    endpoint_id: endpoint,
    endpointId: endpoint,
    id: id || messageId,
    messageId,
    sender: { id: sender.id, name: sender.name ?? sender.id },
    channel,
    content: [...segments],
    text,
    direction: 'in',
    state: onlyStored ? 'handled' : 'received',
    read: false,
    timestamp,
  }
  return event(wire.events, 'endpoint:message', row)
}

/** The event of an inbound message that a stop interrupted. */
export function interruptedEvent(record: InboundRecord, error: string): Publication {
  const { adapter, endpoint, id, messageId, sender, channel, segments, text, timestamp } = record
  return event(wire.events, 'endpoint:message', {
    ...place({ adapter, endpoint }),
    id,
    messageId,
    sender: { id: sender.id, name: sender.name ?? sender.id },
    channel,
    content: [...segments],
    text,
    direction: 'in',
    state: 'interrupted',
    error,
    read: false,
    timestamp,
  })
}

export function outboundEvent(
  { adapter, endpoint, id, channel, segments, text, timestamp, answers }: OutboundRecord,
  outcome: SendOutcome,
): Publication {
  const messageId = outcome.state === 'sent' ? outcome.messageId : ''
  const row: MessageEvent = {
    adapter,
    endpoint_id: endpoint,
    endpointId: endpoint,
    id: id || messageId,
    messageId,
    sender: { id: endpoint, name: endpoint },
    channel,
    content: [...segments],
    text,
    direction: 'out',
    state: outcome.state,
    read: true,
    timestamp,
  }
  if (outcome.state !== 'sent') row.error = outcome.error
  if (answers !== undefined) row.answers = answers
  return event(wire.events, 'endpoint:message', row)
}

export const messageChangedEvent = (key: EndpointKey, row: MessageRow): Publication =>
  event(wire.events, 'endpoint:messageChanged', { ...place(key), ...row })

export function reactionEvent(
  key: EndpointKey,
  { messageId, channel, sender, emoji, added, timestamp }: InboundReaction & { readonly timestamp: number },
): Publication {
  const { id, name } = sender
  return event(wire.events, 'endpoint:reaction', {
    ...place(key),
    messageId,
    channel,
    sender: name === undefined ? { id } : { id, name },
    emoji,
    added,
    timestamp,
  })
}

export const requestEvent = (key: EndpointKey, row: RequestRow): Publication =>
  event(wire.events, 'endpoint:request', { ...place(key), ...row })
export const noticeEvent = (key: EndpointKey, row: NoticeRow): Publication =>
  event(wire.events, 'endpoint:notice', { ...place(key), ...row })
