import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, type Host } from '@mynah/kernel'
import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import database from '@mynah/plugin-database'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'
import { emojiName, emojiOf } from '../emoji.js'
import slack from '../index.js'
import { escapeText } from '../mrkdwn.js'
import { ALICE, BOB, FIRST, HELPER, PRIVATE, ROOM, SECOND, SlackServer, type SlackAccount } from './slack-server.js'

interface Kind {
  readonly isPrivate?: boolean
  /** Slack calls the host, in place of a socket. */
  readonly calls?: boolean
}

async function startRig({ isPrivate = false, calls = false }: Kind): Promise<AdapterRig> {
  // The position outlasts a restart of the host where the store of messages does.
  const folder = await mkdtemp(join(tmpdir(), 'mynah-slack-'))
  const server = await new SlackServer([FIRST, SECOND]).listen()
  const channel = isPrivate ? PRIVATE : ROOM
  const inRoom = (room: string, thread?: string): string[] =>
    server.sent.filter((one) => one.channel === room && one.thread === thread).map(({ text }) => text)
  const said = (): string => String(server.messages.findLast(({ user }) => user === ALICE)?.ts)
  const account = (id: string, { botToken, appToken, signingSecret }: SlackAccount): AdapterRig['endpoint'] => ({
    adapter: 'slack',
    id,
    botToken,
    ...(calls ? { signingSecret } : { appToken }),
    apiRoot: server.apiRoot,
    replies: 'channel',
    outboundMedia: 'base64',
  })
  const say = async (text: string, more: object = {}): Promise<void> =>
    void (await server.say(escapeText(text), { channel, ...more }))
  const change = async (event: object): Promise<void> =>
    server.dispatch({ type: 'message', channel, event_ts: server.newTs(), ts: server.newTs(), ...event })
  const original = (): Record<string, unknown> => server.messages.find(({ ts }) => ts === said()) ?? {}
  return {
    plugins: [
      { plugin: database as never, config: { file: join(folder, 'messages.sqlite') } },
      inbox as never,
      ...(calls ? [{ plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } }] : []),
      slack,
      // The tests let hours pass on the clock of the host: that of Slack goes with it.
      definePlugin({
        name: 'slack-clock',
        setup: (ctx) => {
          server.now = () => ctx.clock.now()
        },
      }),
    ],
    endpoint: account('bot', FIRST),
    target: isPrivate ? { type: 'private', id: ALICE } : { type: 'group', id: ROOM },
    secrets: [FIRST.botToken, FIRST.appToken, FIRST.signingSecret],
    online: (host: Host) => {
      if (calls) server.callsTo = `${host.get(Http)?.origin}/webhook/slack/bot`
    },
    say,
    redeliver: () => server.redeliver(),
    // Nothing is seen of a server that calls.
    ...(calls ? {} : { kill: () => server.kill(), restart: () => server.http.restart(), mute: () => server.mute() }),
    press: (label) => server.press(label, channel),
    sent: () => inRoom(channel),
    ...(isPrivate
      ? {}
      : {
          sayAs: (speaker: 'person' | 'bot', text: string) =>
            say(text, speaker === 'bot' ? { user: HELPER, bot_id: 'B0HELPER01' } : { user: BOB }),
          mention: (whom: 'bot' | 'other' | 'all', text: string) =>
            server
              .say(`${{ bot: `<@${FIRST.user}>`, other: `<@${BOB}>`, all: '<!channel>' }[whom]} ${text}`)
              .then(() => {}),
          thread: async () => {
            const { ts } = await server.say('a beginning', { channel, subtype: 'channel_topic' })
            const thread = String(ts)
            return { say: (text: string) => say(text, { thread_ts: thread }), sent: () => inRoom(channel, thread) }
          },
          ...(calls
            ? {}
            : {
                second: async () => ({
                  endpoint: account('other', SECOND),
                  target: { type: 'group' as const, id: SECOND.channel },
                  say: (text: string) => say(text, { channel: SECOND.channel }),
                  sent: () => inRoom(SECOND.channel),
                }),
              }),
        }),
    reply: (text) => say(text, { thread_ts: server.sent.at(-1)?.ts }),
    edit: (text) => {
      const before = original()
      const message = { ...before, text, edited: { user: ALICE, ts: server.newTs() } }
      return change({ subtype: 'message_changed', message, previous_message: before })
    },
    remove: () => change({ subtype: 'message_deleted', deleted_ts: said(), previous_message: original() }),
    react: (emoji, isOn) =>
      server.dispatch({
        type: `reaction_${isOn ? 'added' : 'removed'}`,
        user: ALICE,
        reaction: emojiName(emoji),
        item: { type: 'message', channel, ts: server.sent.at(-1)?.ts },
      }),
    reactions: () => [...(server.reactions.get(said()) ?? [])].map(emojiOf),
    show: async ({ bytes, name = '', mime = '' }) => {
      const file = { bytes: Buffer.from(bytes), name, mime, isDone: true, length: bytes.length }
      server.files.set('F0PICTURE1', file)
      await say('', { subtype: 'file_share', files: [{ id: 'F0PICTURE1', name, mimetype: mime, size: bytes.length }] })
    },
    media: () => server.sent.flatMap(({ files }) => files.map((bytes) => ({ bytes }))),
    refuse: (times) =>
      server.http.fault(/chat\.postMessage/, { status: 403, body: { ok: false, error: 'restricted_action' } }, times),
    limit: (ms, now) => server.limit(ms, now),
    early: () => server.early,
    swallow: (times) => server.http.fault(/chat\.postMessage/, 'lose', times),
    frames: async (values) => {
      for (const value of values) {
        const event = typeof value === 'object' && value !== null ? value : { text: value }
        server.frame(value)
        await server.dispatch(value)
        await server.dispatch({ type: 'message', channel, ...event })
        await server.dispatch({ type: 'message', channel, subtype: 'message_changed', message: value })
        await server.dispatch({ type: 'reaction_added', item: { type: 'message', channel }, ...event })
        await server.deliver('interactive', { type: 'block_actions', ...event })
      }
    },
    wrongSecret: { endpoint: { ...account('bot', FIRST), botToken: 'xoxb-no-such-bot' }, names: 'botToken' },
    async stop() {
      await rm(folder, { recursive: true, force: true })
      await server.stop()
    },
  }
}

adapterContract({ name: 'slack in a channel', retains: true, start: () => startRig({}) })
adapterContract({ name: 'slack in private', retains: true, start: () => startRig({ isPrivate: true }) })
adapterContract({ name: 'slack by calls', retains: true, start: () => startRig({ calls: true }) })
