// The owner of a folder for commands: one living process, which ends what a dead one has left.
import { expect } from 'chai'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause, until } from '@mynah/kernel/testing'
import { claimFolder } from './run-owner.js'

describe('claimFolder', () => {
  let folder: string
  const children: ChildProcess[] = []

  before(function () {
    if (process.platform !== 'linux') skipBecause(this, 'Linux only')
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-owner-'))
  })
  afterEach(async () => {
    for (const child of children.splice(0)) if (isAlive(child)) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null
  /** Starts a process that shows the name and the arguments of a sandbox. */
  async function start(name: string, argument: string): Promise<ChildProcess> {
    const args = ['-e', 'console.log(1);setInterval(()=>{},1e6)', '--', '--bind', argument, '/tmp']
    const child = spawn(process.execPath, args, { argv0: name, stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(child)
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    return child
  }
  /** The identity that a process would write: number and time of start. */
  async function identityOf(pid: number | undefined): Promise<string> {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  }
  const recorded = (): Promise<string> => readFile(join(folder, 'host'), 'utf8')
  const record = (text: string): Promise<void> => writeFile(join(folder, 'host'), text)

  it('records this process, also when it claims the folder again', async () => {
    await claimFolder(folder)
    await claimFolder(folder)
    expect(await recorded()).to.equal(await identityOf(process.pid))
  })

  it('refuses a folder that another living process uses, and leaves its sandboxes alone', async () => {
    const [other, sandbox] = [await start('node', 'x'), await start('/usr/bin/bwrap', join(folder, 'tmp-a'))]
    await record(await identityOf(other.pid))
    const refused = await claimFolder(folder).catch((error: Error) => error.message)
    expect(refused).to.equal('another process runs commands for the same host folder')
    expect(isAlive(sandbox)).to.equal(true)
    expect(await recorded()).to.equal(await identityOf(other.pid))
  })

  it('ends the sandboxes of a process that has died, and no others', async () => {
    const dead = await start('node', 'x')
    await record(await identityOf(dead.pid))
    dead.kill('SIGKILL')
    await once(dead, 'exit')
    const sandboxes = [await start('/usr/bin/bwrap', join(folder, 'tmp-a')), await start('bwrap', join(folder, 'etc'))]
    const others = [
      await start('/usr/bin/bwrap', `${folder}-of-another/tmp-a`),
      await start('less', join(folder, 'tmp-a')),
      await start('not-bwrap', join(folder, 'tmp-a')),
    ]
    await claimFolder(folder)
    await until(() => !sandboxes.some(isAlive), 'the sandboxes have ended')
    expect(others.map(isAlive)).to.deep.equal([true, true, true])
    expect(await recorded()).to.equal(await identityOf(process.pid))
  })

  it('takes a number that another process has got for that of a dead one', async () => {
    const other = await start('node', 'x')
    await record(`${other.pid} 1`)
    await claimFolder(folder)
    expect(await recorded()).to.equal(await identityOf(process.pid))
    expect(isAlive(other)).to.equal(true)
  })

  it('takes a record that is empty or damaged for one without an owner', async () => {
    for (const text of ['', 'nothing', '-1 5', '0 0']) {
      await record(text)
      await claimFolder(folder)
      expect(await recorded(), text).to.equal(await identityOf(process.pid))
    }
  })

  it('ends what this process has left running itself before its plugin was restarted', async () => {
    await claimFolder(folder)
    const sandbox = await start('bwrap', join(folder, 'tmp-a'))
    await claimFolder(folder)
    await until(() => !isAlive(sandbox), 'the sandbox has ended')
  })
})
