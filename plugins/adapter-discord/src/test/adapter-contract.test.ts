import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import discord from '../index.js'
import { ALICE, BOB, DiscordServer, GUILD, PRIVATE, ROOM, TOKEN } from './discord-server.js'

const OTHER = {
  token: 'token-of-the-other-bot-of-the-tests.2',
  id: '4000000000000000002',
  guild: '2000000000000000002',
}
const OTHER_ROOM = String(BigInt(ROOM) + 1n)
const SELF = '4000000000000000001'

async function startRig(isPrivate: boolean): Promise<AdapterRig> {
  // The position outlasts a restart of the host where the store of messages does.
  const folder = await mkdtemp(join(tmpdir(), 'mynah-discord-'))
  const server = await new DiscordServer([{ token: TOKEN, id: SELF, guild: GUILD }, OTHER]).listen()
  const channel = isPrivate ? PRIVATE : ROOM
  const inRoom = (room: string): string[] => server.sent.filter((one) => one.channel === room).map(({ text }) => text)
  const said = (): string =>
    String(server.messages.findLast(({ author }) => (author as { id: string }).id === ALICE)?.id)
  const account = (id: string, token: string): AdapterRig['endpoint'] => ({
    adapter: 'discord',
    id,
    token,
    apiRoot: server.apiRoot,
    outboundMedia: 'base64',
  })
  const guild = isPrivate ? {} : { guild_id: GUILD }
  const say = async (text: string, more: object = {}): Promise<void> => void server.say(text, { channel, ...more })
  return {
    plugins: [
      { plugin: database as never, config: { file: join(folder, 'messages.sqlite') } },
      inbox as never,
      discord,
    ],
    endpoint: account('bot', TOKEN),
    target: isPrivate
      ? { type: 'private', id: ALICE }
      : { type: 'channel', id: ROOM, parent: { type: 'guild', id: GUILD } },
    secrets: [TOKEN],
    say,
    redeliver: async () => server.redeliver(),
    kill: () => server.kill(),
    restart: () => server.http.restart(),
    press: async (label) => {
      const rows = (server.sent.at(-1)?.body.components ?? []) as {
        components: { label: string; custom_id: string }[]
      }[]
      const button = rows.flatMap(({ components }) => components).find((one) => one.label === label)
      const user = { id: ALICE, username: 'alice' }
      const place = isPrivate ? { guild_id: undefined, member: undefined, user, channel_id: channel } : {}
      server.interact(3, { custom_id: button?.custom_id, component_type: 2 }, place)
    },
    sent: () => inRoom(channel),
    ...(isPrivate
      ? {}
      : {
          sayAs: (speaker: 'person' | 'bot', text: string) =>
            say(text, speaker === 'bot' ? { from: '5000000000000000001', bot: true } : { from: BOB }),
          mention: (whom: 'bot' | 'other' | 'all', text: string) => {
            const id = whom === 'bot' ? SELF : BOB
            const mentions = whom === 'all' ? [] : [{ id, username: whom }]
            return say(`${whom === 'all' ? '@everyone' : `<@${id}>`} ${text}`, {
              mentions,
              mention_everyone: whom === 'all',
            })
          },
          thread: async () => {
            const { id } = server.openThread(ROOM)
            return { say: (text: string) => say(text, { channel: id }), sent: () => inRoom(String(id)) }
          },
          second: async () => ({
            endpoint: account('other', OTHER.token),
            target: { type: 'channel' as const, id: OTHER_ROOM, parent: { type: 'guild' as const, id: OTHER.guild } },
            say: (text: string) => say(text, { channel: OTHER_ROOM }),
            sent: () => inRoom(OTHER_ROOM),
          }),
        }),
    quoted: () => (server.sent.at(-1)?.quotes === said() ? 'the question' : undefined),
    reply: (text) => say(text, { type: 19, message_reference: { type: 0, message_id: server.sent.at(-1)?.id } }),
    edit: async (content) => {
      const message = server.messages.find(({ id }) => id === said())
      server.dispatch('MESSAGE_UPDATE', { ...message, content, edited_timestamp: new Date().toISOString() })
    },
    remove: async () => server.dispatch('MESSAGE_DELETE', { id: said(), channel_id: channel, ...guild }),
    react: async (emoji, isOn) =>
      server.dispatch(`MESSAGE_REACTION_${isOn ? 'ADD' : 'REMOVE'}`, {
        user_id: ALICE,
        message_id: server.sent.at(-1)?.id,
        channel_id: channel,
        emoji: { id: null, name: emoji },
        ...guild,
      }),
    reactions: () => [...(server.reactions.get(said()) ?? [])],
    show: async ({ name, mime }) =>
      say('', {
        attachments: [
          { id: '1', url: 'https://cdn.example.org/pixel.png', filename: name, content_type: mime, size: 70 },
        ],
      }),
    media: () => server.sent.flatMap(({ files }) => files.map((bytes) => ({ bytes }))),
    isTyping: () => server.typing.has(channel),
    refuse: (times) =>
      server.http.fault(
        /POST .*\/messages$/,
        { status: 403, body: { message: 'Missing Permissions', code: 50_013 } },
        times,
      ),
    limit: (ms, now) => server.limit(ms, now),
    early: () => server.early,
    swallow: (times) => server.http.fault(/POST .*\/messages$/, 'lose', times),
    mute: () => server.mute(),
    frames: async (values) => {
      for (const value of values) {
        server.frame(value)
        server.dispatch('MESSAGE_CREATE', value)
        server.dispatch('MESSAGE_REACTION_ADD', value)
      }
    },
    wrongSecret: { endpoint: account('bot', 'no-such-token-of-any-bot'), names: 'token' },
    async stop() {
      await rm(folder, { recursive: true, force: true })
      await server.stop()
    },
  }
}

adapterContract({ name: 'discord in a server', retains: true, start: () => startRig(false) })
adapterContract({ name: 'discord in private', retains: true, start: () => startRig(true) })
