// Limits as bash and as cgroups take them. Groups are tested as values: a folder stands for the tree of the kernel.
import { expect } from 'chai'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { Cgroups } from './cgroups.js'
import { DEFAULT_LIMITS, limitScript } from './limits.js'
import { runCommand } from '../run/run-command.js'
import { TestLevels } from '../test/levels.js'

describe('limitScript', () => {
  it('counts processes only in a user namespace of its own', () => {
    expect(limitScript(DEFAULT_LIMITS, true)).to.contain('ulimit -u 512')
    expect(limitScript(DEFAULT_LIMITS, false)).to.not.contain('-u')
  })
})

describe('limits of a running command', () => {
  let levels: TestLevels
  let cwd: string
  before(async function () {
    levels = await TestLevels.open()
    cwd = await mkdtemp(join(tmpdir(), 'mynah-limits-'))
  })
  after(async () => {
    await levels.close()
    await rm(cwd, { recursive: true })
  })

  for (const level of ['none', 'files', 'wall'] as const) {
    it(`end a huge file and too many open files, and cannot be raised: ${level}`, async function () {
      if (levels.missing(level) !== undefined) skipBecause(this, levels.missing(level))
      const limits = { ...DEFAULT_LIMITS, fileMb: 1, openFiles: 64 }
      const launcher = levels.launcher(level, await levels.view({ cwd }), limits)
      const { output } = await runCommand(
        'head -c 3000000 /dev/zero > big; stat -c %s big; ulimit -n; (ulimit -n 4096) 2>&1; (ulimit -f unlimited) 2>&1; ulimit -c',
        { cwd, limitMs: 20_000, launcher },
      )
      expect(output).to.match(/^(?:.*\n)?1048576\n64\n/)
      // Root may raise its own limits where nothing takes that right.
      if (level === 'wall') expect(output.match(/not permitted/g)).to.have.length(2)
    })
  }

  it('end a fork bomb at level wall, for a user that is not root', async function () {
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    if (process.getuid?.() === 0) skipBecause(this, 'root has no limit of processes without cgroups')
    const launcher = levels.launcher('wall', await levels.view({ cwd }), { ...DEFAULT_LIMITS, processes: 32 })
    const { output } = await runCommand('for i in {1..100}; do sleep 5 & done; echo end', {
      cwd,
      limitMs: 20_000,
      launcher,
    })
    expect(output).to.match(/Resource temporarily unavailable|retry/)
  })
})

describe('Cgroups', () => {
  let tree: string
  beforeEach(async () => {
    tree = await mkdtemp(join(tmpdir(), 'mynah-cgroups-'))
    await mkdir(join(tree, 'system.slice/bot'), { recursive: true })
    for (const [name, text] of [
      ['cgroup.controllers', 'cpu memory pids\n'],
      ['cgroup.procs', '41\n42\n'],
    ] as const)
      await writeFile(join(tree, 'system.slice/bot', name), text)
    await writeFile(join(tree, 'self'), '0::/system.slice/bot\n')
  })
  afterEach(() => rm(tree, { recursive: true }))

  it('moves the host one group down and gives each command a group with limits', async () => {
    const found = await Cgroups.find(tree, join(tree, 'self'))
    if (!(found instanceof Cgroups)) throw new Error(found.reason)
    await found.prepare()
    const folder = join(tree, 'system.slice/bot')
    expect(await readFile(join(folder, 'cgroup.subtree_control'), 'utf8')).to.equal('+pids +memory')
    expect(await readFile(join(folder, 'host/cgroup.procs'), 'utf8')).to.equal('42')
    const command = await found
      .group({ ...DEFAULT_LIMITS, processes: 7, memoryMb: 2 })
      .command(['/usr/bin/bwrap', '--x'])
    const [run = ''] = (await readdir(folder)).filter((name) => name.startsWith('run-'))
    expect(command.slice(0, 2)).to.deep.equal(['/bin/sh', '-c'])
    expect(command.slice(4)).to.deep.equal([join(folder, run, 'cgroup.procs'), '/usr/bin/bwrap', '--x'])
    expect(await readFile(join(folder, run, 'pids.max'), 'utf8')).to.equal('7')
    expect(await readFile(join(folder, run, 'memory.max'), 'utf8')).to.equal('2097152')
  })

  it('says why there are none', async () => {
    const reasonOf = async (): Promise<string> => {
      const found = await Cgroups.find(tree, join(tree, 'self'))
      return found instanceof Cgroups ? 'found' : found.reason
    }
    await writeFile(join(tree, 'system.slice/bot/cgroup.controllers'), 'cpu memory\n')
    expect(await reasonOf()).to.contain('no controller pids')
    await writeFile(join(tree, 'self'), '0::/\n')
    expect(await reasonOf()).to.contain('no cgroup of its own')
    await writeFile(join(tree, 'self'), '4:memory:/x\n')
    expect(await reasonOf()).to.contain('no cgroup v2')
  })
})
