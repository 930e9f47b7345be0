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
    await store.change('a', changes)
    expect(await store.get('a')).to.deep.equal(task('a', changes))
  })

  it('returns undelivered tasks, oldest first', async () => {
    const store = await open()
    await store.add(task('b', { createdAt: 1 }))
    await store.add(task('a', { createdAt: 2 }))
    await store.add(task('c', { createdAt: 3, deliveredAt: 4 }))
    expect((await store.undelivered()).map(({ id }) => id)).to.deep.equal(['b', 'a'])
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
