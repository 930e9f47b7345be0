import { expect } from 'chai'
import { failureOf, item, Items, onEverySystem } from '../testing/fixture.js'

onEverySystem('Transactions', (open) => {
  it('commits exactly the successful ones of 1,000 concurrent transactions', async function () {
    this.timeout(60_000)
    const { store } = await open()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1_000 }, (_, index) =>
        store.tx(async (db) => {
          await db.insert(Items, item(`a${index}`))
          if (index % 3 === 0) throw new Error(`no ${index}`)
          await db.insert(Items, item(`b${index}`))
          if (index % 7 === 0) await db.insert(Items, item(`a${index}`))
        }),
      ),
    )
    const kept = (await store.read((db) => db.find(Items))).map(({ id }) => id).sort()
    const expected = Array.from({ length: 1_000 }, (_, index) => index)
      .filter((index) => index % 3 !== 0 && index % 7 !== 0)
      .flatMap((index) => [`a${index}`, `b${index}`])
      .sort()
    expect(kept).to.deep.equal(expected)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(expected.length / 2)
  })

  it('rethrows the original error', async () => {
    const { store } = await open()
    const mine = new Error('mine')
    expect(
      await failureOf(
        store.tx(async () => {
          throw mine
        }),
      ),
    ).to.equal(mine)
  })

  it('rolls back only a failed nested transaction', async () => {
    const { store } = await open()
    await store.tx(async (db) => {
      await db.insert(Items, item('outer'))
      await failureOf(
        store.tx(async (inner) => {
          await inner.insert(Items, item('inner'))
          throw new Error('no')
        }),
      )
      await store.tx(async (inner) => {
        await inner.insert(Items, item('kept'))
        await failureOf(store.tx((innermost) => innermost.insert(Items, item('outer'))))
      })
      expect(await db.count(Items)).to.equal(2)
    })
    expect((await store.read((db) => db.find(Items))).map(({ id }) => id)).to.deep.equal(['kept', 'outer'])
  })

  it('runs concurrent nested transactions one after another', async () => {
    const { store } = await open()
    await store.tx(async () => {
      await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          store.tx(async (db) => {
            await db.insert(Items, item(String(index)))
            if (index % 2) throw new Error('odd')
          }),
        ),
      )
    })
    expect(await store.read((db) => db.count(Items))).to.equal(10)
  })

  it('rolls back nested transactions with the outer one', async () => {
    const { store } = await open()
    await failureOf(
      store.tx(async () => {
        await store.tx((db) => db.insert(Items, item('inner')))
        await store.append(Items, [item('appended')])
        throw new Error('no')
      }),
    )
    expect(await store.read((db) => db.count(Items))).to.equal(0)
  })

  it('shows its writes to others only after the commit', async () => {
    const { store } = await open()
    let outside: Promise<number> | undefined
    let look = (): void => {}
    const looked = new Promise<void>((resolve) => {
      look = resolve
    }).then(() => {
      outside = store.read((db) => db.count(Items))
    })
    await store.tx(async (db) => {
      await db.insert(Items, item('new'))
      expect(await store.read((reads) => reads.count(Items))).to.equal(1)
      look()
      await looked
      expect(await outside).to.equal(0)
    })
    expect(await store.read((db) => db.count(Items))).to.equal(1)
  })

  it('rejects operations after the end of a transaction', async () => {
    const { store } = await open()
    const leaked = await store.tx(async (db) => db)
    expect((await failureOf(leaked.insert(Items, item('late')))).message).to.match(/has ended/)
    expect(await store.read((db) => db.count(Items))).to.equal(0)
  })

  it('rolls back a transaction that never settles', async () => {
    const { store } = await open({ transactionLimit: 500 })
    const stuck = failureOf(
      store.tx(async (db) => {
        await db.insert(Items, item('stuck'))
        await new Promise(() => {})
      }),
    )
    await store.tx((db) => db.insert(Items, item('next')))
    expect((await stuck).message).to.match(/rolled back after/)
    expect((await store.read((db) => db.find(Items))).map(({ id }) => id)).to.deep.equal(['next'])
  })

  it('cannot write through a reader', async () => {
    const { store } = await open()
    await failureOf(store.read((db) => db.query("INSERT INTO item (id) VALUES ('x') RETURNING id")))
    expect(store.status).to.deep.equal({ available: true })
    expect(await store.read((db) => db.count(Items))).to.equal(0)
  })
})
