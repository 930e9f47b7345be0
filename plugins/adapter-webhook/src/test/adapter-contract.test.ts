import { expect } from 'chai'
import { adapterContract } from '@mynah/plugin-chat/testing'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import webhook from '../index.js'
import { Peer, SECRET } from './peer.js'

adapterContract({
  name: 'webhook',
  async start() {
    const peer = await Peer.start()
    let last = ''
    let refusals = 0
    let early = 0
    let limit: { readonly ms: number; readonly now: () => number; until?: number } | undefined
    peer.answer = (_, response) => {
      if (refusals > 0) {
        refusals--
        response.writeHead(403).end('forbidden')
        return true
      }
      if (!limit) return false
      if (limit.until === undefined) limit.until = limit.now() + limit.ms
      else if (limit.now() < limit.until) early++
      else {
        limit = undefined
        return false
      }
      response.writeHead(429, { 'retry-after': String(Math.ceil((limit.until - limit.now()) / 1000)) }).end()
      return true
    }
    const deliver = async (): Promise<void> => {
      expect((await peer.post(last)).status).to.equal(202)
    }
    return {
      plugins: [
        { plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } },
        webhook as never,
      ],
      secrets: [SECRET],
      endpoint: { adapter: 'webhook', id: 'peer', secret: SECRET, url: peer.url },
      target: { type: 'private', id: 'alice' },
      online: (host) => {
        peer.origin = host.get(Http)?.origin ?? ''
      },
      say: async (text) => {
        last = peer.message(text)
        await deliver()
      },
      refuse: (times) => void (refusals = times),
      limit: (ms, now) => void (limit = { ms, now }),
      early: () => early,
      redeliver: deliver,
      sent: () => peer.texts,
      stop: () => peer.stop(),
    }
  },
})
