import { expect } from 'chai'
import { Database } from './api.js'
import { item, Items } from './testing/fixture.js'
import { Own, run, type ActiveTransaction } from './test/host.js'

describe('db:*', () => {
  let host: ActiveTransaction
  before(async () => {
    host = await run()
  })
  after(() => host.stop())
  const data = async (type: string, params?: Record<string, unknown>) => {
    const reply = await host.rpc(type, params)
    expect(reply, `${type} ${reply.error}`).to.include({ status: 200, success: true })
    return reply.data as Record<string, unknown>
  }
  const refusal = async (type: string, params?: Record<string, unknown>) => {
    const { status, code, error } = await host.rpc(type, params)
    return { status, code, error }
  }

  it('lists dialect, tables, kinds, columns and writability', async () => {
    const names = ['item', 'notes', 'own', 'own-settings', 'settings', 'stream_event', 'stream_head']
    expect(await data('db:info')).to.deep.equal({ dialect: 'sqlite', type: 'related', tables: names, available: true })
    const { tables } = (await data('db:tables')) as {
      tables: { name: string; kind: string; writable: boolean; columns?: unknown[] }[]
    }
    expect(tables.map(({ name, kind, writable }) => [name, kind, writable])).to.deep.equal([
      ['item', 'related', true],
      ['notes', 'document', true],
      ['own', 'related', false],
      ['own-settings', 'keyvalue', false],
      ['settings', 'keyvalue', true],
      ['stream_event', 'related', false],
      ['stream_head', 'related', false],
    ])
    expect(tables[0]?.columns).to.deep.equal([
      { name: 'id', type: 'text', primary: true },
      { name: 'value', type: 'text', nullable: true },
      { name: 'size', type: 'bigint' },
      { name: 'flag', type: 'boolean' },
      { name: 'detail', type: 'simple-json', nullable: true },
    ])
    expect(tables[1]).to.not.have.property('columns')
  })

  it('inserts, selects by page and condition, updates and deletes rows', async () => {
    for (let index = 0; index < 7; index++)
      await data('db:insert', {
        table: 'item',
        row: { id: `r${index}`, size: index, flag: index > 4, detail: { index } },
      })
    expect(await data('db:select', { table: 'item', page: 2, pageSize: 3 })).to.deep.equal({
      rows: [3, 4, 5].map((index) => item(`r${index}`, { size: index, flag: index > 4, detail: { index } })),
      total: 7,
      page: 2,
      pageSize: 3,
    })
    expect(await data('db:select', { table: 'item', where: { size: { $gte: 5 }, flag: true } })).to.deep.include({
      total: 2,
      page: 1,
      pageSize: 50,
    })
    expect(await data('db:update', { table: 'item', row: { value: 'x' }, where: { id: 'r1' } })).to.deep.equal({
      success: true,
      affected: 1,
    })
    expect(await data('db:delete', { table: 'item', where: { size: { $lt: 3 } } })).to.deep.equal({
      success: true,
      deleted: 3,
    })
    expect(await data('db:select', { table: 'item', page: 9 })).to.deep.include({ rows: [], total: 4 })
  })

  it('selects rows in the order of columns, and by the key where they are equal', async () => {
    for (const [id, size] of [
      ['o1', 3],
      ['o2', 1],
      ['o3', 3],
    ] as const)
      await data('db:insert', { table: 'item', row: { id, size: size + 100, flag: false } })
    const select = async (order: Record<string, string>, page = 1) => {
      const { rows } = await data('db:select', {
        table: 'item',
        where: { size: { $gt: 100 } },
        order,
        page,
        pageSize: 2,
      })
      return (rows as { id: string }[]).map(({ id }) => id)
    }
    expect([...(await select({ size: 'asc' })), ...(await select({ size: 'asc' }, 2))]).to.deep.equal([
      'o2',
      'o1',
      'o3',
    ])
    expect([...(await select({ size: 'desc' })), ...(await select({ size: 'desc' }, 2))]).to.deep.equal([
      'o1',
      'o3',
      'o2',
    ])
    expect(await select({ size: 'asc', id: 'desc' }, 2)).to.deep.equal(['o1'])
    expect(await refusal('db:select', { table: 'item', order: { 'id; --': 'asc' } })).to.include({
      status: 400,
      error: 'order.id; -- is not a column of item',
    })
    expect(await refusal('db:select', { table: 'item', order: { id: 'up' } })).to.include({ status: 400 })
    expect(await refusal('db:select', { table: 'notes', order: { id: 'asc' } })).to.include({ status: 400 })
    await data('db:delete', { table: 'item', where: { size: { $gt: 100 } } })
  })

  it('inserts, selects, updates and deletes documents', async () => {
    await data('db:insert', { table: 'notes', row: { id: 'n1', text: 'one', n: 1 } })
    await data('db:insert', { table: 'notes', row: { text: 'two', n: 2 } })
    expect(await data('db:select', { table: 'notes', where: { n: 1 } })).to.deep.include({
      rows: [{ id: 'n1', text: 'one', n: 1 }],
      total: 1,
    })
    expect(await data('db:update', { table: 'notes', row: { text: 'uno' }, where: { id: 'n1' } })).to.deep.equal({
      success: true,
      affected: 1,
    })
    expect(await data('db:select', { table: 'notes', where: { text: { $like: 'UN%' } } })).to.deep.include({
      rows: [{ id: 'n1', text: 'uno', n: 1 }],
    })
    expect(await data('db:delete', { table: 'notes', where: { n: { $gt: 1 } } })).to.deep.equal({
      success: true,
      deleted: 1,
    })
  })

  it('stores values with a time to live', async () => {
    await data('db:kv:set', { table: 'settings', key: 'a', value: { x: 1 } })
    await data('db:kv:set', { table: 'settings', key: 'b', value: 'soon gone', ttl: 60 })
    expect(await data('db:kv:get', { table: 'settings', key: 'a' })).to.deep.equal({ key: 'a', value: { x: 1 } })
    expect(await data('db:kv:get', { table: 'settings', key: 'missing' })).to.deep.equal({
      key: 'missing',
      value: null,
    })
    const { entries, ...rest } = (await data('db:kv:entries', { table: 'settings', pageSize: 2 })) as {
      entries: { key: string; expiresAt?: number }[]
    }
    expect(rest).to.deep.equal({ total: 2, page: 1, pageSize: 2 })
    expect(entries.map(({ key }) => key)).to.deep.equal(['a', 'b'])
    expect(entries[1]?.expiresAt).to.be.greaterThan(Date.now())
    expect(await data('db:kv:delete', { table: 'settings', key: 'b' })).to.deep.equal({ success: true })
    expect(await data('db:kv:delete', { table: 'settings', key: 'b' })).to.deep.equal({ success: false })
  })

  it('rejects writes to tables of the project', async () => {
    await host.host.get(Database)?.append(Own, [{ id: 'x', text: 'kept' }])
    expect(await data('db:select', { table: 'own' })).to.deep.include({ total: 1 })
    for (const [type, params] of [
      ['db:insert', { row: { id: 'y', text: '' } }],
      ['db:update', { row: { text: '' }, where: { id: 'x' } }],
      ['db:delete', { where: { id: 'x' } }],
      ['db:drop-table', {}],
    ] as const)
      expect(await refusal(type, { table: 'own', ...params }), type).to.include({ status: 400, code: 'forbidden' })
    expect(await refusal('db:kv:set', { table: 'own-settings', key: 'a', value: 1 })).to.include({ code: 'forbidden' })
    expect(await data('db:select', { table: 'own' })).to.deep.include({ rows: [{ id: 'x', text: 'kept' }] })
  })

  it('rejects unknown tables', async () => {
    for (const table of [
      'sqlite_master',
      'mynah_document',
      'mynah_migration',
      'nope',
      'item"; DROP TABLE item; --',
      '__proto__',
    ]) {
      expect(await refusal('db:select', { table }), table).to.include({ code: 'not_found' })
      expect(await refusal('db:drop-table', { table }), table).to.include({ code: 'not_found' })
    }
    expect(await refusal('db:select', { table: 'settings' })).to.include({ code: 'unsupported' })
    expect(await refusal('db:kv:get', { table: 'item', key: 'a' })).to.include({ code: 'unsupported' })
  })

  it('rejects empty conditions, unknown columns, wrong types and invalid pages', async () => {
    for (const type of ['db:update', 'db:delete']) {
      for (const table of ['item', 'notes'])
        expect(await refusal(type, { table, where: {}, row: { size: 1 } }), type).to.include({
          code: 'invalid_request',
          error: 'where may not be empty',
        })
      expect(await refusal(type, { table: 'item', row: { size: 1 } })).to.include({ code: 'invalid_request' })
      expect(await refusal(type, { table: 'item', row: { size: 1 }, where: { 'id = id OR id': 1 } })).to.include({
        code: 'invalid_request',
      })
    }
    expect(await refusal('db:insert', { table: 'item', row: { id: 'z', nope: 1 } })).to.include({
      code: 'invalid_request',
      error: 'row.nope is not a column of item',
    })
    expect(await refusal('db:insert', { table: 'item', row: { id: 'z', size: 'big' } })).to.include({
      code: 'invalid_request',
      error: 'row.size must be a value of type bigint',
    })
    expect(await refusal('db:insert', { table: 'item', row: { size: 1 } })).to.include({ code: 'invalid_request' })
    expect(await refusal('db:update', { table: 'notes', row: { id: 'other' }, where: { id: 'n1' } })).to.include({
      code: 'invalid_request',
    })
    for (const range of [{ page: 0 }, { pageSize: 501 }, { pageSize: 0 }, { page: 'one' }])
      expect(await refusal('db:select', { table: 'item', ...range })).to.include({ code: 'invalid_request' })
  })

  it('answers conflict for an existing key without details of the SQL', async () => {
    await data('db:insert', { table: 'item', row: { id: 'twice' } })
    const { code, error } = await refusal('db:insert', { table: 'item', row: { id: 'twice' } })
    expect(code).to.equal('conflict')
    expect(error).to.not.match(/SQL|INSERT|constraint/i)
  })

  it('logs changes and their callers without values', async () => {
    await data('db:kv:set', { table: 'settings', key: 'a', value: 'a value that must stay secret' })
    const line = host.log
      .filter(({ name }) => name === 'database' || name === 'console-rpc')
      .find(({ message }) => message.startsWith('set of table settings by'))
    expect(line?.fields).to.deep.include({ table: 'settings' })
    expect(JSON.stringify(host.log)).to.not.contain('a value that must stay secret')
  })

  it('drops stores and tables, and lists a store again after the next write', async () => {
    const names = async () => (await data('db:info')).tables as string[]
    for (const table of ['notes', 'settings', 'item'])
      expect(await data('db:drop-table', { table })).to.deep.equal({ success: true })
    expect(await names()).to.deep.equal(['own', 'own-settings', 'stream_event', 'stream_head'])
    expect(await refusal('db:select', { table: 'item' })).to.include({ code: 'not_found' })
    await host.host.get(Database)?.documents('notes').add({ text: 'again' })
    expect(await data('db:select', { table: 'notes' })).to.deep.include({ total: 1 })
    await host.host.enable('tables', false)
    await host.host.enable('tables', true)
    expect(await data('db:select', { table: 'item' })).to.deep.include({ total: 0 })
    await host.host.get(Database)?.append(Items, [item('new')])
    expect(await names()).to.include('settings')
  })
})

describe('db:* with database.consoleWrites: all', () => {
  it('allows writes to tables of the project, without a restart', async () => {
    const host = await run()
    const store = host.host.get(Database)
    expect(await host.rpc('db:insert', { table: 'own', row: { id: 'x', text: 'y' } })).to.include({ code: 'forbidden' })
    expect(await host.host.update('database', { consoleWrites: 'all' })).to.equal('updated')
    expect(host.host.get(Database)).to.equal(store)
    expect(await host.rpc('db:insert', { table: 'own', row: { id: 'x', text: 'y' } })).to.include({ success: true })
    expect(await host.rpc('db:kv:set', { table: 'own-settings', key: 'a', value: 1 })).to.include({ success: true })
    await host.stop()
  })

  it('keeps the log of the event stream read-only', async () => {
    const host = await run({ consoleWrites: 'all' })
    for (const table of ['stream_head', 'stream_event']) {
      expect(await host.rpc('db:drop-table', { table })).to.include({ code: 'forbidden' })
      expect(await host.rpc('db:delete', { table, where: { id: { $ne: 'x' } } })).to.include({ code: 'forbidden' })
    }
    const { tables } = (await host.rpc('db:tables')).data as { tables: { name: string; writable: boolean }[] }
    expect(tables.find(({ name }) => name === 'stream_head')).to.include({ writable: false })
    await host.stop()
  })
})
