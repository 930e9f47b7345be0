// A client that others wrote, unchanged, must take the server of these tests for DingTalk.
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { onDemand, resolveOnDemand } from '../../tools/on-demand.mjs'
import { CLIENT_ID, CLIENT_SECRET, DingTalkServer } from '../../plugins/adapter-dingtalk/dist/test/dingtalk-server.js'

interface Delivery {
  readonly headers: { readonly messageId: string }
  readonly data: string
}
interface Client {
  registerCallbackListener(topic: string, handle: (delivery: Delivery) => void): void
  connect(): Promise<void>
  disconnect(): void
  socketCallBackResponse(messageId: string, result: unknown): void
}
interface Sdk {
  readonly DWClient: new (options: object) => Client
  readonly TOPIC_ROBOT: string
}
interface Request {
  url?: string
}
interface Axios {
  readonly interceptors: { readonly request: { use(change: (request: Request) => Request): number; clear(): void } }
  post(url: string, body: object): Promise<{ readonly data: unknown }>
}

async function load<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(await resolveOnDemand('dingtalk', name)).href)) as T
}

describe('The server of the tests with dingtalk-stream', function () {
  this.timeout(180_000)

  it('is what that client takes for DingTalk', async () => {
    await onDemand('dingtalk')
    const { default: axios } = await load<{ default: Axios }>('axios')
    const { DWClient, TOPIC_ROBOT } = await load<Sdk>('dingtalk-stream')
    const server = await new DingTalkServer().listen()
    // The client knows one address only. The network is here.
    axios.interceptors.request.use((request) => ({
      ...request,
      url: request.url?.replace('https://api.dingtalk.com', server.http.url) ?? '',
    }))
    const client = new DWClient({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, autoReconnect: false })
    const heard: string[] = []
    client.registerCallbackListener(TOPIC_ROBOT, ({ headers, data }) => {
      const { text, sessionWebhook } = JSON.parse(data) as { text: { content: string }; sessionWebhook: string }
      heard.push(text.content.trim())
      const answer = { msgtype: 'text', text: { content: 'from the client' }, at: { atUserIds: [], isAtAll: false } }
      void axios.post(sessionWebhook, answer).then((response) => {
        client.socketCallBackResponse(headers.messageId, response.data)
      })
    })
    try {
      await client.connect()
      server.say('to the client')
      await until(() => server.pongs === 1, 'the answer to the ping')
      await until(() => heard.length === 1 && server.unacknowledged() === 0, 'the acknowledgement')
      expect(heard).to.deep.equal(['to the client'])
      expect(server.sent.map(({ text, by }) => [text, by])).to.deep.equal([['from the client', 'session']])
      server.http.check()
    } finally {
      client.disconnect()
      axios.interceptors.request.clear()
      await server.stop()
    }
  })
})
