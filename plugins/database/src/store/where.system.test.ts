import { expect } from 'chai'
import { join } from 'node:path'
import { systemClock } from '@mynah/kernel'
import { entity, type Where } from '../api.js'
import { openSqlite } from '../engine/sqlite.js'
import { Store } from './store.js'
import { toFindOptions, parseTerms } from './where.js'
import { failureOf, folder, item, Items, onEverySystem, type Item } from '../testing/fixture.js'

const rows: Item[] = [
  item('a', { value: 'Alpha', size: 1, flag: true, detail: { deep: [1] } }),
  item('b', { value: 'beta', size: 2 }),
  item('c', { value: 'be_ta%', size: 10 }),
  item('d', { value: null, size: 20 }),
]

const cases: [string, Where, string][] = [
  ['equality', { value: 'beta' }, 'b'],
  ['a number', { size: 10 }, 'c'],
  ['a boolean', { flag: true }, 'a'],
  ['null', { value: null }, 'd'],
  ['$eq', { size: { $eq: 1 } }, 'a'],
  ['$ne with rows of null', { size: { $ne: 1 } }, 'bcd'],
  ['not null', { value: { $ne: null } }, 'abc'],
  ['numbers as numbers', { size: { $gt: 2 } }, 'cd'],
  ['a range', { size: { $gte: 2, $lt: 20 } }, 'bc'],
  ['$lte', { size: { $lte: 2 } }, 'ab'],
  ['$in', { value: { $in: ['Alpha', 'beta', 'none'] } }, 'ab'],
  ['$in of nothing', { value: { $in: [] } }, ''],
  ['$like without regard to case', { value: { $like: 'AL%' } }, 'a'],
  ['several columns', { size: { $lt: 10 }, flag: false }, 'b'],
  ['an id', { id: 'c' }, 'c'],
  ['ids', { id: { $in: ['a', 'd'] } }, 'ad'],
  ['quotes in a value', { value: "x' OR '1'='1" }, ''],
]

onEverySystem('conditions', (open) => {
  it('find the same rows and documents on every system', async function () {
    this.timeout(20_000)
    const { store } = await open()
    const documents = store.documents('items')
    await store.append(Items, rows)
    for (const { id, ...fields } of rows) await documents.add(fields, id)
    for (const [what, where, expected] of cases) {
      const typed = where as Where<Item>
      expect((await store.read((db) => db.find(Items, { where: typed }))).map(({ id }) => id).join(''), what).to.equal(
        expected,
      )
      expect(await store.read((db) => db.count(Items, typed)), what).to.equal(expected.length)
      expect((await documents.find({ where })).map(({ id }) => id).join(''), `${what} in documents`).to.equal(expected)
      expect(await documents.count(where), `${what} in documents`).to.equal(expected.length)
    }
  })

  it('return rows unchanged', async () => {
    const { store } = await open()
    await store.append(Items, rows)
    expect(await store.read((db) => db.find(Items))).to.deep.equal(rows)
    expect(await store.read((db) => db.find(Items, { order: { size: 'desc' }, limit: 2, offset: 1 }))).to.deep.equal([
      rows[2],
      rows[1],
    ])
  })

  it('reject unknown columns and operators, and empty conditions of changes', async () => {
    const { store } = await open()
    const refused = async (where: unknown) =>
      failureOf(store.read((db) => db.find(Items, { where: where as Where<Item> })))
    expect(await refused({ 'id" OR 1=1 --': 1 })).to.include({ code: 'invalid_request' })
    expect((await refused({ nope: 1 })).message).to.equal('where.nope is not a column here')
    expect((await refused({ id: { $regex: 'x' } })).message).to.match(/^where\.id\.\$regex is not an operator/)
    expect((await refused({ id: { $in: [{}] } })).message).to.match(/^where\.id\.\$in must be/)
    expect((await refused({ id: undefined })).message).to.match(/^where\.id must be/)
    expect((await refused({ id: {} })).message).to.match(/must name an operator/)
    expect((await refused([])).message).to.match(/must be an object/)
    expect((await failureOf(store.tx((db) => db.delete(Items, {})))).message).to.equal('where may not be empty')
    expect((await failureOf(store.tx((db) => db.update(Items, {}, { size: 1 })))).message).to.equal(
      'where may not be empty',
    )
  })
})

describe('condition of a partial index', () => {
  it('uses the index in SQLite', async () => {
    const { path, remove } = await folder()
    const engine = await openSqlite(join(path, 'one.sqlite'), Date.now())
    const store = await new Store(engine, systemClock, {
      changed() {},
      tableFailed: (_table, error) => {
        throw error
      },
    }).open()
    const Jobs = entity<{ id: string; state: string; urgent: number }>({
      package: 'mynah-plugin-jobs',
      name: 'job',
      columns: { id: { type: 'text', primary: true }, state: { type: 'text' }, urgent: { type: 'integer' } },
      indices: [
        { name: 'job_open', columns: ['id'], where: "state IN ('waiting', 'run-ning')" },
        { name: 'job_urgent', columns: ['id'], where: 'urgent = 1' },
      ],
    })
    await store.contribute([Jobs])
    await store.append(
      Jobs,
      ['waiting', 'run-ning', 'done', "it's"].map((state, index) => ({ id: `j${index}`, state, urgent: index % 2 })),
    )
    const ids = async (where: Where<{ id: string; state: string; urgent: number }>): Promise<string[]> =>
      (await store.read((db) => db.find(Jobs, { where }))).map(({ id }) => id)
    expect(await ids({ state: { $in: ['waiting', 'run-ning'] } })).to.deep.equal(['j0', 'j1'])
    expect(await ids({ urgent: 1, id: { $gt: 'j0', $lt: 'j3' } })).to.deep.equal(['j1'])
    expect(await ids({ state: { $in: ["it's", 'done'] }, urgent: { $in: [0, 1] } })).to.deep.equal(['j2', 'j3'])
    expect(await ids({ state: "it's" })).to.deep.equal(['j3'])
    const plan = async (where: Where): Promise<string> => {
      const [sql, parameters] = engine.reader
        .createQueryBuilder(Jobs.table, 'j')
        .setFindOptions({
          where: toFindOptions(
            parseTerms(where, () => true),
            'sqlite',
          ),
        })
        .getQueryAndParameters()
      return ((await engine.reader.query(`EXPLAIN QUERY PLAN ${sql}`, parameters)) as { detail: string }[])
        .map(({ detail }) => detail)
        .join()
    }
    expect(await plan({ state: { $in: ['waiting', 'run-ning'] }, id: { $gt: 'j' } })).to.match(/job_open/)
    expect(await plan({ urgent: 1, id: { $gt: 'j' } })).to.match(/job_urgent/)
    expect(await plan({ state: 'done', id: { $gt: 'j' } })).to.not.match(/job_(open|urgent)/)
    await store.close()
    await remove()
  })
})
