import { expect } from 'chai'
import type { OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import { Transmission, type TransmissionContext } from './transmission.js'

const record: OutboundRecord = {
  id: '1',
  adapter: 'test',
  endpoint: 'one',
  channel: { type: 'private', id: 'ann' },
  segments: [],
  text: '',
  timestamp: 0,
}

describe('Transmission', () => {
  for (const method of ['send', 'show'] as const) {
    it(`refuses an empty message: ${method}`, async () => {
      let calls = 0
      const bot = { send: async () => void calls++, edit: async () => void calls++ }
      const adapt = (_endpoint: unknown, segments: unknown): unknown => segments
      const context = { adapter: { adapt, adaptAsText: adapt } } as unknown as TransmissionContext
      const transmission = new Transmission(context, record, false, undefined, method === 'show' ? 'p1' : undefined)
      const endpoint = { status: 'online', bot } as unknown as Endpoint
      const outgoing = { adapter: 'test', endpoint: 'one', target: record.channel, segments: [] }
      const refused = await transmission[method](endpoint, outgoing).then(
        () => undefined,
        (error: Error) => error.message,
      )
      expect([refused, calls, transmission.hasLeft]).to.deep.equal(['The message is empty', 0, false])
    })
  }
})
