// A client that others wrote, unchanged, must take the server of these tests for Lark.
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { onDemand, resolveOnDemand } from '../../tools/on-demand.mjs'
import { APP_ID, APP_SECRET, LarkServer, ROOM } from '../../plugins/adapter-lark/dist/test/lark-server.js'

interface Event {
  readonly message: { readonly content: string; readonly message_id: string }
}
interface Sdk {
  readonly Client: new (options: object) => {
    readonly im: { readonly message: { create(payload: object): Promise<{ readonly code?: number }> } }
  }
  readonly WSClient: new (options: object) => {
    start(options: object): Promise<void>
    close(options: object): void
  }
  readonly EventDispatcher: new (options: object) => { register(handlers: object): object }
  readonly LoggerLevel: Readonly<Record<string, number>>
}

describe('The server of the tests with @larksuiteoapi/node-sdk', function () {
  this.timeout(180_000)

  it('is what that client takes for Lark', async () => {
    await onDemand('lark')
    const at = await resolveOnDemand('lark', '@larksuiteoapi/node-sdk')
    const { default: sdk } = (await import(pathToFileURL(at).href)) as { default: Sdk }
    const server = await new LarkServer().listen()
    const account = {
      appId: APP_ID,
      appSecret: APP_SECRET,
      domain: server.http.url,
      loggerLevel: sdk.LoggerLevel.error,
    }
    const client = new sdk.Client(account)
    const socket = new sdk.WSClient({ ...account, autoReconnect: false })
    const heard: string[] = []
    const eventDispatcher = new sdk.EventDispatcher({ loggerLevel: sdk.LoggerLevel.error }).register({
      'im.message.receive_v1': ({ message }: Event) => {
        heard.push((JSON.parse(message.content) as { text: string }).text)
      },
    })
    try {
      await socket.start({ eventDispatcher })
      await until(() => server.pings === 1, 'the first ping')
      // One of three comes in fragments.
      for (const text of ['one', 'two', 'three']) await server.say(text)
      await until(() => heard.length === 3 && server.unacknowledged() === 0, 'the acknowledgements')
      expect(heard).to.deep.equal(['one', 'two', 'three'])
      const data = { receive_id: ROOM, msg_type: 'text', content: '{"text":"from the client"}', uuid: 'once' }
      for (let attempt = 0; attempt < 2; attempt++)
        await client.im.message.create({ params: { receive_id_type: 'chat_id' }, data })
      expect(server.sent.map(({ text }) => text)).to.deep.equal(['from the client'])
      server.http.check()
    } finally {
      socket.close({ force: true })
      await server.stop()
    }
  })
})
