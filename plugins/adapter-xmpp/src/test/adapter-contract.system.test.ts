import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Channel } from '@mynah/plugin-chat/api'
import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import xmpp from '../index.js'
import { Conversation } from './conversation.js'
import { PASSWORD, Prosody, ROOM, whyNot } from './prosody.js'
import { User } from './user.js'

async function rig(target: Channel): Promise<AdapterRig> {
  // The position outlasts a restart of the host where the store of messages does.
  const folder = await mkdtemp(join(tmpdir(), 'mynah-xmpp-store-'))
  const server = await Prosody.start()
  const alice = await User.enter(server, 'alice')
  const isGroup = target.type === 'group'
  const conversation = new Conversation(alice, isGroup ? ROOM : 'bot@localhost')
  const account = { adapter: 'xmpp', password: PASSWORD, service: server.service, insecure: true }
  const endpoint = { ...account, id: 'bot', jid: 'bot@localhost', nick: 'mynah', ...(isGroup ? { rooms: [ROOM] } : {}) }
  let isInRoom = false
  return {
    plugins: [{ plugin: database as never, config: { file: join(folder, 'messages.sqlite') } }, inbox as never, xmpp],
    endpoint,
    target,
    secrets: [PASSWORD],
    wrongSecret: { endpoint: { ...endpoint, password: 'not the password' }, names: 'password' },
    async online() {
      if (isGroup && !isInRoom) await alice.join(ROOM)
      isInRoom = true
    },
    say: (text) => conversation.say(text),
    redeliver: () => alice.repeat(),
    kill: () => server.kill(),
    async restart() {
      await server.run()
      await alice.leave()
      await alice.enter(isGroup ? ROOM : undefined)
    },
    sent: () => conversation.sent(),
    reply: (text) => conversation.reply(text),
    quoted: () => conversation.quoted(),
    // The nick of a user mentions that user. No word mentions all of them.
    mention: (whom, text) => conversation.say(`${{ bot: 'mynah', other: 'eve', all: 'everybody' }[whom]}: ${text}`),
    edit: (text) => conversation.edit(text),
    remove: () => conversation.remove(),
    react: (emoji, isOn) => conversation.react(emoji, isOn),
    reactions: () => conversation.reactions(),
    isTyping: () => conversation.isTyping(),
    mute: () => server.freeze(),
    second: () =>
      Promise.resolve({
        endpoint: { ...account, id: 'second', jid: 'second@localhost' },
        target: { type: 'private', id: 'alice@localhost' },
        say: async (text) => void (await alice.say('second@localhost', text)),
        sent: () => conversation.sentBySecond(),
      }),
    async stop() {
      await alice.leave()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

adapterContract({
  name: 'xmpp in private on prosody',
  unavailable: whyNot,
  retains: true,
  start: () => rig({ type: 'private', id: 'alice@localhost' }),
})
adapterContract({
  name: 'xmpp in a room of prosody',
  unavailable: whyNot,
  retains: true,
  start: () => rig({ type: 'group', id: ROOM }),
})
