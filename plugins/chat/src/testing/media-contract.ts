import assert from 'node:assert/strict'
import { Image } from '../api.js'
import { lacks } from './lacks.js'
import { aroundEach, required, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Media that come in and go out. */
export function media(contract: AdapterContract): void {
  describe('media', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())

    it('that a user sends can be read', async function () {
      if (!test.host.can('fetchMedia') && !test.rig.show) return lacks(this)
      const show = required(
        test.rig,
        'show',
        'The bot has "fetchMedia"',
        'show: (picture) => user.sendPhoto(picture.bytes)',
      )
      await show({ bytes: PIXEL, name: 'pixel.png', mime: 'image/png' })
      await until(() => test.host.messages.length === 1, 'the message with the picture')
      const segment = test.host.messages[0]?.segments.find(({ type }) => type === 'image' || type === 'file')
      assert.ok(segment, 'the message has the picture as a segment')
      if (!test.host.can('fetchMedia')) return
      const { adapter, id } = test.rig.endpoint
      const limits = { maxBytes: 1_000_000, signal: new AbortController().signal }
      const bytes = await test.host.chat.fetchMedia(adapter, id, segment, limits)
      assert.deepEqual(Buffer.from(bytes), PIXEL)
      await assert.rejects(
        test.host.chat.fetchMedia(adapter, id, segment, { ...limits, maxBytes: 10 }),
        'media above the limit are not read',
      )
    })

    it('of the bot reach the user', async function () {
      const { media: received } = test.rig
      if (!received) return lacks(this)
      await test.host.send([Image({ base64: PIXEL.toString('base64'), name: 'pixel.png', mime: 'image/png' })])
      await until(() => received.call(test.rig).length === 1, 'the picture')
      assert.deepEqual(Buffer.from(received.call(test.rig)[0]?.bytes ?? []), PIXEL)
    })

    it('show that the bot is typing', async function () {
      if (!test.host.can('typing')) return lacks(this)
      const isTyping = required(test.rig, 'isTyping', 'The bot has "typing"', 'isTyping: () => server.typing.has(room)')
      const { adapter, id } = test.rig.endpoint
      await test.rig.say('are you there?')
      await test.host.hears(['are you there?'])
      test.host.chat.typing(adapter, id, test.rig.target)
      await until(() => isTyping(), 'the sign that the bot is typing')
    })
  })
}
