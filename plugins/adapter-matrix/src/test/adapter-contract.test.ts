import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterContract, type RigThread } from '@mynah/plugin-chat/testing'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import matrix from '../index.js'
import { ALICE, BOT, Homeserver, TOKEN, type MockEvent, type MockRoom } from './homeserver.js'

const SENDING = /send\/m\.room\.message/
const MENTIONS = { bot: { user_ids: [BOT] }, other: { user_ids: ['@bob:mock.test'] }, all: { room: true } }

/** The conversation of Alice and the bot in a room. */
class Talk {
  readonly #server: Homeserver
  readonly #room: MockRoom
  readonly sent: string[] = []
  readonly #inThread: string[] = []
  /** The event that Alice has sent last. */
  last = ''
  #answer: MockEvent | undefined
  #reaction = ''

  constructor(server: Homeserver, room: MockRoom) {
    this.#server = server
    this.#room = room
    server.onSent = (event) => this.#take(event)
  }

  #take(event: MockEvent): void {
    const { content, type } = event
    if (type !== 'm.room.message') return
    const relation = content['m.relates_to']
    if (relation?.rel_type === 'm.replace') this.sent.splice(-1, 1, content['m.new_content'].body)
    else if (relation?.rel_type === 'm.thread') this.#inThread.push(content['body'])
    else {
      this.#answer = event
      this.sent.push(content['body'])
    }
  }

  /** The event that the bot has sent last. */
  get answered(): string {
    return this.#answer?.event_id ?? ''
  }

  quoted(): string | undefined {
    const id: unknown = this.#answer?.content['m.relates_to']?.['m.in_reply_to']?.event_id
    return this.#room.events.find(({ event_id }) => event_id === id)?.content['body']
  }

  say(text: string, more: Record<string, unknown> = {}): Promise<void> {
    this.last = this.#server.say(this.#room, text, more)
    return Promise.resolve()
  }

  react(emoji: string, isOn: boolean): Promise<void> {
    const relation = { rel_type: 'm.annotation', event_id: this.answered, key: emoji }
    if (isOn) this.#reaction = this.#server.add(this.#room, ALICE, 'm.reaction', { 'm.relates_to': relation })
    else this.#server.redact(this.#room, this.#reaction)
    return Promise.resolve()
  }

  reactions(): string[] {
    return this.#room.events
      .filter(({ type, sender, content }) => type === 'm.reaction' && sender === BOT && content['m.relates_to'])
      .map(({ content }) => content['m.relates_to'].key)
  }

  thread(): Promise<RigThread> {
    const root = this.#server.add(this.#room, BOT, 'm.room.message', { msgtype: 'm.text', body: 'root' })
    const relation = {
      rel_type: 'm.thread',
      event_id: root,
      is_falling_back: true,
      'm.in_reply_to': { event_id: root },
    }
    const say = (text: string): Promise<void> => this.say(text, { 'm.relates_to': relation })
    return Promise.resolve({ say, sent: () => this.#inThread })
  }
}

adapterContract({
  name: 'matrix',
  retains: true,
  async start() {
    // The position outlasts a restart of the host where the store of messages does.
    const folder = await mkdtemp(join(tmpdir(), 'mynah-matrix-'))
    const server = await Homeserver.start()
    const room = server.room()
    const talk = new Talk(server, room)
    return {
      plugins: [
        { plugin: database as never, config: { file: join(folder, 'messages.sqlite') } },
        inbox as never,
        matrix,
      ],
      endpoint: { adapter: 'matrix', id: 'bot', homeserver: server.http.origin, token: TOKEN },
      target: { type: 'private', id: ALICE },
      secrets: [TOKEN],
      say: (text) => talk.say(text),
      redeliver: () => Promise.resolve(server.repeatLast(room)),
      kill: () => server.http.kill(),
      restart: () => server.http.start(),
      sent: () => talk.sent,
      reply: (text) => talk.say(text, { 'm.relates_to': { 'm.in_reply_to': { event_id: talk.answered } } }),
      quoted: () => talk.quoted(),
      mention: (whom, text) => talk.say(text, { 'm.mentions': MENTIONS[whom] }),
      edit: (text) => {
        const relation = { rel_type: 'm.replace', event_id: talk.last }
        const content = { msgtype: 'm.text', body: text, 'm.mentions': {} }
        server.say(room, `* ${text}`, { 'm.new_content': content, 'm.relates_to': relation })
        return Promise.resolve()
      },
      remove: () => Promise.resolve(server.redact(room, talk.last)),
      react: (emoji, isOn) => talk.react(emoji, isOn),
      reactions: () => talk.reactions(),
      thread: () => talk.thread(),
      show: (picture) => {
        server.files.set('shown', { bytes: Buffer.from(picture.bytes), type: 'image/png' })
        return talk.say('pixel.png', { msgtype: 'm.image', url: 'mxc://mock.test/shown' })
      },
      isTyping: () => server.typing.includes(room.id),
      refuse: (times) =>
        server.http.fail(SENDING, { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'forbidden here' } }, times),
      swallow: (times) => server.http.fail(SENDING, 'swallow', times),
      frames: (values) => {
        server.nonsense = [...values]
        server.wake()
        return Promise.resolve()
      },
      wrongSecret: {
        endpoint: { adapter: 'matrix', id: 'bot', homeserver: server.http.origin, token: 'syt_wrong' },
        names: 'token',
      },
      async stop() {
        await rm(folder, { recursive: true, force: true })
        await server.http.stop()
      },
    }
  },
})
