// A client that others wrote, unchanged, must take the server of these tests for Discord.
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { onDemand, resolveOnDemand } from '../../tools/on-demand.mjs'
import { DiscordServer, ROOM, TOKEN } from '../../plugins/adapter-discord/dist/test/discord-server.js'

interface Client {
  get(path: `/${string}`): Promise<unknown>
  post(path: `/${string}`, options: object): Promise<unknown>
  setToken(token: string): this
}
interface Manager {
  on(event: string, handle: (payload: { readonly t: string; readonly d: { readonly content?: string } }) => void): void
  connect(): Promise<void>
  destroy(): Promise<void>
}
interface Modules {
  readonly REST: new (options: object) => Client
  readonly WebSocketManager: new (options: object) => Manager
}

async function load(name: string): Promise<Modules> {
  return (await import(pathToFileURL(await resolveOnDemand('discord', name)).href)) as Modules
}

describe('The server of the tests with @discordjs/ws', function () {
  this.timeout(180_000)

  it('is what that client takes for Discord', async () => {
    await onDemand('discord')
    const { REST } = await load('@discordjs/rest')
    const { WebSocketManager } = await load('@discordjs/ws')
    const server = await new DiscordServer().listen()
    const rest = new REST({ api: `${server.http.url}/api` }).setToken(TOKEN)
    const fetchGatewayInformation = (): Promise<unknown> => rest.get('/gateway/bot')
    const manager = new WebSocketManager({ token: TOKEN, intents: 513, rest, fetchGatewayInformation })
    const heard: (string | undefined)[] = []
    manager.on('dispatch', ({ t, d }) => {
      if (t === 'MESSAGE_CREATE') heard.push(d.content)
    })
    try {
      await manager.connect()
      server.say('to the client')
      await until(() => heard.length === 1, 'the message')
      const body = { content: 'from the client', allowed_mentions: { parse: [], users: [], replied_user: false } }
      await rest.post(`/channels/${ROOM}/messages`, { body })
      await until(() => heard.length === 2, 'its own message')
      expect(heard).to.deep.equal(['to the client', 'from the client'])
      expect(server.logins).to.deep.equal(['identify'])
      server.http.check()
    } finally {
      await manager.destroy()
      await server.stop()
    }
  })
})
