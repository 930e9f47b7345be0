import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { Bench } from '../test/cli.js'
import { FolderInUse, lockFolder } from './folder-lock.js'

describe('lockFolder', function () {
  this.timeout(30_000)
  let data: string
  beforeEach(async () => {
    data = join(await mkdtemp(join(tmpdir(), 'mynah-lock-')), 'data')
  })
  afterEach(() => rm(join(data, '..'), { recursive: true, force: true }))

  /** Starts a process that holds the lock, and returns how to kill it. */
  async function holder(): Promise<{ pid: number | undefined; kill(): Promise<void> }> {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.js', import.meta.url).href)}
        await lockFolder(${JSON.stringify(data)})
        console.log('held')
        setInterval(() => {}, 1000)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    return {
      pid: child.pid,
      async kill() {
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
    }
  }
  const failure = (locking: Promise<unknown>): Promise<unknown> =>
    locking.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('refuses a second host and names the first, until that is killed', async () => {
    const first = await holder()
    const refused = (await failure(lockFolder(data))) as FolderInUse
    expect(refused).to.be.instanceOf(FolderInUse)
    expect(refused.exitCode).to.equal(3)
    expect(refused.message).to.match(
      new RegExp(`^The data directory is in use by another host \\(process ${first.pid}, since 20[\\dT:.-]+Z\\)$`),
    )
    await first.kill()
    await (
      await lockFolder(data)
    )()
    expect(await readdir(data)).to.deep.equal([])
  })

  it('waits for a host that is just stopping', async () => {
    const unlock = await lockFolder(data)
    const second = lockFolder(data)
    await unlock()
    await (
      await second
    )()
  })

  it('is taken by one of many that find a dead one', async () => {
    await (await holder()).kill()
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(data)))
    const held = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).to.be.instanceOf(FolderInUse)
    expect(held).to.have.length(1)
    for (const { value } of held) await value()
    expect(await readdir(data)).to.deep.equal([])
  })

  it('takes the place of a file that is no socket', async () => {
    await mkdir(data)
    await writeFile(join(data, 'host.lock'), '')
    await (
      await lockFolder(data)
    )()
  })

  it('locks a directory whose path is too long for a socket', async () => {
    data = join(data, 'x'.repeat(120))
    const unlock = await lockFolder(data)
    expect(await failure(lockFolder(data))).to.be.instanceOf(FolderInUse)
    await unlock()
  })
})

describe('two hosts in one folder', function () {
  this.timeout(60_000)
  let bench: Bench | undefined
  afterEach(() => bench?.remove())

  it('do not run at the same time, also while PostgreSQL is unavailable', async () => {
    bench = await Bench.of({
      'mynah.config.yml':
        'plugins: [database]\ndatabase: { type: postgres, url: "postgres://mynah@127.0.0.1:1/none" }\n',
    })
    const first = bench.start('start')
    await first.shows(/database is not available/)
    const second = await bench.run('start')
    expect(second.code, second.err).to.equal(3)
    expect(second.err).to.match(/error: The data directory is in use by another host \(process \d+, since /)
    expect(second.err).to.contain('Stop the other host')
    // The host ends with its supervisor, and its lock with the host.
    await first.signal('SIGKILL')
    const folder = join(bench.folder, 'data')
    await until(async () => !(await readdir(folder)).includes('host.lock'), 'the end of the first host')
    const third = bench.start('start')
    await third.shows(/database is not available/)
    expect(third.err).to.not.contain('in use')
  })
})
