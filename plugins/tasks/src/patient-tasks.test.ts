import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { TestClock, until } from '@mynah/kernel/testing'
import { MemoryTasks } from './memory-tasks.js'
import { PatientTasks } from './patient-tasks.js'
import type { Task, TaskCondition } from './types.js'

const unavailable = (): WireError => new WireError('not_ready', 'The database is not available')

const task: Task = {
  id: 'a',
  session: 's',
  turn: 't',
  label: 'a label',
  agent: 'main',
  prompt: 'do it',
  origin: {},
  roles: [],
  state: 'running',
  result: null,
  waited: true,
  requests: [],
  asked: [],
  round: 1,
  worker: null,
  createdAt: 1,
  endedAt: null,
  deliveredAt: null,
}

/** A store that refuses its next calls, before or after it has made the change. */
class FailingTasks extends MemoryTasks {
  readonly failures: ('refused' | 'taken')[] = []
  changes = 0

  override async change(id: string, when: TaskCondition, changes: Partial<Task>): Promise<Task | undefined> {
    this.changes++
    const failure = this.failures.shift()
    if (failure === 'refused') throw unavailable()
    const changed = await super.change(id, when, changes)
    if (failure === 'taken') throw unavailable()
    return changed
  }
}

describe('PatientTasks', () => {
  async function start(...failures: ('refused' | 'taken')[]) {
    const store = new FailingTasks()
    await store.add(task)
    store.failures.push(...failures)
    const clock = new TestClock()
    const leaving = new AbortController()
    return { store, clock, leaving, tasks: new PatientTasks(store, clock, leaving.signal) }
  }

  for (const failures of [['refused'], ['taken'], ['refused', 'refused', 'taken']] as const)
    it(`stores the end of a task once, and tells so, where the database has ${failures.join(', ')}`, async () => {
      const { store, clock, tasks } = await start(...failures)
      const ending = { state: 'done', result: 'four', endedAt: 5 } as const
      let isDone = false
      const changing = tasks.change('a', 'not ended', ending).finally(() => (isDone = true))
      await until(async () => {
        await clock.advance(1_000)
        return isDone
      })
      expect(await changing).to.include(ending)
      expect(await store.get('a')).to.include(ending)
    })

  it('tells who lost against another change that it has not changed the task', async () => {
    const { store, clock, tasks } = await start('refused')
    const changing = tasks.change('a', 'not ended', { state: 'done', endedAt: 5 })
    await until(() => store.changes === 1)
    await store.change('a', 'not ended', { state: 'stopped', endedAt: 4 })
    await until(async () => {
      await clock.advance(1_000)
      return store.changes === 3
    })
    expect(await changing).to.equal(undefined)
    expect(await store.get('a')).to.include({ state: 'stopped' })
  })

  it('gives up with the failure of the database when the host stops', async () => {
    const { store, leaving, tasks } = await start('refused', 'refused')
    const changing = tasks.change('a', 'not ended', { state: 'done', endedAt: 5 })
    await until(() => store.changes === 1)
    leaving.abort()
    const failure = await changing.then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).to.include({ code: 'not_ready' })
  })
})
