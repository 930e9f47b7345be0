import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import database from '@mynah/plugin-database'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'
import { emojiOf } from '../emoji.js'
import { encodeFrame } from '../frame.js'
import lark from '../index.js'
import * as lk from './lark-server.js'

const { ALICE, BOB, PRIVATE, ROOM } = lk
const OWN = { appId: lk.APP_ID, appSecret: lk.APP_SECRET }
const OTHER = { appId: 'cli_fedcba9876543210', appSecret: 'app-secret-of-the-other' }
const OTHER_ROOM = 'oc_other'

interface Kind {
  readonly isPrivate?: boolean
  readonly isWebhook?: boolean
}

async function startRig({ isPrivate = false, isWebhook = false }: Kind): Promise<AdapterRig> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-lark-'))
  const server = await new lk.LarkServer([
    { ...OWN, openId: 'ou_bot' },
    { ...OTHER, openId: 'ou_other_bot' },
  ]).listen()
  const place = isPrivate ? PRIVATE : ROOM
  const account = (id: string, keys: object): AdapterRig['endpoint'] => ({
    adapter: 'lark',
    id,
    ...keys,
    domain: server.http.url,
    outboundMedia: 'base64',
    ...(isWebhook ? { mode: 'webhook', encryptKey: lk.ENCRYPT_KEY, verificationToken: lk.VERIFICATION_TOKEN } : {}),
  })
  const say = (text: string, more: object = {}, sender: object = {}) =>
    server.say(text, { chat_id: place, ...more }, sender as never)
  const inRoom = (room: string): string[] =>
    server.sent.filter(({ chat, inThread }) => chat === room && !inThread).map(({ text }) => text)
  const buttonsOf = (content: Record<string, unknown>) =>
    ((content.elements ?? []) as { actions?: { text: { content: string }; value: unknown }[] }[]).flatMap(
      ({ actions = [] }) => actions,
    )
  const inGroup: Partial<AdapterRig> = {
    sayAs: (speaker, text) =>
      say(
        text,
        {},
        speaker === 'bot' ? { sender_id: { open_id: 'ou_bot2' }, sender_type: 'app' } : { sender_id: { open_id: BOB } },
      ),
    mention: (whom, text) => {
      const id = { open_id: whom === 'bot' ? 'ou_bot' : BOB }
      const mentions = whom === 'all' ? [] : [{ key: '@_user_1', id, name: whom, tenant_key: 't' }]
      return say('', {
        content: JSON.stringify({ text: `${whom === 'all' ? '@_all' : '@_user_1'} ${text}` }),
        mentions,
      })
    },
    thread: async () => {
      const ids = { thread_id: 'omt_1', root_id: 'om_root', parent_id: 'om_root' }
      return {
        say: (text) => say(text, ids),
        sent: () => server.sent.filter(({ inThread }) => inThread).map(({ text }) => text),
      }
    },
    second: async () => ({
      endpoint: account('other', OTHER),
      target: { type: 'group', id: OTHER_ROOM },
      say: (text) => server.say(text, { chat_id: OTHER_ROOM }, {}, OTHER.appId),
      sent: () => inRoom(OTHER_ROOM),
    }),
  }
  const bySocket: Partial<AdapterRig> = {
    kill: () => server.kill(),
    restart: () => server.http.restart(),
    mute: () => server.mute(),
  }
  return {
    plugins: [
      { plugin: database as never, config: { file: join(folder, 'messages.sqlite') } },
      inbox as never,
      { plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } },
      lark,
    ],
    online: (host) => {
      if (isWebhook) server.webhook = `${host.get(Http)?.origin ?? ''}/webhook/lark/bot`
    },
    endpoint: account('bot', OWN),
    target: isPrivate ? { type: 'private', id: ALICE } : { type: 'group', id: ROOM },
    secrets: [lk.APP_SECRET, `t-1-${lk.APP_ID}`, lk.ENCRYPT_KEY, lk.VERIFICATION_TOKEN],
    say,
    redeliver: () => server.redeliver(),
    ...(isWebhook ? {} : bySocket),
    press: (label) => {
      const card = server.sent.at(-1)
      const button = buttonsOf(card?.content ?? {}).find(({ text }) => text.content === label)
      return server.deliver('card.action.trigger', {
        operator: { open_id: ALICE },
        token: 'c-token',
        action: { value: button?.value, tag: 'button' },
        context: { open_message_id: card?.id, open_chat_id: place },
      })
    },
    sent: () => inRoom(place),
    echo: () => say(inRoom(place).at(-1) ?? '', {}, { sender_id: { open_id: 'ou_bot' }, sender_type: 'app' }),
    ...(isPrivate || isWebhook ? {} : inGroup),
    reply: (text) => say(text, { parent_id: server.sent.at(-1)?.id, root_id: server.sent.at(-1)?.id }),
    quoted: () => {
      const quotes = server.sent.at(-1)?.quotes
      return quotes === server.said ? 'the question' : undefined
    },
    remove: () =>
      server.deliver('im.message.recalled_v1', {
        message_id: server.said,
        chat_id: place,
        recall_time: String(Date.now()),
        recall_type: 'message_owner',
      }),
    react: (emoji, isOn) =>
      server.deliver(`im.message.reaction.${isOn ? 'created' : 'deleted'}_v1`, {
        message_id: server.sent.at(-1)?.id,
        reaction_type: { emoji_type: emoji === '👍' ? 'THUMBSUP' : emoji },
        operator_type: 'user',
        user_id: { open_id: ALICE },
        action_time: String(Date.now()),
      }),
    reactions: () => [...server.reactions.values()].map(({ type }) => emojiOf(type)),
    show: ({ bytes }) => say('', { message_type: 'image', content: JSON.stringify({ image_key: server.keep(bytes) }) }),
    media: () => server.sent.flatMap(({ bytes }) => (bytes ? [{ bytes }] : [])),
    refuse: (times) => server.refuse(times),
    limit: (ms, now) => server.limit(ms, now),
    early: () => server.early,
    swallow: (times) => server.swallow(times),
    frames: async (values) => {
      const types = ['im.message.receive_v1', 'im.message.recalled_v1', 'card.action.trigger', 'other']
      const keys = ['message_id', 'content', 'chat_id', 'mentions', 'message_type', 'thread_id', 'create_time']
      for (const [index, value] of values.entries()) {
        const key = keys[index % keys.length] as string
        await server.deliver(types[index % types.length] as string, value)
        if (index % 4 === 0) await say('noise', { message_type: index % 8 === 0 ? 'post' : 'text', [key]: value })
        if (isWebhook) await server.post(value)
        else {
          const payload = Buffer.from(JSON.stringify(value) ?? '')
          const headers = { type: 'event', message_id: 'x', sum: JSON.stringify(value) ?? '', seq: '0' }
          server.raw(payload)
          server.raw(encodeFrame({ sequence: 0n, log: 0n, service: 7, method: index % 3, headers, payload }))
        }
      }
    },
    wrongSecret: { endpoint: account('bot', { ...OWN, appSecret: 'not-the-secret' }), names: 'appSecret' },
    async stop() {
      await rm(folder, { recursive: true, force: true })
      await server.stop()
    },
  }
}

adapterContract({ name: 'lark in a group', retains: true, start: () => startRig({}) })
adapterContract({ name: 'lark in private', retains: true, start: () => startRig({ isPrivate: true }) })
adapterContract({ name: 'lark by webhook', start: () => startRig({ isWebhook: true }) })
