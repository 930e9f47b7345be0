import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { definePlugin } from '@mynah/kernel'
import { declare, streamEvents } from '../api.js'
import { DEMO, say, startStream, StreamClient, type Running } from '../test/support.js'

const declared = {
  'endpoint:message': { summary: 'A message', data: Type.Object({ adapter: Type.String() }) },
  'config:updated': { summary: 'Configuration', data: Type.Unknown() },
  'sandbox:message': { summary: 'A reply', data: Type.Unknown() },
  'internal:thing': { summary: 'Nothing for guests', data: Type.Unknown() },
  'careless:thing': { summary: 'Its rule fails', data: Type.Object({ adapter: Type.String() }) },
}

const speaker = definePlugin({
  name: 'speaker',
  setup(ctx) {
    for (const type of ['endpoint:message', 'config:updated', 'sandbox:message'] as const)
      ctx.contribute(
        streamEvents,
        declare(declared, type, () => true),
      )
    ctx.contribute(streamEvents, declare(declared, 'internal:thing'))
    ctx.contribute(
      streamEvents,
      declare(declared, 'careless:thing', () => {
        throw new Error('no rule')
      }),
    )
  },
})

describe('client of demo scope', () => {
  let running: Running
  beforeEach(async () => {
    running = await startStream([{ plugin: speaker }])
  })
  afterEach(() => running.host.stop())

  it('receives declared events, of endpoints only the sandbox, and never configuration', async () => {
    const [guest, owner] = await Promise.all([
      StreamClient.open(running.origin, { token: DEMO }),
      StreamClient.open(running.origin),
    ])
    await guest.until((c) => c.of('init-data').length === 1, 'the guest is connected')
    await owner.until((c) => c.of('init-data').length === 1, 'the owner is connected')
    say(running.host, 'endpoint:message', { adapter: 'irc' })
    say(running.host, 'endpoint:message', { adapter: 'sandbox' })
    say(running.host, 'config:updated', { pluginName: 'http' })
    say(running.host, 'internal:thing', 1)
    say(running.host, 'careless:thing', { adapter: 'sandbox' })
    say(running.host, 'undeclared:thing', 1)
    say(running.host, 'sandbox:message', 'end')
    await guest.until((c) => c.of('sandbox:message').length === 1, 'the guest has the last event')
    await owner.until((c) => c.of('sandbox:message').length === 1, 'the owner has the last event')
    expect(guest.frames.filter(({ type }) => type.includes(':')).map(({ type, data }) => [type, data])).to.deep.equal([
      ['endpoint:message', { adapter: 'sandbox' }],
      ['sandbox:message', 'end'],
    ])
    expect(owner.frames.filter(({ type }) => type.includes(':'))).to.have.length(7)
    expect(running.log.filter(({ message }) => message.includes('"undeclared:thing" is not declared'))).to.have.length(
      1,
    )

    // The same holds for what is replayed.
    const id = owner.frames.find(({ type }) => type === 'endpoint:message')?.id
    const back = await StreamClient.open(running.origin, { token: DEMO, lastId: id })
    await back.until((c) => c.of('sandbox:message').length === 1, 'the guest has caught up')
    expect(back.frames.filter(({ type }) => type.includes(':')).map(({ type }) => type)).to.deep.equal([
      'endpoint:message',
      'sandbox:message',
    ])
    for (const client of [guest, owner, back]) client.close()
  })
})
