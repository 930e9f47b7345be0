import type { Awaiting, Message } from '@mynah/plugin-chat/api'
import type { Approval } from '../approvals/approval.js'
import type { OwnerDesk } from '../owner-desk.js'
import type { OwnerChats } from './owner-chats.js'
import { textsFor } from './texts.js'

/** Takes a plain yes or no of an owner in the private chat where the request was sent. */
export function plainAnswers(desk: OwnerDesk, owners: OwnerChats): Awaiting {
  async function answer({ id }: Approval, approve: boolean, message: Message): Promise<string> {
    const by = `owner:${message.sender.id}`
    await desk.answer(id, approve, by, { adapter: message.adapter, endpointId: message.endpoint })
    message.step('approval', id, approve ? 'approved' : 'denied')
    const texts = textsFor(message.locale)
    return approve ? texts.approved(id) : texts.denied(id)
  }
  return {
    name: 'approvals',
    ready: () => owners.ready,
    open: (message) =>
      owners.askedOf(message).map(({ approval, messageId }) => ({
        id: approval.id,
        messageId,
        title: textsFor(message.locale).listed(approval, message.sender.id),
        answer: async (_message, _words, approve) =>
          approve === undefined ? undefined : answer(approval, approve, message),
      })),
  }
}
