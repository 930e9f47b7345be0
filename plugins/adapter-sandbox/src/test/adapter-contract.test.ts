import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import type { SandboxMessage } from '@mynah/contract/types'
import { At, Image, Text, type CardData } from '@mynah/plugin-chat/api'
import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import consoleRpc from '@mynah/plugin-console-rpc'
import events from '@mynah/plugin-events'
import { publish } from '@mynah/plugin-events/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import sandbox from '../index.js'
import { ALICE, Page, TOKEN } from './page.js'

const LOBBY = { type: 'group', id: 'lobby' } as const

function startRig(): AdapterRig {
  const page = new Page(LOBBY)
  const stream = definePlugin({
    name: 'stream',
    setup: (ctx) => {
      ctx.on(publish, ({ type, data }) => {
        if (type === 'sandbox:message') page.take(data as SandboxMessage)
      })
    },
  })
  const plugins = [consoleRpc, events, sandbox, stream] as unknown as AnyPlugin[]
  return {
    plugins: [{ plugin: httpCore as never, config: { port: 0, token: TOKEN } }, ...plugins],
    endpoint: { adapter: 'sandbox', id: 'bot' },
    target: LOBBY,
    secrets: [TOKEN],
    online: (host) => {
      page.origin = host.get(Http)?.origin ?? ''
    },
    say: (text) => page.send(text),
    redeliver: () => page.again(),
    sent: () => page.texts(),
    press: async (label) => {
      const card = page.segments.findLast(({ type }) => type === 'card')?.data as CardData | undefined
      await page.send(card?.buttons?.find(({ text }) => text === label)?.command ?? '')
    },
    mention: (whom, text) => {
      if (whom === 'all') return page.send(`@all ${text}`)
      return page.send([At(whom === 'bot' ? 'bot' : 'bob'), Text(` ${text}`)])
    },
    quoted: () => (page.received.at(-1)?.replyTo === page.said ? 'the question' : undefined),
    edit: (content) => page.act('edit', page.said, { content }),
    remove: () => page.act('delete', page.said),
    react: (emoji, added) => page.act('react', page.received.at(-1)?.messageId, { emoji, added }),
    reactions: () => {
      // The next call returns what this one reads, since it cannot wait.
      page.readReactions().catch(() => undefined)
      return page.reactions
    },
    show: ({ bytes, name, mime }) =>
      page.send([Image({ base64: Buffer.from(bytes).toString('base64'), name: name ?? '', mime: mime ?? '' })]),
    media: () =>
      page.segments.flatMap(({ data: { base64 } }) =>
        typeof base64 === 'string' ? [{ bytes: Buffer.from(base64, 'base64') }] : [],
      ),
    frames: async (values) => {
      const types = ['send', 'edit', 'react', 'delete']
      for (const [index, value] of values.entries()) {
        const type = types[index % types.length] as string
        await page.call(type, value).catch(() => undefined)
        const call = { endpointId: 'bot', channel: LOBBY, sender: ALICE, messageId: `x${index}`, content: value }
        await page.call(type, call).catch(() => undefined)
      }
    },
    second: async () => ({
      endpoint: { adapter: 'sandbox', id: 'other' },
      target: LOBBY,
      say: (text) => page.send(text, { endpointId: 'other' }),
      sent: () => page.texts('other'),
    }),
    stop: async () => {},
  }
}

adapterContract({ name: 'sandbox', start: async () => startRig() })
