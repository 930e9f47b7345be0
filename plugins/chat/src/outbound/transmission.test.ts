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
  for (const [what, messageId] of [
    ['a message', undefined],
    ['an edit', 'p1'],
  ] as const) {
    it(`refuses to deliver ${what} without content`, async () => {
      let calls = 0
      const bot = { send: async () => void calls++, edit: async () => void calls++ }
      const adapt = (_endpoint: unknown, segments: unknown): unknown => segments
      const context = { adapter: { adapt, adaptAsText: adapt } } as unknown as TransmissionContext
      const shown = messageId === undefined ? record : { ...record, messageId }
      const transmission = new Transmission(context, shown, false, 'key', undefined)
      const endpoint = { status: 'online', bot } as unknown as Endpoint
      const outgoing = { adapter: 'test', endpoint: 'one', target: record.channel, segments: [] }
      const refused = await transmission.deliver(endpoint, outgoing).then(
        () => undefined,
        (error: Error) => error.message,
      )
      expect([refused, calls, transmission.hasLeft]).to.deep.equal(['The message is empty', 0, false])
    })
  }
})
