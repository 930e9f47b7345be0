import { isWireError } from '@mynah/contract'
import { messageOf, type Logger } from '@mynah/kernel'
import { Card, type Chat, type Content, type Locale, type Message } from '@mynah/plugin-chat/api'
import { CONSOLE_ORIGIN } from '../api.js'
import { shownFolder, type Approval } from '../approvals/approval.js'
import { textsFor } from './texts.js'

const COMMAND = 'approve <id>'

/** Returns the command prefix of this host. */
export function prefixOf(chat: Chat | undefined): string {
  const pattern = chat?.commands().find((command) => command.pattern.endsWith(COMMAND))?.pattern
  return pattern?.slice(0, -COMMAND.length) ?? '/'
}

/** States of a request that was not answered, and can no longer be. */
const OVER: ReadonlySet<string> = new Set(['withdrawn', 'expired'] satisfies Approval['status'][])
/** Messages that may name one request. */
const MESSAGES = 50

type OptionalChat = { readonly current: Chat | undefined }

/** A pending request in the chats of its owners. */
interface Asked {
  readonly approval: Approval
  /** The message that each owner got; `undefined` where it is unknown whether it arrived. */
  readonly messages: Map<string, string | undefined>
  /** Resolves when each message was sent, or waits in the store. Never rejects. */
  sent: Promise<unknown>
}

/** The private chats in which owners are asked. */
export class OwnerChats {
  readonly #chat: OptionalChat
  readonly #log: Logger
  readonly #root: string | undefined
  /** By request. */
  readonly #asked = new Map<string, Asked>()

  #markReady = (): void => {}
  /** Resolves when the requests of before a start can be answered again. */
  readonly ready = new Promise<void>((resolve) => {
    this.#markReady = resolve
  })

  /** @param root the folder of the host, to which folders are relative in a request */
  constructor(chat: OptionalChat, log: Logger, root?: string) {
    this.#chat = chat
    this.#log = log
    this.#root = root
  }

  /** Sends the requests that were made before a start, or finds the messages that were sent then. */
  async notifyAll(pending: readonly Approval[]): Promise<void> {
    for (const approval of pending) await this.notify(approval)
    this.#markReady()
  }

  /**
   * Sends a request to the private chat of each owner. The key of the message makes sure that each gets it once.
   * An owner without a reachable chat still has the console.
   */
  async notify(approval: Approval): Promise<void> {
    const log = this.#log
    const chat = this.#chat.current
    const { adapter, endpointId, id } = approval
    if (!chat || adapter === null || endpointId === null) return
    // The console alone answers for actions that come from no chat.
    if (adapter === CONSOLE_ORIGIN.adapter) return
    let masters: readonly string[]
    try {
      masters = chat.mastersOf(adapter, endpointId)
    } catch (error) {
      log.warn(`request ${id} names an unknown endpoint: ${messageOf(error)}`)
      return
    }
    if (masters.length === 0)
      log.warn(`request ${id} can be answered in the console only: the endpoint ${endpointId} has no master`)
    const asked: Asked = { approval, messages: new Map(), sent: Promise.resolve() }
    this.#asked.set(id, asked)
    const shown = { ...approval, folder: approval.folder ? shownFolder(approval.folder, this.#root) : null }
    const content = contentOf(shown, prefixOf(chat), chat.can(adapter, endpointId, 'buttons'), chat.locale)
    asked.sent = Promise.all(
      masters.map(async (master) => {
        try {
          const { messageId } = await chat.send(adapter, endpointId, { type: 'private', id: master }, content, {
            key: `approval/${id}/${master}`,
          })
          asked.messages.set(master, messageId)
        } catch (error) {
          // Words of an owner who may not have seen it are no answer, and its buttons are taken off anyway.
          if (isWireError(error) && error.code === 'upstream_unavailable:unknown') asked.messages.set(master, undefined)
          log.warn(
            `failed to send request ${id} to the owner of ${endpointId}, it waits in the console: ${messageOf(error)}`,
          )
        }
      }),
    )
    await asked.sent
  }

  /**
   * Removes a request that is no longer pending. One that can no longer be answered is taken back: its messages lose
   * their buttons, and each owner is notified where the request was withdrawn. Never rejects.
   */
  async forget(approval: Approval): Promise<void> {
    const asked = this.#asked.get(approval.id)
    this.#asked.delete(approval.id)
    if (!asked || !OVER.has(approval.status)) return
    // A message that is on its way arrives with its buttons.
    await asked.sent
    await this.#takeBack(approval, asked.messages)
  }

  /** Takes back requests that may have ended just before a stop; once more does no harm. Never rejects. */
  async forgetAll(ended: readonly Approval[]): Promise<void> {
    // At the same time: each waits until its endpoint is online.
    await Promise.all(ended.map((approval) => this.#takeBack(approval)))
  }

  /** @param messages ids of the messages by owner; empty for one that was sent after the call had its answer */
  async #takeBack(approval: Approval, messages?: Asked['messages']): Promise<void> {
    const chat = this.#chat.current
    const { id, status, adapter, endpointId } = approval
    if (!chat || adapter === null || endpointId === null) return
    const word = textsFor(chat.locale).over(approval)
    try {
      for (const master of messages?.keys() ?? chat.mastersOf(adapter, endpointId)) {
        const channel = { type: 'private', id: master } as const
        const request = messages?.get(master) || (await shownRequest(chat, approval, adapter, endpointId, channel))
        if (request !== undefined) await chat.edit(adapter, endpointId, channel, request, word)
        if (status === 'withdrawn' && (messages || request !== undefined))
          await chat.send(adapter, endpointId, channel, word, { key: `approval/${id}/${master}/over` })
      }
    } catch (error) {
      this.#log.warn(`failed to take back the request ${id}: ${messageOf(error)}`)
    }
  }

  /** Returns the open requests that an owner got in this private chat, with their messages, oldest first. */
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

/**
 * Returns the id of the message in which an owner was asked, `undefined` where it is not known. A message that waits is
 * never sent.
 */
async function shownRequest(
  chat: Chat,
  { id, createdAt }: Approval,
  adapter: string,
  endpoint: string,
  channel: { readonly type: 'private'; readonly id: string },
): Promise<string | undefined> {
  const about = await chat.transcript({ adapter, endpoint, channel, text: id, since: createdAt, limit: MESSAGES })
  const row = about.find(({ direction }) => direction === 'out')
  return row && (row.messageId || (await chat.withdraw(row.id)))
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
