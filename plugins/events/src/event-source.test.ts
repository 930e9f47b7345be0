import { expect } from 'chai'
import { EventSource } from 'eventsource'
import { revokeDemo, DEMO, say, startStream, TOKEN, until, type Running } from './test/support.js'

interface Told {
  readonly type: string
  readonly data: unknown
}

describe('EventSource of npm', () => {
  let running: Running
  const sources: EventSource[] = []
  afterEach(async () => {
    for (const source of sources.splice(0)) source.close()
    await running.host.stop()
  })

  function follow(token: string): { told: Told[]; ids: string[]; source: EventSource } {
    const told: Told[] = []
    const ids: string[] = []
    const source = new EventSource(`${running.origin}/api/events`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
    })
    source.onmessage = ({ data, lastEventId }) => {
      told.push(JSON.parse(data as string) as Told)
      ids.push(lastEventId)
    }
    sources.push(source)
    return { told, ids, source }
  }

  it('receives every event through onmessage', async () => {
    running = await startStream()
    const { told, ids } = follow(TOKEN)
    await until(() => told.length >= 2, 'it is open')
    for (let n = 0; n < 50; n++) say(running.host, 'count', n)
    await until(() => told.filter(({ type }) => type === 'count').length === 50, 'all events came')
    expect(told.slice(0, 2).map(({ type }) => type)).to.deep.equal(['sync', 'init-data'])
    expect(told.filter(({ type }) => type === 'count').map(({ data }) => data)).to.deep.equal(
      Array.from({ length: 50 }, (_, n) => n),
    )
    expect(ids.at(-1)).to.match(/^[\w-]+\.\d+$/)
  })

  it('is disconnected when its token is removed, while others stay connected', async () => {
    running = await startStream()
    const demo = follow(DEMO)
    const full = follow(TOKEN)
    await until(() => demo.told.length >= 2 && full.told.length >= 2, 'both are open')
    let refused: number | undefined
    let dropped = false
    demo.source.onerror = ({ code }) => {
      dropped = true
      refused = code
    }
    await revokeDemo(running.host)
    await until(() => dropped, 'the stream of the revoked token has ended')
    say(running.host, 'after', 1)
    await until(() => full.told.some(({ type }) => type === 'after'), 'the other still follows')
    expect(demo.told.some(({ type }) => type === 'after')).to.equal(false)
    expect(refused === undefined || refused === 401).to.equal(true)
  })
})
