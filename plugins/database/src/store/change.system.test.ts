// Changing rows by their keys: groups, order, conditions, and units that are whole or not at all.
import { expect } from 'chai'
import fc from 'fast-check'
import { step } from '../api.js'
import { failureOf, item, Items, onEverySystem, type Item, type Opened } from '../testing/fixture.js'

const all = ({ store }: Opened): Promise<Item[]> => store.read((db) => db.find(Items))
const sizes = async (opened: Opened): Promise<[string, number][]> =>
  (await all(opened)).map(({ id, size }) => [id, size])

onEverySystem('change', (open) => {
  it('changes the given columns of the given rows, and reports the existing rows', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(Items, [
      item('a', { value: 'one', size: 1, detail: { deep: [1] } }),
      item('b', { value: 'two', flag: true }),
    ])
    expect(
      await store.change(Items, [
        { id: 'a', size: 7 },
        { id: 'gone', size: 1 },
        { id: 'b', flag: false, detail: [null], value: null },
      ]),
    ).to.deep.equal([true, false, true])
    expect(await all(opened)).to.deep.equal([
      item('a', { value: 'one', size: 7, detail: { deep: [1] } }),
      item('b', { detail: [null] }),
    ])
    expect(await store.change(Items, [])).to.deep.equal([])
    expect(await store.change(Items, [{ id: 'a' }, { id: 'c' }])).to.deep.equal([true, false])
  })

  it('commits together what arrives during a commit', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(
      Items,
      Array.from({ length: 600 }, (_, index) => item(`r${index}`)),
    )
    let commits = 0
    store.listen(() => commits++)
    await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        store.change(Items, [{ id: `r${index}`, size: index }], [{ type: 'changed', data: index }]),
      ),
    )
    expect(commits).to.be.lessThan(5)
    expect((await all(opened)).every(({ id, size }) => id === `r${size}`)).to.equal(true)
  })

  it('makes several changes of one row in the order of the calls, insertion first', async () => {
    const opened = await open()
    const { store } = opened
    const [, first, second, twice] = await Promise.all([
      store.append(Items, [item('a')]),
      store.change(Items, [{ id: 'a', size: 1, flag: true }]),
      store.change(Items, [{ id: 'a', size: 2 }]),
      store.change(Items, [
        { id: 'a', size: 3 },
        { id: 'a', size: 4 },
      ]),
    ])
    expect([first, second, twice]).to.deep.equal([[true], [true], [true, true]])
    expect(await all(opened)).to.deep.equal([item('a', { size: 4, flag: true })])
  })

  it('changes only where its condition holds of the row as it is', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(Items, [item('a', { size: 1, flag: true }), item('b', { size: 2, value: 'Bee' })])
    const attempts = await Promise.all(
      [1, 1, 2].map((expected) =>
        store.change(Items, [{ id: 'a', size: expected + 1 }], undefined, { size: expected }),
      ),
    )
    expect(attempts).to.deep.equal([[true], [false], [true]])
    const asks = [
      { flag: true },
      { flag: { $ne: true } },
      { value: null },
      { value: { $ne: null } },
      { value: { $like: 'b%' } },
      { size: { $in: [2, 9] } },
      { size: { $in: [] } },
      { size: { $gt: 2, $lte: 3 } },
    ] as const
    const answers: unknown[] = []
    for (const when of asks) answers.push(await store.change(Items, [{ id: 'a' }, { id: 'b' }], undefined, when))
    expect(answers).to.deep.equal([
      [true, false],
      [false, true],
      [true, false],
      [false, true],
      [false, true],
      [false, true],
      [false, false],
      [true, false],
    ])
    expect(
      (await failureOf(store.change(Items, [{ id: 'a', size: 1 }], undefined, { nothing: 1 } as never))).message,
    ).to.match(/where\.nothing is not a column/)
  })

  it('fails only the change that cannot be made', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(Items, [item('a', { value: 'taken' }), item('b'), item('c')])
    const outcomes = await Promise.allSettled([
      store.change(Items, [{ id: 'b', size: 5 }]),
      store.change(Items, [
        { id: 'c', size: 5 },
        { id: 'b', value: 'taken' },
      ]),
      store.change(Items, [{ size: 5 }]),
      store.change(Items, [{ id: 'c', other: 1 } as never]),
      store.change({ ...Items, table: 'nowhere' }, [{ id: 'a' }]),
      store.change(Items, [{ id: 'a', size: 5 }]),
    ])
    expect(outcomes.map(({ status }) => status[0])).to.deep.equal(['f', 'r', 'r', 'r', 'r', 'f'])
    expect(outcomes.slice(1, 4).map((outcome) => (outcome as PromiseRejectedResult).reason.code)).to.deep.equal([
      'conflict',
      'invalid_request',
      'invalid_request',
    ])
    expect(await sizes(opened)).to.deep.equal([
      ['a', 5],
      ['b', 5],
      ['c', 0],
    ])
  })

  it('moves a unique value between rows in the order of the calls', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(Items, [item('a', { value: 'crown' }), item('b')])
    const [, , added] = await Promise.all([
      store.change(Items, [{ id: 'a', value: null }]),
      store.change(Items, [{ id: 'b', value: 'crown' }]),
      store.appendNew(Items, [item('c', { value: 'crown' })]),
      store.change(Items, [{ id: 'b', value: 'lost' }]),
      store.append(Items, [item('d', { value: 'crown' })]),
    ])
    expect(added).to.deep.equal([false])
    expect((await all(opened)).map(({ id, value }) => [id, value])).to.deep.equal([
      ['a', null],
      ['b', 'lost'],
      ['d', 'crown'],
    ])
  })

  it('applies a unit whole or not at all, concurrently with others', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(Items, [item('a'), item('b'), item('known')])
    const outcomes = await Promise.allSettled([
      store.write([step.append(Items, [item('x')]), step.change(Items, [{ id: 'a', size: 1 }])]),
      store.write([step.change(Items, [{ id: 'b', size: 1 }]), step.append(Items, [item('y'), item('known')])]),
      store.write([
        step.appendNew(Items, [item('known'), item('z')]),
        step.change(Items, [
          { id: 'z', size: 9 },
          { id: 'no', size: 9 },
        ]),
      ]),
    ])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
    expect((outcomes[0] as PromiseFulfilledResult<unknown>).value).to.deep.equal([[true], [true]])
    expect((outcomes[2] as PromiseFulfilledResult<unknown>).value).to.deep.equal([
      [false, true],
      [true, false],
    ])
    expect(await sizes(opened)).to.deep.equal([
      ['a', 1],
      ['b', 0],
      ['known', 0],
      ['x', 0],
      ['z', 9],
    ])
  })

  it('has the same result as the calls one after the other, for any calls', async function () {
    this.timeout(60_000)
    const id = fc.constantFrom('a', 'b', 'c', 'd')
    const row = fc.record({ id, size: fc.integer({ min: 0, max: 9 }) })
    const call = fc.oneof(
      fc.record({ kind: fc.constant('append' as const), rows: fc.array(row, { minLength: 1, maxLength: 2 }) }),
      fc.record({ kind: fc.constant('appendNew' as const), rows: fc.array(row, { minLength: 1, maxLength: 3 }) }),
      fc.record({
        kind: fc.constant('change' as const),
        rows: fc.array(fc.oneof(row, fc.record({ id, flag: fc.boolean() })), { minLength: 1, maxLength: 3 }),
      }),
    )
    const opened = await open()
    const { store } = opened
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const make = ({ kind, rows }: (typeof calls)[number]): Promise<unknown> => {
          if (kind === 'change') return store.change(Items, rows)
          return kind === 'append'
            ? store.append(
                Items,
                rows.map(({ id: key, size }) => item(key, { size })),
              )
            : store.appendNew(
                Items,
                rows.map(({ id: key, size }) => item(key, { size })),
              )
        }
        const outcome = ({ status, ...rest }: PromiseSettledResult<unknown>): unknown =>
          status === 'fulfilled' ? rest : status
        const rounds: unknown[] = []
        for (const together of [true, false]) {
          await store.tx((db) => db.run('DELETE FROM item'))
          const settled = together ? await Promise.allSettled(calls.map(make)) : []
          if (!together) for (const one of calls) settled.push(...(await Promise.allSettled([make(one)])))
          rounds.push([settled.map(outcome), await all(opened)])
        }
        expect(rounds[0]).to.deep.equal(rounds[1])
      }),
      { numRuns: 60 },
    )
  })
})

onEverySystem('change inside a transaction', (open) => {
  it('is part of it, and undone with it', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(Items, [item('a'), item('b')])
    await failureOf(
      store.tx(async (db) => {
        expect(await store.change(Items, [{ id: 'a', size: 1 }])).to.deep.equal([true])
        expect(await db.findOne(Items, { id: 'a' })).to.have.property('size', 1)
        await store.write([step.append(Items, [item('c')]), step.change(Items, [{ id: 'b', size: 1 }])])
        throw new Error('no')
      }),
    )
    expect(await sizes(opened)).to.deep.equal([
      ['a', 0],
      ['b', 0],
    ])
  })

  it('does not wait for others, and rolls back none of their changes', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(Items, [item('mine'), item('other')])
    let arrive = (): void => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const other = arrived.then(() => store.change(Items, [{ id: 'other', size: 5 }]))
    const failed = failureOf(
      store.tx(async () => {
        arrive()
        await new Promise((resolve) => setImmediate(resolve))
        await store.change(Items, [{ id: 'mine', size: 5 }])
        throw new Error('mine alone')
      }),
    )
    expect((await failed).message).to.equal('mine alone')
    expect(await other).to.deep.equal([true])
    expect(await sizes(opened)).to.deep.equal([
      ['mine', 0],
      ['other', 5],
    ])
  })

  it('undoes a failed unit alone', async () => {
    const opened = await open()
    const { store } = opened
    await store.append(Items, [item('a')])
    await store.tx(async () => {
      await failureOf(store.write([step.change(Items, [{ id: 'a', size: 1 }]), step.append(Items, [item('a')])]))
      await store.append(Items, [item('b')])
    })
    expect(await sizes(opened)).to.deep.equal([
      ['a', 0],
      ['b', 0],
    ])
  })
})
