// A OneBot server in each mode, with Alice, for the contract of adapters.
import type { AdapterRig, RigAccount } from '@mynah/plugin-chat/testing'
import { definePlugin } from '@mynah/kernel'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import onebot from '../index.js'
import { ALICE, failed, GROUP, OneBotServer, SECRET, SELF, TOKEN, type Segment } from './onebot-server.js'

export type Mode = 'forward' | 'reverse' | 'http'

const FORBIDDEN = failed(1200, 'forbidden in this chat')

/** A server, its account and its place: a group, or the private chat with Alice. */
class RigServer {
  readonly server = new OneBotServer()
  readonly id: string
  readonly #mode: Mode
  readonly #isPrivate: boolean
  #address = ''

  constructor(mode: Mode, isPrivate: boolean, id: string) {
    this.id = id
    this.#mode = mode
    this.#isPrivate = isPrivate
    this.server.records = false
  }

  async listen(): Promise<this> {
    if (this.#mode !== 'reverse') await this.server.listen()
    return this
  }

  /** Finds the host, which has another port after each start. */
  reach(origin: string): void {
    this.#address = `${origin}/webhook/onebot/${this.id}`
    if (this.#mode === 'http') this.server.postTo(this.#address)
    if (this.#mode === 'reverse') this.server.dial(this.#address.replace('http', 'ws'))
  }

  /** Returns once the server is there again. */
  async restart(): Promise<void> {
    if (this.#mode === 'reverse') this.server.dial(this.#address.replace('http', 'ws'))
    else await this.server.listen()
  }

  get endpoint(): AdapterRig['endpoint'] {
    const { url, httpUrl } = this.server
    return {
      adapter: 'onebot',
      id: this.id,
      mode: this.#mode,
      token: this.server.token,
      pacing: { burst: 1_000, perSecond: 1_000 },
      ...(this.#mode === 'forward' ? { url } : {}),
      ...(this.#mode === 'http' ? { url: httpUrl, secret: SECRET } : {}),
    }
  }

  get target(): AdapterRig['target'] {
    return this.#isPrivate ? { type: 'private', id: String(ALICE) } : { type: 'group', id: String(GROUP) }
  }

  /** Says a line as Alice, after other segments. */
  say(text: string, ...before: readonly Segment[]): Promise<void> {
    return this.server.say([...before, { type: 'text', data: { text } }], {}, this.#isPrivate)
  }

  sent(): readonly string[] {
    return this.server.conversation.texts
  }

  /** Repeats the bot's last message, under both names that servers have for that. */
  async echo(): Promise<void> {
    const { self, conversation } = this.server
    const more = { user_id: self, message_id: conversation.lastSent, sender: { user_id: self } }
    for (const type of ['message_sent', 'message'])
      await this.server.say(conversation.texts.at(-1) ?? '', { ...more, post_type: type }, this.#isPrivate)
  }

  async remove(): Promise<void> {
    const about = { message_id: this.server.conversation.lastSaid, user_id: ALICE }
    await this.server.notice(
      this.#isPrivate
        ? { notice_type: 'friend_recall', ...about }
        : { notice_type: 'group_recall', group_id: GROUP, operator_id: ALICE, ...about },
    )
  }

  async react(emoji: string, isOn: boolean): Promise<void> {
    await this.server.notice({
      notice_type: 'group_msg_emoji_like',
      group_id: GROUP,
      user_id: ALICE,
      message_id: this.server.conversation.lastSent,
      likes: [{ emoji_id: String(emoji.codePointAt(0)), count: 1 }],
      is_add: isOn,
    })
  }

  /** Sends values as they are, and as a part of a message or a notice. */
  async frames(values: readonly unknown[]): Promise<void> {
    const around = { time: 1, self_id: SELF, user_id: ALICE, message_id: 1, message: 'noise', message_type: 'private' }
    const keys = [...Object.keys(around), 'sender', 'sub_type', 'group_id', 'notice_type', 'likes', 'post_type']
    for (const [index, value] of values.entries()) {
      const key = keys[index % keys.length] as string
      const post_type = index % 4 === 1 ? 'notice' : 'message'
      const frame = index % 2 === 0 ? value : { post_type, ...around, [key]: value }
      if (this.#mode === 'http') await this.server.post(frame as never)
      else this.server.emitRaw(JSON.stringify(frame))
    }
  }

  /** Lets the next messages of the bot end in this way. */
  fail(answer: typeof FORBIDDEN | 'swallow', times: number): void {
    for (const action of ['send_group_msg', 'send_private_msg'])
      this.server.script(action, ...Array.from({ length: times }, () => answer))
  }
}

function mentionOf(whom: 'bot' | 'other' | 'all'): Segment {
  const qq = { bot: String(SELF), other: String(ALICE + 1), all: 'all' }[whom]
  return { type: 'at', data: { qq } }
}

/**
 * Only a connection that is kept shows at once that its server is gone, and only HTTP has an answer for a limit of the
 * rate.
 */
function faults(main: RigServer, mode: Mode): Partial<AdapterRig> {
  const { server } = main
  if (mode !== 'http') return { kill: () => server.kill(), restart: () => main.restart() }
  return { limit: (ms, now) => server.limit.start(ms, now), early: () => server.limit.early }
}

/** Where nothing connects to a server, no server can refuse the token of the endpoint. */
function refusedToken({ endpoint }: RigServer, mode: Mode): Partial<AdapterRig> {
  const wrong = { ...endpoint, token: 'not-the-token-of-the-server' }
  return mode === 'reverse' ? {} : { wrongSecret: { endpoint: wrong, names: 'token' } }
}

/** Returns the rig of one mode. */
export async function rig(mode: Mode, isPrivate: boolean): Promise<AdapterRig> {
  const main = await new RigServer(mode, isPrivate, 'qq').listen()
  const servers = [main]
  const { server } = main
  const { conversation } = server
  // Servers connect before the endpoint is online.
  const peer = definePlugin({
    name: 'peer',
    needs: { http: Http },
    setup(ctx) {
      for (const each of servers) each.reach(ctx.http.origin)
    },
  })
  return {
    plugins: [
      onebot as never,
      { plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } },
      peer as never,
    ],
    endpoint: main.endpoint,
    target: main.target,
    secrets: [TOKEN, SECRET],
    say: (text) => main.say(text),
    redeliver: () => server.redeliver(),
    ...faults(main, mode),
    sent: () => main.sent(),
    echo: () => main.echo(),
    reply: (text) => main.say(text, { type: 'reply', data: { id: String(conversation.lastSent) } }),
    quoted: () => conversation.quoted,
    mention: (whom, text) => main.say(text, mentionOf(whom)),
    remove: () => main.remove(),
    // QQ has reactions of users in groups only.
    ...(isPrivate ? {} : { react: (emoji: string, isOn: boolean) => main.react(emoji, isOn) }),
    reactions: () => conversation.reactions,
    show: ({ name = '' }) => main.say('', { type: 'image', data: { file: name, url: `https://cdn.example/${name}` } }),
    media: () => conversation.pictures.map((bytes) => ({ bytes })),
    refuse: (times) => main.fail(FORBIDDEN, times),
    swallow: (times) => main.fail('swallow', times),
    mute: () => server.freeze(),
    frames: (values) => main.frames(values),
    ...refusedToken(main, mode),
    async second(): Promise<RigAccount> {
      const other = new RigServer(mode, isPrivate, 'qq-2')
      Object.assign(other.server, { self: SELF + 1, token: `${TOKEN}-2` })
      servers.push(await other.listen())
      const { endpoint, target } = other
      return { endpoint, target, say: (text) => other.say(text), sent: () => other.sent() }
    },
    async stop() {
      for (const each of servers) await each.server.stop()
      for (const each of servers) each.server.check()
    },
  }
}
