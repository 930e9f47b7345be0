// Endpoints of a cluster: what a host that gives one away leaves for the next.
import { expect } from 'chai'
import { Cluster, definePlugin, endpointPlace, type AnyPlugin, type PlaceWork } from '@mynah/kernel'
import { defineCommand, MessageStore, type InboundRecord } from '../api.js'
import { MemoryMessageStore } from '../store/memory-store.js'
import { eachTest, until } from '../test/support.js'

const PLACE = endpointPlace('test', 'one')
const hello = defineCommand({ name: 'hello', description: 'says hello', run: () => 'hello' })

/** A store whose commits take as long as a test wants. */
class HeldStore extends MemoryMessageStore {
  readonly accepting: InboundRecord[] = []
  commit = (): void => {}

  // @ts-expect-error the store in memory has no commits
  override accept(record: InboundRecord) {
    this.accepting.push(record)
    return new Promise<void>((resolve) => (this.commit = resolve)).then(() => super.accept(record))
  }
}

describe('an endpoint that moves to another host', () => {
  const platforms = eachTest()

  it('goes when all that it has received is stored, which waits for the next host, and accepts nothing more', async () => {
    const store = new HeldStore()
    const works = new Map<string, PlaceWork>()
    const member: Partial<Cluster> = {
      run: (place, work) => {
        works.set(place, work)
        void Promise.resolve().then(() => work.start())
        return () => works.delete(place)
      },
      holds: () => true,
      answersFor: () => true,
      answer: () => () => {},
      isElsewhere: () => false,
    }
    const services = [
      definePlugin({
        name: 'cluster',
        provides: [Cluster, MessageStore],
        setup(ctx) {
          ctx.provide(Cluster, member as Cluster)
          ctx.provide(MessageStore, store)
        },
      }) as unknown as AnyPlugin,
    ]
    const adapter = { acknowledges: 'after-store' } as const
    const bot = await platforms.start({ adapter, commands: [hello], plugins: services })
    const heard = bot.hear('/hello')
    await until(() => store.accepting.length === 1)

    const work = works.get(PLACE)
    work?.leave?.()
    let hasStopped = false
    const stopped = Promise.resolve(work?.stop()).then(() => (hasStopped = true))
    await until(() => bot.lives.at(-1) === 'disconnect one')
    await bot.clock.advance(60_000)
    expect(hasStopped).to.equal(false)

    store.commit()
    await Promise.all([heard, stopped])
    await bot.clock.advance(60_000)
    expect(store.listReceived({ adapter: 'test', endpoint: 'one' }, 9).map(({ text }) => text)).to.deep.equal([
      '/hello',
    ])
    expect(bot.texts).to.deep.equal([])

    // A delivery that began before, which the platform repeats.
    expect(await bot.hear('/hello').catch(({ code }: { code: string }) => code)).to.equal('not_ready')
    expect(store.accepting).to.have.length(1)
  })
})
