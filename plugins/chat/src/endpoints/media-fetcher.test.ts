import { expect } from 'chai'
import { SendError, type Bot, type EndpointHandle } from '../api.js'
import { eachTest, until, type Platform } from '../test/support.js'
import { WireError } from '@mynah/contract'

const voice = { type: 'voice', data: { fileId: 'f1' } }
const never = new AbortController().signal
const fetch = (platform: Platform, { endpoint = 'one', maxBytes = 10, signal = never } = {}): Promise<Uint8Array> =>
  platform.chat.fetchMedia('test', endpoint, voice, { maxBytes, signal })
const failure = (promise: Promise<unknown>): Promise<{ code?: string; message: string }> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )

describe('MediaFetcher', () => {
  const platforms = eachTest()

  it('fetches from the endpoint that received the segment, with limit and signal', async () => {
    const asked: unknown[] = []
    const platform = await platforms.start({
      bot: {
        fetchMedia: async ({ data }, { maxBytes, signal }) => {
          asked.push([data.fileId, maxBytes, signal.aborted])
          return Buffer.from('sound')
        },
      },
    })
    expect(Buffer.from(await fetch(platform)).toString()).to.equal('sound')
    expect(asked).to.deep.equal([['f1', 10, false]])
    expect(platform.chat.can('test', 'one', 'fetchMedia')).to.equal(true)
  })

  it('refuses platforms without media and unknown endpoints', async () => {
    const platform = await platforms.start()
    expect((await failure(fetch(platform))).code).to.equal('unsupported')
    expect((await failure(fetch(platform, { endpoint: 'two' }))).code).to.equal('not_found')
    expect(platform.chat.can('test', 'one', 'fetchMedia')).to.equal(false)
  })

  it('fails with a reason without addresses, whatever the adapter throws or returns', async () => {
    const given: (() => unknown)[] = [
      () => {
        throw new Error('GET https://platform.example/bot12:secret/f1 failed')
      },
      () => {
        throw new SendError('offline', 'https://platform.example/bot12:secret')
      },
      () => {
        throw new WireError('not_found', 'The file is gone')
      },
      () => Buffer.alloc(11),
      () => 'sound',
      () => undefined,
    ]
    let next = 0
    const platform = await platforms.start({
      bot: { fetchMedia: (async () => given[next++]?.()) as unknown as NonNullable<Bot['fetchMedia']> },
    })
    const codes: unknown[] = []
    for (const _ of given) {
      const error = await failure(fetch(platform))
      codes.push(error.code)
      expect(error.message).to.not.include('secret')
    }
    expect(codes).to.deep.equal([
      'upstream_unavailable',
      'upstream_unavailable',
      'not_found',
      'too_large',
      'upstream_unavailable',
      'upstream_unavailable',
    ])
  })

  it('gives up after half a minute, or when the caller aborts, even if the adapter hangs', async () => {
    const seen: AbortSignal[] = []
    const platform = await platforms.start({
      bot: {
        fetchMedia: (_segment, { signal }) => {
          seen.push(signal)
          return new Promise(() => {})
        },
      },
    })
    const late = failure(fetch(platform))
    await until(() => seen.length === 1)
    await platform.clock.advance(30_000)
    expect(await late).to.include({
      code: 'upstream_unavailable',
      message: '"one" did not return the media within 30 s',
    })
    const caller = new AbortController()
    const gone = failure(fetch(platform, { signal: caller.signal }))
    await until(() => seen.length === 2)
    caller.abort(new Error('the caller left'))
    expect((await gone).message).to.equal('the caller left')
    expect(seen.map(({ aborted }) => aborted)).to.deep.equal([true, true])
  })

  it('waits for an endpoint that reconnects', async () => {
    let connected = 0
    const platform = await platforms.start({
      bot: { fetchMedia: async () => Buffer.from('sound') },
      connect: async () => {
        if (++connected === 2) throw new Error('not yet')
      },
    })
    await until(() => platform.chat.online() === 1)
    ;(platform.accounts.get('one') as EndpointHandle).lost(new Error('the line broke'))
    await until(() => platform.chat.online() === 0)
    const waiting = fetch(platform)
    await platform.clock.advance(600)
    await until(() => connected === 2)
    await platform.clock.advance(1_000)
    expect(Buffer.from(await waiting).toString()).to.equal('sound')
    ;(platform.accounts.get('one') as EndpointHandle).lost(new Error('the line broke'))
    const caller = new AbortController()
    const gone = failure(fetch(platform, { signal: caller.signal }))
    caller.abort(new Error('the caller left'))
    expect((await gone).message).to.equal('the caller left')
  })
})
