import { expect } from 'chai'
import { createHost, definePlugin, type AnyPlugin } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { MessageStore } from '@mynah/plugin-chat/api'
import { failingStore } from '@mynah/plugin-chat/testing'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import webhook from '../index.js'
import { Peer, SECRET } from './peer.js'

describe('Requests while the host starts', () => {
  it('are answered with 503 until the endpoint exists, and then accepted', async () => {
    const peer = await Peer.start()
    let come = (): void => {}
    const gate = new Promise<void>((resolve) => {
      come = resolve
    })
    const store = failingStore(() => true)
    // A store that takes its time: chat waits for it before it makes its endpoints.
    const late = definePlugin({
      name: 'late-store',
      provides: [MessageStore],
      setup: async (ctx) => {
        await gate
        await (store.setup as (ctx: unknown) => unknown)(ctx)
      },
    }) as unknown as AnyPlugin
    const host = createHost(
      [
        { plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } },
        {
          plugin: chat as never,
          config: { endpoints: [{ adapter: 'webhook', id: 'peer', secret: SECRET, url: peer.url }] },
        },
        { plugin: webhook as never },
        { plugin: late },
      ],
      { log() {} },
    )
    const started = host.start()
    try {
      await until(() => host.get(Http) !== undefined)
      peer.origin = host.get(Http)?.origin ?? ''
      const status = async (): Promise<number> => (await peer.post(peer.message('hello'))).status
      expect(await status()).to.equal(503)
      come()
      await started
      let last = 503
      while (last === 503) last = await status()
      expect(last).to.equal(202)
    } finally {
      come()
      await host.stop()
      await peer.stop()
    }
  })
})
