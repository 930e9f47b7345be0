// The stream's events of messages, requests and notices, as the rows that lists show.
import { endpoints as wire } from '@mynah/contract'
import type { MessageRow, NoticeRow, RequestRow } from '@mynah/contract/types'
import { event, type Publication } from '@mynah/plugin-events/api'
import type { EndpointKey, InboundRecord, OutboundRecord, SendOutcome } from './api/store.js'

/** Both spellings: clients of this protocol use either. */
const place = ({ adapter, endpoint }: EndpointKey) => ({ adapter, endpoint_id: endpoint, endpointId: endpoint })

export function inboundEvent(record: InboundRecord): Publication {
  const { id, messageId, sender, channel, segments, text, timestamp } = record
  const row: MessageRow = { id: id || messageId, messageId, sender: { id: sender.id, name: sender.name ?? sender.id }, channel, content: [...segments], text, direction: 'in', state: 'received', read: false, timestamp }
  return event(wire.events, 'endpoint:message', { ...place(record), ...row })
}

export function outboundEvent(record: OutboundRecord, outcome: SendOutcome): Publication {
  const { id, endpoint, channel, segments, text, timestamp, answers } = record
  const messageId = outcome.state === 'sent' ? outcome.messageId : ''
  const row: MessageRow = {
    id: id || messageId, messageId, sender: { id: endpoint, name: endpoint }, channel, content: [...segments], text, direction: 'out', state: outcome.state,
    ...(outcome.state === 'sent' ? {} : { error: outcome.error }), ...(answers === undefined ? {} : { answers }), read: true, timestamp,
  }
  return event(wire.events, 'endpoint:message', { ...place(record), ...row })
}

export const requestEvent = (key: EndpointKey, row: RequestRow): Publication => event(wire.events, 'endpoint:request', { ...place(key), ...row })
export const noticeEvent = (key: EndpointKey, row: NoticeRow): Publication => event(wire.events, 'endpoint:notice', { ...place(key), ...row })
