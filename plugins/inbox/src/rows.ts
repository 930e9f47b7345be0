import { omitUndefined } from '@mynah/kernel/util'
import type { MessageRow, NoticeRow, Person, RequestRow } from '@mynah/contract/types'
import type { EndpointKey, InboundRecord, KnownSend, OutboundRecord, SendProgress } from '@mynah/plugin-chat/api'
import type { StoredMessage, StoredNotice, StoredRequest } from './tables.js'

// The next two are written out, since a spread is slow in Node 20: each message makes two rows.

export function fromInbound(record: InboundRecord): StoredMessage {
  const { channel } = record
  return {
    id: record.id,
    adapter: record.adapter,
    endpoint: record.endpoint,
    direction: 'in',
    inbound_id: record.messageId,
    message_id: record.messageId,
    state: record.onlyStored ? 'handled' : 'received',
    error: null,
    channel_type: channel.type,
    channel_id: channel.id,
    parent_type: channel.parent?.type ?? null,
    parent_id: channel.parent?.id ?? null,
    channel,
    sender: record.sender,
    segments: record.segments,
    text: record.text,
    mentioned: Number(record.mentioned),
    reply_to: record.replyTo ?? null,
    answers: null,
    send_key: null,
    read: 0,
    timestamp: record.timestamp,
    not_before: null,
    via: record.via,
  }
}

export function fromOutbound(record: OutboundRecord, state: 'draft' | 'intent'): StoredMessage {
  const { channel } = record
  return {
    id: record.id,
    adapter: record.adapter,
    endpoint: record.endpoint,
    direction: 'out',
    inbound_id: null,
    message_id: null,
    state,
    error: null,
    channel_type: channel.type,
    channel_id: channel.id,
    parent_type: channel.parent?.type ?? null,
    parent_id: channel.parent?.id ?? null,
    channel,
    sender: { id: record.endpoint, name: record.endpoint },
    segments: record.segments,
    text: record.text,
    mentioned: 0,
    reply_to: record.replyTo ?? null,
    answers: record.answers ?? null,
    send_key: record.key ?? null,
    read: 1,
    timestamp: record.timestamp,
    not_before: null,
    via: record.via,
    only_user: record.only,
  }
}

export function toInbound(row: StoredMessage): InboundRecord {
  return {
    id: row.id,
    adapter: row.adapter,
    endpoint: row.endpoint,
    messageId: row.message_id ?? '',
    channel: row.channel,
    sender: row.sender,
    segments: row.segments,
    text: row.text,
    mentioned: row.mentioned === 1,
    ...(row.reply_to === null ? {} : { replyTo: row.reply_to }),
    timestamp: row.timestamp,
    ...omitUndefined({ via: row.via ?? undefined }),
  }
}

export function toOutbound(row: StoredMessage): OutboundRecord {
  return {
    id: row.id,
    adapter: row.adapter,
    endpoint: row.endpoint,
    channel: row.channel,
    segments: row.segments,
    text: row.text,
    timestamp: row.timestamp,
    ...(row.answers === null ? {} : { answers: row.answers }),
    ...(row.reply_to === null ? {} : { replyTo: row.reply_to }),
    ...(row.send_key === null ? {} : { key: row.send_key }),
    ...(row.message_id ? { messageId: row.message_id } : {}),
    ...(row.not_before === null ? {} : { notBefore: row.not_before }),
    ...omitUndefined({ via: row.via ?? undefined, only: row.only_user ?? undefined }),
    ...progressOf(row),
  }
}

/** An edit of a message that shows a part may be repeated, so that its outcome is never unclear. */
function progressOf({ message_id, sending_since, sent_parts }: StoredMessage): SendProgress {
  return omitUndefined({
    unclearSince: message_id ? undefined : (sending_since ?? undefined),
    sentParts: sent_parts ?? undefined,
  })
}

export function toKnown(row: StoredMessage): KnownSend {
  return {
    id: row.id,
    state: row.state,
    messageId: row.message_id ?? '',
    timestamp: row.timestamp,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.state === 'draft' ? { text: row.text } : {}),
    ...(row.not_before === null ? {} : { notBefore: row.not_before }),
    ...progressOf(row),
  }
}

export function toMessageRow(row: StoredMessage): MessageRow {
  const { id, name } = row.sender
  return {
    id: row.id,
    messageId: row.message_id ?? '',
    sender: { id, name: name ?? id },
    channel: row.channel,
    content: row.segments as MessageRow['content'],
    text: row.text,
    direction: row.direction,
    state: row.state,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.answers === null ? {} : { answers: row.answers }),
    read: row.read === 1,
    timestamp: row.timestamp,
    ...omitUndefined({
      editedAt: row.edited_at ?? undefined,
      deletedAt: row.deleted_at ?? undefined,
      reactions: row.reactions ? [...row.reactions] : undefined,
    }),
  }
}

export function fromRequest(
  id: string,
  { adapter, endpoint }: EndpointKey,
  request: Omit<RequestRow, 'id' | 'status' | 'canAct' | 'read'>,
): StoredRequest {
  const { requestId, kind, sender, channel, comment, timestamp } = request
  return {
    id,
    adapter,
    endpoint,
    request_id: requestId,
    kind,
    sender,
    channel: channel ?? null,
    comment: comment ?? null,
    status: 'pending',
    read: 0,
    timestamp,
  }
}

export function toRequestRow(row: StoredRequest): RequestRow {
  return {
    id: row.id,
    requestId: row.request_id,
    kind: row.kind,
    sender: row.sender,
    ...(row.channel === null ? {} : { channel: row.channel }),
    ...(row.comment === null ? {} : { comment: row.comment }),
    status: row.status,
    canAct: row.status === 'pending',
    read: row.read === 1,
    timestamp: row.timestamp,
  }
}

export function fromNotice(
  id: string,
  { adapter, endpoint }: EndpointKey,
  notice: Omit<NoticeRow, 'id' | 'read'>,
): StoredNotice {
  const { noticeId, kind, channel, operator, target, payload, timestamp } = notice
  return {
    id,
    adapter,
    endpoint,
    notice_id: noticeId,
    kind,
    channel: channel ?? null,
    operator: operator ?? null,
    target: target ?? null,
    payload: JSON.stringify(payload ?? null),
    read: 0,
    timestamp,
  }
}

export function toNoticeRow(row: StoredNotice): NoticeRow {
  const person = (name: 'operator' | 'target', value: Person | null) => (value === null ? {} : { [name]: value })
  return {
    id: row.id,
    noticeId: row.notice_id,
    kind: row.kind,
    ...(row.channel === null ? {} : { channel: row.channel }),
    ...person('operator', row.operator),
    ...person('target', row.target),
    payload: JSON.parse(row.payload) as unknown,
    read: row.read === 1,
    timestamp: row.timestamp,
  }
}
