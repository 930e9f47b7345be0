// GroupCommitter and transactions commit in the order in which they were asked for, whatever was grouped.
import { expect } from 'chai'
import fc from 'fast-check'
import { failureOf, item, Items, onEverySystem, type Item } from '../testing/fixture.js'

onEverySystem('GroupCommitter', (open) => {
  it('commits a waiting unit before a later transaction', async () => {
    const { store } = await open()
    await store.append(Items, [item('a'), item('b')])
    await Promise.all([
      store.change(Items, [{ id: 'b', size: 1 }], [{ type: 'first', data: null }]),
      // The first commit has begun once its turn came; this one waits.
      Promise.resolve()
        .then(() => Promise.resolve())
        .then(() =>
          Promise.all([
            store.change(Items, [{ id: 'a', size: 1 }]),
            store.tx((db) => db.update(Items, { id: 'a' }, { size: 2 })),
          ]),
        ),
    ])
    expect((await store.read((db) => db.find(Items, { where: { id: 'a' } })))[0]?.size).to.equal(2)
  })

  it('does not let a unit overtake a transaction by joining an earlier group', async () => {
    const { store } = await open()
    await store.append(Items, [item('a')])
    await Promise.all([
      store.change(Items, [{ id: 'a', size: 1 }]),
      store.tx((db) => db.update(Items, { id: 'a' }, { size: 2 })),
      store.change(Items, [{ id: 'a', size: 3 }]),
    ])
    expect((await store.read((db) => db.find(Items, { where: { id: 'a' } })))[0]?.size).to.equal(3)
  })

  it('keeps the order of any calls, including failing ones', async () => {
    const calls = fc.array(
      fc.record({ kind: fc.constantFrom('unit', 'event', 'tx', 'savepoint', 'fails', 'throws'), later: fc.nat(3) }),
      { minLength: 2, maxLength: 24 },
    )
    const { store } = await open()
    await store.append(Items, [item('a', { value: 'taken' }), item('b')])
    let committed: number[] = []
    store.listen((events) => committed.push(...events.map(({ json }) => JSON.parse(json) as number)))
    await fc.assert(
      fc.asyncProperty(calls, async (plan) => {
        await store.change(Items, [{ id: 'b', size: 0 }])
        committed = []
        const asked: number[] = []
        const ask = (kind: string, size: number): Promise<unknown> => {
          asked.push(size)
          const events = [{ type: 'changed', data: size }]
          switch (kind) {
            case 'unit':
              return store.change(Items, [{ id: 'b', size }])
            case 'event':
              return store.change(Items, [{ id: 'b', size }], events)
            case 'tx':
              return store.tx((db) => db.update(Items, { id: 'b' }, { size }))
            case 'savepoint':
              return store.tx((db) => store.tx(() => db.update(Items, { id: 'b' }, { size })))
            case 'fails':
              return failureOf(store.change(Items, [{ id: 'b', size, value: 'taken' }], events))
            default:
              return failureOf(
                store.tx(async (db) => {
                  await db.update(Items, { id: 'b' }, { size })
                  throw new Error('no')
                }),
              )
          }
        }
        await Promise.all(
          plan.map(async ({ kind, later }, index) => {
            for (let turns = 0; turns < later; turns++) await new Promise(setImmediate)
            await ask(kind, index)
          }),
        )
        const kept = asked.filter((index) => !['fails', 'throws'].includes(plan[index]?.kind as string))
        const [row] = await store.read((db) => db.find<Item>(Items, { where: { id: 'b' } }))
        expect(row?.size).to.equal(kept.at(-1) ?? 0)
        expect(committed).to.deep.equal(kept.filter((index) => plan[index]?.kind === 'event'))
      }),
      { numRuns: 100 },
    )
  })
})
