import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { DatabaseTasks } from './database-tasks.js'
import { MemoryTasks } from './memory-tasks.js'
import { TaskRecords } from './records.js'
import type { Task, TaskStore } from './types.js'

const task = (id: string, changes: Partial<Task> = {}): Task => ({
  id,
  session: 's',
  turn: 't',
  label: 'a label',
  agent: 'main',
  prompt: 'do it',
  origin: { adapter: 'test', endpoint: 'one', channel: { type: 'private', id: 'owner' }, user: 'owner' },
  roles: ['user', 'master'],
  state: 'queued',
  result: null,
  waited: true,
  requests: ['r1'],
  asked: [],
  round: 1,
  worker: { tools: ['bash'], system: 'work', maxSteps: 3 },
  createdAt: 1,
  endedAt: null,
  deliveredAt: null,
  ...changes,
})

/** Tests the behaviour of every task store. */
function taskStoreContract(open: () => Promise<TaskStore>): void {
  it('returns a task as it was added', async () => {
    const store = await open()
    expect(await store.add(task('a'))).to.deep.equal(task('a'))
    expect(await store.get('a')).to.deep.equal(task('a'))
    expect(await store.get('b')).to.equal(undefined)
  })

  it('returns the stored task when its id exists', async () => {
    const store = await open()
    await store.add(task('a'))
    expect(await store.add(task('a', { label: 'other', createdAt: 2 }))).to.deep.equal(task('a'))
  })

  it('changes the given fields', async () => {
    const store = await open()
    await store.add(task('a'))
    const changes = { state: 'done', result: 'text', waited: false, requests: [], endedAt: 5 } as const
    expect(await store.change('a', 'not ended', changes)).to.deep.equal(task('a', changes))
    expect(await store.get('a')).to.deep.equal(task('a', changes))
  })

  it('changes a task only while it has not ended, or was not delivered', async () => {
    const store = await open()
    await store.add(task('a'))
    expect(await store.change('a', 'not ended', { state: 'stopped', endedAt: 5 })).to.include({ state: 'stopped' })
    expect(await store.change('a', 'not ended', { state: 'done' })).to.equal(undefined)
    expect(await store.change('a', 'not delivered', { deliveredAt: 6 })).to.include({ deliveredAt: 6 })
    expect(await store.change('a', 'not delivered', { deliveredAt: 7 })).to.equal(undefined)
    expect(await store.get('a')).to.include({ state: 'stopped', deliveredAt: 6 })
    expect(await store.change('b', 'not ended', { waited: false })).to.equal(undefined)
  })

  it('returns undelivered tasks in pages', async () => {
    const store = await open()
    await store.add(task('b', { createdAt: 1 }))
    await store.add(task('a', { createdAt: 2 }))
    await store.add(task('c', { createdAt: 3, deliveredAt: 4 }))
    await store.add(task('d'))
    expect((await store.undelivered(2)).map(({ id }) => id)).to.deep.equal(['a', 'b'])
    expect((await store.undelivered(2, 'b')).map(({ id }) => id)).to.deep.equal(['d'])
  })

  it('prunes tasks that were delivered before a time', async () => {
    const store = await open()
    await store.add(task('a', { deliveredAt: 4 }))
    await store.add(task('b', { deliveredAt: 5 }))
    await store.add(task('c'))
    await store.prune(5)
    expect(await store.get('a')).to.equal(undefined)
    expect((await store.get('b'))?.id).to.equal('b')
    expect((await store.get('c'))?.id).to.equal('c')
  })
}

describe('MemoryTasks', () => {
  taskStoreContract(() => Promise.resolve(new MemoryTasks()))
})

onEverySystem('DatabaseTasks', (open) => {
  taskStoreContract(async () => {
    const { store: database } = await open()
    await database.contribute([TaskRecords])
    return new DatabaseTasks(database)
  })
})
