// Tests of the contract of adapters, against two real servers: in a channel and in private.
import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import type { Channel } from '@mynah/plugin-chat/api'
import adapterIrc from '../index.js'
import { privately, room } from './bot.js'
import { IrcServer, whyNot, type Kind } from './servers.js'
import { until } from './until.js'
import { User } from './user.js'

async function rig(kind: Kind, target: Channel): Promise<AdapterRig> {
  const server = await IrcServer.start(kind)
  const enter = (): Promise<User> => User.enter(server.port, 'alice', ['#room'])
  let user = await enter()
  let read = 0
  const sent: string[] = []
  const address = target.type === 'private' ? 'mynah' : target.id
  return {
    plugins: [adapterIrc],
    endpoint: { adapter: 'irc', id: 'bot', host: '127.0.0.1', port: server.port, tls: false, nick: 'mynah', channels: ['#room'], pacing: { burst: 1_000, perSecond: 1_000 } },
    target,
    async online() { await user.sees('mynah', '#room') },
    async say(text) {
      await until(() => user.lines.some(({ nick, command }) => nick === 'mynah' && command === 'JOIN') || user.lines.some(({ command, params }) => command === '353' && (params[3] ?? '').includes('mynah')), 'for the bot to be there')
      user.say(address, text)
    },
    kill: () => server.kill(),
    async restart() {
      await server.run()
      user = await enter()
      read = 0
    },
    sent() {
      for (; read < user.lines.length; read++) {
        const line = user.lines[read]
        if (line?.command === 'PRIVMSG' && line.nick === 'mynah') sent.push(line.params[1] ?? '')
      }
      return sent
    },
    async stop() {
      await user.leave()
      await server.stop()
    },
  }
}

adapterContract({ name: 'irc in a channel of ngircd', unavailable: () => whyNot('ngircd'), reconnects: true, start: () => rig('ngircd', room()) })
adapterContract({ name: 'irc in private on InspIRCd', unavailable: () => whyNot('inspircd'), reconnects: true, start: () => rig('inspircd', privately('alice')) })
