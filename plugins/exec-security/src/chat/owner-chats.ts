// Reaching the owners of an endpoint in private, and knowing by which message they were asked.
import { messageOf, type Logger } from '@mynah/kernel'
import { Card, type Chat, type Content, type Locale, type Message } from '@mynah/plugin-chat/api'
import type { Approval } from '../approvals/approval.js'
import { textsFor } from './texts.js'

const COMMAND = 'approve <id>'

/** What stands before the commands of this host. */
export function prefixOf(chat: Chat | undefined): string {
  const pattern = chat?.commands().find((command) => command.pattern.endsWith(COMMAND))?.pattern
  return pattern?.slice(0, -COMMAND.length) ?? '/'
}

interface Deps {
  readonly chat: () => Chat | undefined
  readonly log: Logger
}

export class OwnerChats {
  readonly #deps: Deps
  /** Requests that wait, with the message that asks, by owner. */
  readonly #asked = new Map<string, { readonly approval: Approval; readonly messages: Map<string, string> }>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Sends a request to the private chat of each owner, once however often it is told; an owner who cannot be reached still has the console. */
  async tell(approval: Approval): Promise<void> {
    const { log } = this.#deps
    const chat = this.#deps.chat()
    const { adapter, endpointId, id } = approval
    if (!chat || adapter === null || endpointId === null) return
    let masters: readonly string[]
    try {
      masters = chat.mastersOf(adapter, endpointId)
    } catch (error) {
      log.warn(`request ${id} names an endpoint that is not there: ${messageOf(error)}`)
      return
    }
    if (masters.length === 0)
      log.warn(`request ${id} can be answered in the console only: the endpoint ${endpointId} has no master`)
    const asked = { approval, messages: new Map<string, string>() }
    this.#asked.set(id, asked)
    const content = contentOf(approval, prefixOf(chat), chat.can(adapter, endpointId, 'buttons'), chat.locale)
    await Promise.all(
      masters.map(async (master) => {
        try {
          const { messageId } = await chat.send(adapter, endpointId, { type: 'private', id: master }, content, {
            key: `approval/${id}/${master}`,
          })
          asked.messages.set(master, messageId)
        } catch (error) {
          log.warn(
            `request ${id} could not be sent to the owner of ${endpointId}; it waits in the console: ${messageOf(error)}`,
          )
        }
      }),
    )
  }

  /** It waits no more. */
  forget(id: string): void {
    this.#asked.delete(id)
  }

  /** What an owner was asked in this private chat, and has not answered, with the messages that ask; oldest first. */
  askedOf({
    adapter,
    endpoint,
    channel,
    sender,
    roles,
  }: Pick<Message, 'adapter' | 'endpoint' | 'channel' | 'sender' | 'roles'>): readonly {
    readonly approval: Approval
    readonly messageId: string
  }[] {
    if (channel.type !== 'private' || channel.id !== sender.id || !roles.has('master')) return []
    return Array.from(this.#asked.values()).flatMap(({ approval, messages }) => {
      const messageId = messages.get(sender.id)
      return messageId !== undefined && approval.adapter === adapter && approval.endpointId === endpoint
        ? [{ approval, messageId }]
        : []
    })
  }
}

function contentOf(approval: Approval, prefix: string, hasButtons: boolean, locale: Locale): Content {
  const texts = textsFor(locale)
  if (!hasButtons) return texts.request(approval, prefix, false)
  return [
    Card({
      text: texts.request(approval, prefix, true),
      buttons: [
        { text: texts.once, command: `${prefix}approve ${approval.id}` },
        { text: texts.refuse, command: `${prefix}approve deny ${approval.id}` },
      ],
    }),
  ]
}
