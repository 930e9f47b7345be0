// A client that others wrote, unchanged, must work with the strict server of these tests.
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { onDemand, resolveOnDemand } from '../../tools/on-demand.mjs'
import { GROUP, OneBotServer, SELF, TOKEN } from '../../plugins/adapter-onebot/dist/test/onebot-server.js'

interface ForeignClient {
  connect(): Promise<void>
  disconnect(): Promise<void>
  on(event: string, handle: (context: { readonly raw_message?: string; readonly message_id?: number }) => void): void
  send_group_msg(params: object): Promise<{ readonly message_id: number }>
  get_login_info(): Promise<{ readonly user_id: number }>
  delete_msg(params: object): Promise<unknown>
}
type Module = Readonly<{ NCWebsocket: new (options: object) => ForeignClient }>

describe('Strict server with node-napcat-ts', function () {
  this.timeout(180_000)

  it('is what that client takes for a OneBot server', async () => {
    await onDemand('onebot')
    const path = await resolveOnDemand('onebot', 'node-napcat-ts')
    const { NCWebsocket } = (await import(pathToFileURL(path).href)) as Module
    const server = await new OneBotServer().listen()
    const client = new NCWebsocket({ baseUrl: server.url, accessToken: TOKEN, reconnection: { enable: false } })
    const heard: number[] = []
    client.on('message.group', ({ message_id: id = 0 }) => heard.push(id))
    try {
      await client.connect()
      expect((await client.get_login_info()).user_id).to.equal(SELF)
      const message = [{ type: 'text', data: { text: 'hello' } }]
      const sent = await client.send_group_msg({ group_id: GROUP, message })
      expect(sent.message_id).to.be.above(2 ** 32)
      await client.delete_msg({ message_id: sent.message_id })
      await server.say('to the client')
      await until(() => heard.length === 1, 'the message')
      server.check()
    } finally {
      await client.disconnect()
      await server.stop()
    }
  })
})
