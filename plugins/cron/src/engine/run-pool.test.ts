import { expect } from 'chai'
import { RunPool } from './run-pool.js'

describe('RunPool', () => {
  const never = new AbortController().signal

  function poolOf(limit: number) {
    const started: string[] = []
    const pool = new RunPool(
      () => limit,
      (_job, run) => started.push(run),
    )
    pool.open()
    return { pool, started }
  }

  it('starts as many runs of each kind of work as there are places', () => {
    const { pool, started } = poolOf(2)
    for (const run of ['a1', 'a2', 'a3', 'b1']) pool.add(`job-${run}`, run, run.slice(0, 1))
    expect(started).to.deep.equal(['a1', 'a2', 'b1'])
    pool.end('job-b1')
    expect(started).to.have.length(3)
    pool.end('job-a1')
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'a3'])
  })

  it('starts the runs of a job one after another', () => {
    const { pool, started } = poolOf(4)
    for (const run of ['1', '2']) pool.add('job', run, 'a')
    expect(started).to.deep.equal(['1'])
    pool.end('job')
    expect(started).to.deep.equal(['1', '2'])
    pool.end('job')
    expect(pool.isBusy('job')).to.equal(false)
  })

  it('gives the place of a blocked run to another, and takes it back when the run goes on', () => {
    const { pool, started } = poolOf(1)
    for (const job of ['one', 'two', 'three']) pool.add(job, job, 'a')
    pool.setBlocked('one', true)
    expect(started).to.deep.equal(['one', 'two'])
    pool.setBlocked('one', false)
    pool.end('two')
    expect(started).to.deep.equal(['one', 'two'])
    pool.end('one')
    expect(started).to.deep.equal(['one', 'two', 'three'])
  })

  it('moves a run to another kind of work when that has room', async () => {
    const { pool, started } = poolOf(1)
    const moved: string[] = []
    for (const job of ['one', 'two', 'three']) pool.add(job, job, `action ${job}`)
    await pool.move('one', 'notice', never)
    const second = pool.move('two', 'notice', never).then(() => moved.push('two'))
    // Its old place is free at once.
    pool.add('four', 'four', 'action two')
    expect(started).to.deep.equal(['one', 'two', 'three', 'four'])
    expect([pool.isBlocked('two'), moved]).to.deep.equal([true, []])
    pool.end('one')
    await second
    expect([pool.isBlocked('two'), moved]).to.deep.equal([false, ['two']])
  })

  it('takes back a move when its signal aborts', async () => {
    const { pool } = poolOf(1)
    for (const job of ['one', 'two', 'three']) pool.add(job, job, `action ${job}`)
    await pool.move('one', 'notice', never)
    const control = new AbortController()
    const refused = pool.move('two', 'notice', control.signal).catch((error: unknown) => error)
    const third = pool.move('three', 'notice', never)
    control.abort(new Error('stopped'))
    expect(await refused).to.have.property('message', 'stopped')
    pool.end('two')
    pool.end('one')
    await third
  })

  it('removes the queued runs of a job', () => {
    const { pool, started } = poolOf(1)
    for (const run of ['1', '2', '3']) pool.add('job', run, 'a')
    pool.add('other', '4', 'a')
    expect(pool.removeQueued('job')).to.deep.equal(['2', '3'])
    pool.end('job')
    expect(started).to.deep.equal(['1', '4'])
    expect(pool.isBusy('job')).to.equal(false)
  })

  it('starts nothing while it is closed', () => {
    const { pool, started } = poolOf(1)
    pool.close()
    pool.add('job', '1', 'a')
    expect(started).to.deep.equal([])
    pool.open()
    expect(started).to.deep.equal(['1'])
  })
})
