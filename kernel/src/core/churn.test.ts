import { expect } from 'chai'
import fc from 'fast-check'
import { definePlugin, hook, ref, point, service, type Context, type Delta, type Ref } from '../index.js'
import { flush } from '../testing.js'
import { assertNoResidue, running, states, viewOf } from '../test/support.js'

const Store = service<{ n: number }>('store')
const said = hook<string[]>('said')
const things = point<string>({ id: 'things', key: (text) => text })

/** Provides the store on demand. */
function switchable(name = 'switch') {
  let undo: (() => unknown) | undefined
  let context!: Context
  const plugin = definePlugin({
    name,
    provides: [Store],
    setup(ctx) {
      context = ctx as Context
    },
  })
  return {
    plugin,
    on(n: number): void {
      undo = context.provide(Store, { n })
    },
    off(): unknown {
      const run = undo
      undo = undefined
      return run?.()
    },
  }
}

describe('ServiceRef', () => {
  afterEach(assertNoResidue)

  it('notifies of every change once, in order, and ends with the current value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('enable', 'disable', 'remove', 'add'), { maxLength: 12 }),
        async (steps) => {
          const seen: (number | undefined)[] = []
          let reference!: Ref<{ n: number }>
          const consumer = definePlugin({
            name: 'consumer',
            needs: { store: ref(Store) },
            setup(ctx) {
              reference = ctx.store
              reference.onChange((store) => void seen.push(store?.n))
            },
          })
          const { host } = await running([consumer])
          const plugin = definePlugin({
            name: 'store',
            provides: [Store],
            setup(ctx) {
              ctx.provide(Store, { n: ++made })
            },
          })
          let made = 0
          let [there, enabled] = [false, false]
          for (const step of steps) {
            if (step === 'add' && !there) {
              await host.add({ plugin })
              ;[there, enabled] = [true, true]
            } else if (step === 'remove' && there) {
              await host.remove('store')
              ;[there, enabled] = [false, false]
            } else if (there && (step === 'enable' || step === 'disable')) {
              await host.enable('store', step === 'enable')
              enabled = step === 'enable'
            }
            expect({ current: reference.current?.n, declared: reference.declared }).to.deep.equal({
              current: enabled ? made : undefined,
              declared: enabled,
            })
          }
          // One after the other: there, gone, there with the next.
          expect(seen).to.deep.equal(seen.map((_, index) => (index % 2 ? undefined : index / 2 + 1)))
          expect(seen.length).to.equal(2 * made - (enabled ? 1 : 0))
          await assertNoResidue()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('does not notify of an older value when a listener changes it', async () => {
    const source = switchable()
    const seen: (number | undefined)[] = []
    const consumer = definePlugin({
      name: 'consumer',
      needs: { store: ref(Store) },
      setup(ctx) {
        ctx.store.onChange((store) => {
          if (!store) source.on(2)
        })
        ctx.store.onChange((store) => void seen.push(store?.n))
      },
    })
    await running([source.plugin, consumer])
    source.on(1)
    await source.off()
    expect(seen).to.deep.equal([1, 2])
  })

  it('allows listeners to come and go during a notification', async () => {
    const source = switchable()
    const seen: string[] = []
    const consumer = definePlugin({
      name: 'consumer',
      needs: { store: ref(Store) },
      setup(ctx) {
        ctx.store.onChange(() => {
          seen.push('a')
          off()
          ctx.store.onChange(() => void seen.push('new'))
        })
        const off = ctx.store.onChange(() => void seen.push('left'))
        ctx.store.onChange(() => void seen.push('b'))
      },
    })
    await running([source.plugin, consumer])
    source.on(1)
    expect(seen).to.deep.equal(['a', 'b'])
  })

  it('follows a service that is withdrawn and provided again, while required needs restart', async () => {
    const source = switchable()
    const seen: string[] = []
    const soft = definePlugin({
      name: 'soft',
      needs: { store: ref(Store) },
      setup(ctx) {
        ctx.store.onChange((store) => void seen.push(`soft ${store?.n}`))
      },
    })
    const hard = definePlugin({
      name: 'hard',
      needs: { store: Store },
      setup(ctx) {
        seen.push(`hard ${ctx.store.n}`)
        ctx.onDispose('end', () => void seen.push('hard end'))
      },
    })
    const { host } = await running([source.plugin, soft, hard])
    expect(states(host)['hard']).to.equal('pending')
    source.on(1)
    await host.settled()
    await source.off()
    await host.settled()
    expect(states(host)['hard']).to.equal('pending')
    source.on(2)
    await host.settled()
    expect(seen).to.deep.equal(['soft 1', 'hard 1', 'soft undefined', 'hard end', 'soft 2', 'hard 2'])
  })

  it('reports a listener that fails later to its plugin', async () => {
    const source = switchable()
    const { host } = await running([
      source.plugin,
      definePlugin({
        name: 'bad',
        needs: { store: ref(Store) },
        setup(ctx) {
          ctx.store.onChange(() => Promise.reject(new Error('later')))
        },
      }),
    ])
    source.on(1)
    await flush()
    expect(viewOf(host, 'bad').errors.map(({ message }) => message)).to.deep.equal(['later'])
  })
})

describe('Hooks during changes', () => {
  afterEach(assertNoResidue)

  it('runs listeners by priority and place after any change of places', async () => {
    const names = ['a', 'b', 'c', 'd']
    const priorities: Record<string, number> = { a: 0, b: 1, c: 0, d: 1 }
    const plugins = names.map((name) =>
      definePlugin({
        name,
        setup(ctx) {
          ctx.on(said, (heard) => void heard.push(`${name}1`), { priority: priorities[name] as number })
          ctx.on(said, (heard) => void heard.push(`${name}2`), { priority: priorities[name] as number })
        },
      }),
    )
    const { host } = await running(plugins)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(plugins), async (order) => {
        await host.configure(order.map((plugin) => ({ plugin })))
        await host.settled()
        const heard: string[] = []
        host.emit(said, heard)
        const high = order.filter(({ name }) => priorities[name] === 1)
        const low = order.filter(({ name }) => priorities[name] === 0)
        expect(heard).to.deep.equal([...high, ...low].flatMap(({ name }) => [`${name}1`, `${name}2`]))
      }),
      { numRuns: 40 },
    )
  })

  for (const kind of ['emit', 'parallel', 'bail', 'waterfall'] as const) {
    it(`does not call listeners by ${kind} that an earlier one has removed or added`, async () => {
      const ask = hook<string[], undefined>('ask')
      let context!: Context
      const plugin = definePlugin({
        name: 'a',
        setup(ctx) {
          context = ctx as Context
          const pass = (as: string) => (heard: string[], next?: (heard: string[]) => unknown) => {
            heard.push(as)
            return next?.(heard) as undefined
          }
          ctx.on(ask, (heard, next) => {
            off()
            ctx.on(ask, pass('added'))
            return pass('first')(heard, next)
          })
          const off = ctx.on(ask, pass('removed'))
          ctx.on(ask, pass('last'))
        },
      })
      await running([plugin])
      const heard: string[] = []
      if (kind === 'emit') context.emit(ask as never, heard)
      else if (kind === 'waterfall') await context.waterfall(ask, heard, () => undefined)
      else if (kind === 'bail') await context.bail(ask, heard)
      else await context.parallel(ask as never, heard)
      expect(heard).to.deep.equal(['first', 'last'])
    })
  }

  it('does nothing without listeners', async () => {
    let context!: Context
    await running([
      definePlugin({
        name: 'a',
        setup(ctx) {
          context = ctx as Context
          ctx.on(said, () => {})()
        },
      }),
    ])
    expect(context.hasListeners(said)).to.equal(false)
    context.emit(said, [])
    await context.parallel(said, [])
    expect(await context.bail(said, [])).to.equal(undefined)
    expect(await context.waterfall(hook<number, number>('none'), 5, (n) => n + 1)).to.equal(6)
  })

  it('ends bail with any answer but undefined, also null, false and zero', async () => {
    const ask = hook<number, unknown>('ask')
    let context!: Context
    let asked = 0
    await running([
      definePlugin({
        name: 'a',
        setup(ctx) {
          context = ctx as Context
          ctx.on(ask, (index) => [null, false, 0, ''][index])
          ctx.on(ask, () => {
            asked++
            return 'second'
          })
        },
      }),
    ])
    for (const [index, answer] of [null, false, 0, ''].entries())
      expect(await context.bail(ask, index)).to.equal(answer)
    expect(asked).to.equal(0)
    expect(await context.bail(ask, 4)).to.equal('second')
  })
})

describe('Registry deltas', () => {
  afterEach(assertNoResidue)

  it('add up to the contributions, for any changes', async () => {
    const seen = new Map<string, string>()
    const revisions: number[] = []
    let all!: () => string[]
    const reading = definePlugin({
      name: 'reading',
      setup(ctx) {
        const reader = ctx.read(things)
        all = () => reader.all().map(({ key, owner }) => `${owner} ${key}`)
        reader.watch(({ added, removed, revision }: Delta<string>) => {
          for (const { key } of removed) expect(seen.delete(key), `${key} was there`).to.equal(true)
          for (const { key, owner } of added) {
            expect(seen.has(key), `${key} is new`).to.equal(false)
            seen.set(key, owner)
          }
          revisions.push(revision)
        })
      },
    })
    const givers = Array.from({ length: 4 }, (_, index) =>
      definePlugin({
        name: `g${index}`,
        setup(ctx) {
          for (let n = 0; n <= index; n++) ctx.contribute(things, `t${index}${n}`)
        },
      }),
    )
    const { host } = await running([reading])
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(givers), async (order) => {
        await host.configure([{ plugin: reading }, ...order.map((plugin) => ({ plugin }))])
        await host.settled()
        const expected = order.flatMap(({ name }) =>
          Array.from({ length: Number(name[1]) + 1 }, (_, n) => `${name} t${name[1]}${n}`),
        )
        expect(all()).to.deep.equal(expected)
        expect(Array.from(seen, ([key, owner]) => `${owner} ${key}`)).to.have.members(expected)
      }),
      { numRuns: 40 },
    )
    expect(revisions).to.deep.equal(Array.from(new Set(revisions)).sort((a, b) => a - b))
  })

  it('end with the watcher, and report a new order only to readers of the old one', async () => {
    const deltas: number[] = []
    let stop!: () => void
    const giver = (name: string) =>
      definePlugin({
        name,
        setup(ctx) {
          ctx.contribute(things, name)
        },
      })
    const [a, b] = [giver('a'), giver('b')]
    const reading = definePlugin({
      name: 'reading',
      setup(ctx) {
        const reader = ctx.read(things)
        stop = reader.watch(({ added, removed }) => void deltas.push(added.length + removed.length))
        ctx.on(said, () => void reader.all())
      },
    })
    const { host } = await running([a, b, reading])
    deltas.length = 0
    await host.configure([{ plugin: b }, { plugin: a }, { plugin: reading }])
    expect(deltas).to.deep.equal([])
    host.emit(said, [])
    await host.configure([{ plugin: a }, { plugin: b }, { plugin: reading }])
    expect(deltas).to.deep.equal([0])
    stop()
    stop()
    await host.enable('a', false)
    expect(deltas).to.deep.equal([0])
  })
})
