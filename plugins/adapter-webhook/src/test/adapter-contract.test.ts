import { expect } from 'chai'
import { adapterContract } from '@mynah/plugin-chat/testing'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import webhook from '../index.js'
import { Peer, SECRET } from './peer.js'

adapterContract({
  name: 'webhook',
  redelivers: true,
  async start() {
    const peer = await Peer.start()
    let last = ''
    const deliver = async (): Promise<void> => {
      expect((await peer.post(last)).status).to.equal(202)
    }
    return {
      plugins: [
        { plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } },
        webhook as never,
      ],
      endpoint: { adapter: 'webhook', id: 'peer', secret: SECRET, url: peer.url },
      target: { type: 'private', id: 'alice' },
      online: (host) => {
        peer.origin = host.get(Http)?.origin ?? ''
      },
      say: async (text) => {
        last = peer.message(text)
        await deliver()
      },
      redeliver: deliver,
      sent: () => peer.texts,
      stop: () => peer.stop(),
    }
  },
})
