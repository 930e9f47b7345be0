import type { Channel } from '@mynah/contract/types'
import type { AdapterRig, RigEndpoint } from '../rig.js'
import { memoryAdapter } from './adapter.js'
import type { Defect } from './defects.js'
import { MemoryServer, type Stored } from './server.js'

const ROOM = 'hall'
const TOKEN = 'token-of-the-bot-1'
const endpointOf = (id: string, token: string, room: string): RigEndpoint => ({
  adapter: 'memory',
  id,
  token,
  room,
  outboundMedia: 'base64',
})
const group = (id: string): Channel => ({ type: 'group', id })

/** Returns the rig of the adapter in memory, with every method. */
export function memoryRig(defect?: Defect): AdapterRig {
  const server = new MemoryServer([
    { token: TOKEN, id: 'bot-1', room: ROOM },
    { token: 'token-of-the-bot-2', id: 'bot-2', room: 'attic' },
  ])
  const said = (from = 'ann'): Stored => server.messages.findLast((message) => message.from === from) as Stored
  const own = (): Stored => said('bot-1')
  const sentIn = (room: string, thread?: string): string[] =>
    server.messages
      .filter((m) => m.isBot && m.from !== 'robot' && m.room === room && m.thread === thread)
      .map((m) => m.text)
  const say = async (text: string, more: Record<string, unknown> = {}): Promise<void> =>
    void server.say({ room: ROOM, from: 'ann', text, ...more })
  const event = (type: string, more: Record<string, unknown>): void =>
    server.deliver(ROOM, { type, room: ROOM, from: 'ann', ...more })

  return {
    plugins: [memoryAdapter(server, defect)],
    endpoint: endpointOf('bot', TOKEN, ROOM),
    target: group(ROOM),
    secrets: [TOKEN],
    say,
    redeliver: async () => server.redeliver(),
    kill: async () => server.kill(),
    restart: async () => server.restart(),
    press: async (button) => {
      const pressed = own().buttons?.find(({ text }) => text === button)
      await say(pressed?.command ?? 'no such button')
    },
    sent: () => sentIn(ROOM),
    sayAs: (speaker, text) => say(text, speaker === 'bot' ? { from: 'robot', isBot: true } : { from: 'bob' }),
    echo: async () => server.deliver(ROOM, { ...own(), type: 'message' }),
    reply: (text) => say(text, { quotes: own().id }),
    quoted: () => server.messages.find(({ id }) => id === own().quotes)?.text,
    mention: (whom, text) => say(text, { mentions: { bot: 'bot-1', other: 'bob', all: 'all' }[whom] }),
    edit: async (text) => event('edit', { id: said().id, text }),
    remove: async () => event('delete', { id: said().id }),
    react: async (emoji, on) => event('reaction', { id: own().id, emoji, on }),
    reactions: () => [...server.reactionsTo(said().id)],
    thread: async () => ({ say: (text) => say(text, { thread: 't1' }), sent: () => sentIn(ROOM, 't1') }),
    show: ({ bytes }) => say('', { picture: bytes }),
    media: () => server.messages.flatMap(({ isBot, picture }) => (isBot && picture ? [{ bytes: picture }] : [])),
    isTyping: () => server.typing.has(ROOM),
    refuse: (times) => void (server.refusals = times),
    limit: (ms, now) => server.limit(ms, now),
    early: () => server.early,
    swallow: (times) => void (server.swallowed = times),
    mute: () => server.mute(),
    frames: async (values) => server.frames(values),
    wrongSecret: { endpoint: endpointOf('bot', 'no-such-token', ROOM), names: 'token' },
    second: async () => ({
      endpoint: endpointOf('other', 'token-of-the-bot-2', 'attic'),
      target: group('attic'),
      say: (text) => say(text, { room: 'attic' }),
      sent: () => sentIn('attic'),
    }),
    stop: async () => server.kill(),
  }
}
