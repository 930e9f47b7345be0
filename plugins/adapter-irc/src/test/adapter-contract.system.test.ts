import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import type { Channel } from '@mynah/plugin-chat/api'
import adapterIrc from '../index.js'
import { privately, room } from './bot.js'
import { IrcServer, whyNot, type Kind } from './servers.js'
import { User } from './user.js'

/** InspIRCd takes any where it has none. ngircd does not. */
const PASSWORD = 'password-of-the-tests'

async function rig(kind: Kind, target: Channel): Promise<AdapterRig> {
  const server = await IrcServer.start(kind)
  const enter = (): Promise<User> => User.enter(server.port, 'alice', ['#room'])
  // Both log in at the same time.
  const entering = enter()
  let user: User | undefined
  const sent: string[] = []
  const others: User[] = []
  const sentBySecond: string[] = []
  const address = target.type === 'private' ? 'mynah' : target.id
  return {
    plugins: [adapterIrc],
    endpoint: {
      adapter: 'irc',
      id: 'bot',
      host: '127.0.0.1',
      port: server.port,
      tls: false,
      nick: 'mynah',
      channels: ['#room'],
      ...(kind === 'inspircd' ? { password: PASSWORD } : {}),
      pacing: { burst: 1_000, perSecond: 1_000 },
    },
    target,
    ...(kind === 'inspircd' ? { secrets: [PASSWORD] } : {}),
    async online() {
      user ??= await entering
    },
    async say(text) {
      ;(user ?? (await entering)).say(address, text)
    },
    mention: async (whom, text) => {
      const mentioned = { bot: 'mynah: ', other: 'bob: ', all: '' }[whom]
      ;(user ?? (await entering)).say(address, `${mentioned}${text}`)
    },
    kill: () => server.kill(),
    async restart() {
      await server.run()
      user = await enter()
    },
    sent() {
      // Read lines are let go, so that only the bot's memory is measured.
      for (const { command, nick, params } of user?.lines.splice(0) ?? [])
        if (command === 'PRIVMSG' && nick === 'mynah') sent.push(params[1] ?? '')
      return sent
    },
    async second() {
      const bob = await User.enter(server.port, 'bob', ['#other'])
      others.push(bob)
      return {
        endpoint: {
          adapter: 'irc',
          id: 'other',
          host: '127.0.0.1',
          port: server.port,
          tls: false,
          nick: 'other',
          channels: ['#other'],
        },
        target: room('#other'),
        async say(text) {
          bob.say('#other', text)
        },
        sent() {
          for (const { command, nick, params } of bob.lines.splice(0))
            if (command === 'PRIVMSG' && nick === 'other') sentBySecond.push(params[1] ?? '')
          return sentBySecond
        },
      }
    },
    async stop() {
      for (const other of others) await other.leave()
      await (user ?? (await entering)).leave()
      await server.stop()
    },
  }
}

adapterContract({
  name: 'irc in a channel of ngircd',
  unavailable: () => whyNot('ngircd'),
  start: () => rig('ngircd', room()),
})
adapterContract({
  name: 'irc in private on InspIRCd',
  unavailable: () => whyNot('inspircd'),
  start: () => rig('inspircd', privately('alice')),
})
