// One conversation of a user with the bot, as the client of the user shows it.
import { xml, type Element } from '@xmpp/client'
import { until } from '@mynah/kernel/testing'
import { archiveIdOf } from '../stanzas.js'
import { ROOM } from './prosody.js'
import type { User } from './user.js'

const CORRECTION = 'urn:xmpp:message-correct:0'
const RETRACTION = 'urn:xmpp:message-retract:1'
const REACTIONS = 'urn:xmpp:reactions:0'
const REPLY = 'urn:xmpp:reply:0'

/** A message by the id with which others name it. */
interface Shown {
  readonly id: string
  readonly text: string
}

export class Conversation {
  readonly #user: User
  readonly #to: string
  readonly #sent: string[] = []
  readonly #sentBySecond: string[] = []
  /** Id that the user gave the last message, which names it in a correction. */
  #given = ''
  #said: Shown = { id: '', text: '' }
  #heard: Shown = { id: '', text: '' }
  #quoted: string | undefined
  #reactions: readonly string[] = []
  #isTyping = false

  constructor(user: User, to: string) {
    this.#user = user
    this.#to = to
  }

  get #isRoom(): boolean {
    return this.#to === ROOM
  }

  async say(text: string, ...more: readonly Element[]): Promise<void> {
    this.#given = await this.#user.say(this.#to, text, ...more)
    if (!this.#isRoom) this.#said = { id: this.#given, text }
  }

  /** Corrects the last message. */
  async edit(text: string): Promise<void> {
    await this.#user.say(this.#to, text, xml('replace', { xmlns: CORRECTION, id: this.#given }))
  }

  /** Deletes the last message. */
  async remove(): Promise<void> {
    const { id } = await this.#lastSaid()
    await this.#user.say(this.#to, undefined, xml('retract', { xmlns: RETRACTION, id }), store())
  }

  async react(emoji: string, isOn: boolean): Promise<void> {
    this.#take()
    const all = isOn ? [xml('reaction', {}, emoji)] : []
    await this.#user.say(
      this.#to,
      undefined,
      xml('reactions', { xmlns: REACTIONS, id: this.#heard.id }, ...all),
      store(),
    )
  }

  /** Answers the last message of the bot. */
  async reply(text: string): Promise<void> {
    this.#take()
    await this.say(text, xml('reply', { xmlns: REPLY, id: this.#heard.id, to: 'bot@localhost' }))
  }

  /** Returns the text of the message that the last one of the bot answers. */
  quoted(): string | undefined {
    this.#take()
    return this.#quoted === this.#said.id ? this.#said.text : undefined
  }

  reactions(): readonly string[] {
    this.#take()
    return this.#reactions
  }

  isTyping(): boolean {
    this.#take()
    return this.#isTyping
  }

  sent(): readonly string[] {
    this.#take()
    return this.#sent
  }

  sentBySecond(): readonly string[] {
    this.#take()
    return this.#sentBySecond
  }

  /** Returns the last message; in a room, when the room has given it an id. */
  async #lastSaid(): Promise<Shown> {
    await until(() => {
      this.#take()
      return this.#said.id !== ''
    }, 'the room to pass the message on')
    return this.#said
  }

  #take(): void {
    for (const message of this.#user.messages.splice(0)) {
      const from = message.attrs.from ?? ''
      if (from.startsWith('second@localhost')) this.#sentBySecond.push(message.getChildText('body') ?? '')
      else if (from === `${ROOM}/alice`) this.#said = this.#shown(message)
      else if (from.startsWith('bot@localhost') || from === `${ROOM}/mynah`) this.#show(message)
    }
  }

  #shown(message: Element): Shown {
    const id = this.#isRoom ? archiveIdOf(message, ROOM) : message.attrs.id
    return { id: id ?? '', text: message.getChildText('body') ?? '' }
  }

  #show(message: Element): void {
    const reactions = message.getChild('reactions', REACTIONS)
    if (reactions && reactions.attrs.id === this.#said.id)
      this.#reactions = reactions.getChildren('reaction').map((each) => each.text())
    this.#isTyping = message.getChild('composing', 'http://jabber.org/protocol/chatstates') !== undefined
    if (message.getChild('body') === undefined) return
    this.#heard = this.#shown(message)
    this.#quoted = message.getChild('reply', REPLY)?.attrs.id
    this.#sent.push(this.#heard.text)
  }
}

const store = (): Element => xml('store', { xmlns: 'urn:xmpp:hints' })
