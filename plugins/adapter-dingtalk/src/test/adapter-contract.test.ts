import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import dingtalk from '../index.js'
import { ALICE, BOB, CLIENT_ID, CLIENT_SECRET, DingTalkServer, ROOM } from './dingtalk-server.js'

const OTHER = { clientId: 'dingotheraccount', clientSecret: 'client-secret-of-the-other' }
const OTHER_ROOM = 'cidOtherRoom=='

async function startRig(isPrivate: boolean): Promise<AdapterRig> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-dingtalk-'))
  const own = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  const server = await new DingTalkServer([own, OTHER]).listen()
  const place = isPrivate ? ALICE : ROOM
  const account = (id: string, keys: object): AdapterRig['endpoint'] => ({
    adapter: 'dingtalk',
    id,
    ...keys,
    apiRoot: server.http.url,
    outboundMedia: 'base64',
    pacing: { burst: 1_000, perMinute: 60_000 },
  })
  const kind = isPrivate ? { conversationType: '1', isInAtList: undefined } : {}
  const say = async (text: string, more: object = {}): Promise<void> => server.say(text, { ...kind, ...more })
  const inRoom = (room: string): string[] => server.sent.filter(({ to }) => to === room).map(({ text }) => text)
  const inGroup: Partial<AdapterRig> = {
    // DingTalk gives a bot no messages of other bots.
    sayAs: async (speaker, text) => (speaker === 'bot' ? undefined : say(text, { senderStaffId: BOB })),
    mention: (whom, text) => {
      const atUsers = [{ dingtalkId: whom === 'bot' ? '$:LWCP_v1:$bot' : `$:LWCP_v1:$${BOB}` }]
      return say(text, { isInAtList: whom === 'bot', ...(whom === 'all' ? {} : { atUsers }) })
    },
    second: async () => ({
      endpoint: account('other', OTHER),
      target: { type: 'group', id: OTHER_ROOM },
      say: async (text) => server.say(text, { conversationId: OTHER_ROOM }, OTHER.clientId),
      sent: () => inRoom(OTHER_ROOM),
    }),
  }
  return {
    plugins: [
      { plugin: database as never, config: { file: join(folder, 'messages.sqlite') } },
      inbox as never,
      dingtalk,
    ],
    endpoint: account('bot', own),
    target: isPrivate ? { type: 'private', id: ALICE } : { type: 'group', id: ROOM },
    secrets: [CLIENT_SECRET, `token-1-of-${CLIENT_ID}`, 'session-1'],
    say,
    redeliver: async () => server.redeliver(),
    kill: () => server.kill(),
    restart: () => server.http.restart(),
    sent: () => inRoom(place),
    echo: () => say(inRoom(place).at(-1) ?? '', { senderId: '$:LWCP_v1:$bot' }),
    ...(isPrivate ? {} : inGroup),
    reply: async (text) => {
      const last = server.sent.at(-1)
      await say(text, { text: { content: text, isReplyMsg: true, repliedMsg: { msgId: last?.key, msgType: 'text' } } })
    },
    show: async ({ bytes }) =>
      say('', { msgtype: 'picture', text: undefined, content: { downloadCode: server.keep(bytes) } }),
    media: () => server.sent.flatMap(({ bytes }) => (bytes ? [{ bytes }] : [])),
    refuse: (times) => server.refuse(times),
    limit: (ms, now) => server.limit(ms, now),
    early: () => server.early,
    swallow: (times) => server.swallow(times),
    mute: () => server.mute(),
    frames: async (values) => {
      const keys = ['msgId', 'text', 'content', 'msgtype', 'conversationType', 'sessionWebhook', 'atUsers', 'createAt']
      for (const [index, value] of values.entries()) {
        const key = keys[index % keys.length] as string
        server.frame(value)
        server.deliver(value)
        server.say('noise', { ...kind, msgtype: index % 2 === 0 ? 'richText' : 'text', [key]: value })
      }
    },
    wrongSecret: { endpoint: account('bot', { ...own, clientSecret: 'not-the-secret' }), names: 'clientSecret' },
    async stop() {
      await rm(folder, { recursive: true, force: true })
      await server.stop()
    },
  }
}

adapterContract({ name: 'dingtalk in a group', retains: true, start: () => startRig(false) })
adapterContract({ name: 'dingtalk in private', retains: true, start: () => startRig(true) })
