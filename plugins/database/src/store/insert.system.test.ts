import { expect } from 'chai'
import { failureOf, item, Items, onEverySystem } from '../testing/fixture.js'

onEverySystem('Store.append', (open) => {
  it('commits calls that arrive during a commit in groups', async () => {
    const { store } = await open()
    const commits: number[] = []
    store.listen((events) => commits.push(events.length))
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        store.append(
          Items,
          [item(`r${String(index).padStart(3, '0')}`, { size: index })],
          [{ type: 'added', data: index }],
        ),
      ),
    )
    expect(await store.read((db) => db.count(Items))).to.equal(500)
    expect(commits.reduce((sum, count) => sum + count)).to.equal(500)
    expect(commits.length).to.be.lessThan(5)
  })

  it('fails only the call with an invalid row', async () => {
    const { store } = await open()
    const outcomes = await Promise.allSettled([
      store.append(Items, [item('first')]),
      ...['a', 'b', 'a', 'c'].map((id) => store.append(Items, [item(id)])),
      store.append(Items, [{ id: 'x', other: 1 } as never]),
    ])
    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ])
    expect((outcomes[3] as PromiseRejectedResult).reason).to.have.property('code', 'conflict')
    expect((await store.read((db) => db.find(Items))).map(({ id }) => id)).to.deep.equal(['a', 'b', 'c', 'first'])
  })

  it('skips existing rows and reports them, also within one group', async () => {
    const { store } = await open()
    await store.append(Items, [item('old', { value: 'taken' })])
    const added = await Promise.all([
      store.appendNew(Items, [item('new'), item('old'), item('other', { value: 'taken' })]),
      store.appendNew(Items, [item('new'), item('newer')]),
    ])
    expect(added).to.deep.equal([
      [true, false, false],
      [false, true],
    ])
  })

  it('accepts more rows than a statement has parameters', async function () {
    this.timeout(20_000)
    const { store } = await open()
    await store.append(
      Items,
      Array.from({ length: 7_000 }, (_, index) => item(`n${index}`)),
    )
    expect(await store.read((db) => db.count(Items))).to.equal(7_000)
  })

  it('rejects rows of an unknown table', async () => {
    const { store } = await open()
    expect((await failureOf(store.append({ ...Items, table: 'nowhere' }, [item('x')]))).message).to.match(
      /not contributed/,
    )
  })
})
