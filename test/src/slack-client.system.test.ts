// Clients that others wrote, unchanged, must take the server of these tests for Slack.
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { onDemand, resolveOnDemand } from '../../tools/on-demand.mjs'
import { FIRST, ROOM, SlackServer } from '../../plugins/adapter-slack/dist/test/slack-server.js'

interface Api {
  readonly auth: { test(): Promise<{ readonly user_id?: string }> }
  readonly chat: {
    postMessage(options: object): Promise<{ readonly ts?: string }>
    update(options: object): Promise<object>
  }
  readonly conversations: {
    history(options: object): Promise<{ readonly messages?: readonly { readonly text?: string }[] }>
  }
  readonly reactions: { add(options: object): Promise<object> }
}
interface Delivery {
  readonly event: { readonly text?: string }
  ack(): Promise<void>
}
interface Client {
  on(event: string, handle: (delivery: Delivery) => void): void
  start(): Promise<unknown>
  disconnect(): Promise<void>
}

async function load<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(await resolveOnDemand('slack', name)).href)) as T
}

describe('The server of the tests with @slack/socket-mode and @slack/web-api', function () {
  this.timeout(180_000)

  it('is what these clients take for Slack', async () => {
    await onDemand('slack')
    const { SocketModeClient } = await load<{ SocketModeClient: new (options: object) => Client }>('@slack/socket-mode')
    const { WebClient } = await load<{ WebClient: new (token: string, options: object) => Api }>('@slack/web-api')
    const server = await new SlackServer().listen()
    const slackApiUrl = `${server.apiRoot}/`
    const client = new SocketModeClient({ appToken: FIRST.appToken, clientOptions: { slackApiUrl }, logLevel: 'error' })
    const api = new WebClient(FIRST.botToken, { slackApiUrl, retryConfig: { retries: 0 } })
    const heard: (string | undefined)[] = []
    client.on('message', ({ event, ack }) => {
      heard.push(event.text)
      void ack()
    })
    try {
      await client.start()
      await server.say('to the client')
      await until(() => heard.length === 1 && server.waiting === 0, 'the message and its acknowledgement')
      expect((await api.auth.test()).user_id).to.equal(FIRST.user)
      const metadata = { event_type: 'noted', event_payload: { key: 'k-1' } }
      const { ts } = await api.chat.postMessage({ channel: ROOM, text: 'from the client', metadata })
      await until(() => heard.length === 2, 'its own message')
      await api.chat.update({ channel: ROOM, ts, text: 'changed' })
      await api.reactions.add({ channel: ROOM, timestamp: ts, name: 'eyes' })
      const { messages = [] } = await api.conversations.history({
        channel: ROOM,
        oldest: '0000000001.000000',
        limit: 10,
      })
      expect(messages.map(({ text }) => text)).to.deep.equal(['from the client', 'to the client'])
      expect(heard).to.deep.equal(['to the client', 'from the client'])
      expect(server.sent.map(({ text }) => text)).to.deep.equal(['changed'])
      server.http.check()
    } finally {
      await client.disconnect()
      await server.stop()
    }
  })
})
