// The probe of the levels: on a busy machine, and without what a level needs.
import { expect } from 'chai'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { probeLevels } from './probe.js'
import { RunFolder } from '../view/run-folder.js'
import { findProgram } from '../view/tools.js'

const LONG_MS = 300_000

describe('probeLevels', function () {
  this.timeout(600_000)
  let run: RunFolder
  let folder: string
  const { PATH = '' } = process.env

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-probe-'))
    run = await RunFolder.open(undefined, homedir())
  })
  afterEach(async () => {
    process.env.PATH = PATH
    await run.close(0)
    for (const path of [run.path, folder]) await rm(path, { recursive: true, force: true })
  })

  /** Puts a program before all others. */
  async function place(name: string, script: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
    process.env.PATH = `${folder}:${PATH}`
  }

  /** Leaves only some programs. */
  async function only(...names: readonly string[]): Promise<void> {
    for (const name of names) await symlink((await findProgram(name, PATH)) ?? '', join(folder, name))
    process.env.PATH = folder
  }

  it('finds the same level again with a long limit after a try that was too short', async function () {
    const { best, reasons } = await probeLevels(run)
    if (best === 'none') skipBecause(this, reasons.join('; '))
    expect(await probeLevels(run, undefined, [1, LONG_MS])).to.deep.include({ best, reasons })
  })

  it('tries again where bwrap hangs or has no processes left at first', async function () {
    const { best, reasons } = await probeLevels(run)
    if (best !== 'wall') skipBecause(this, reasons.join('; '))
    const bwrap = await findProgram('bwrap')
    const busy = [
      'sleep 600',
      'echo "bwrap: Creating new namespace failed: Resource temporarily unavailable" >&2; exit 1',
    ]
    for (const [index, instead] of busy.entries()) {
      await place('bwrap', `if mkdir "${folder}/once${index}" 2>/dev/null; then ${instead}; fi; exec ${bwrap} "$@"`)
      expect((await probeLevels(run, undefined, [2000, LONG_MS])).best, instead).to.equal('wall')
    }
  })

  it('says that the probe did not end, where no try is long enough', async function () {
    const { best, reasons } = await probeLevels(run)
    if (best !== 'wall') skipBecause(this, reasons.join('; '))
    await place('bwrap', 'sleep 600')
    const found = await probeLevels(run, undefined, [50, 100])
    expect(found.best).to.not.equal('wall')
    expect(found.reasons[0]).to.equal('bwrap does not work here: the probe did not end within 100 ms')
  })

  it('does not take a bwrap that fails, or one that only runs the command', async function () {
    await place('bwrap', 'echo "bwrap: No permissions to create a new namespace" >&2; exit 1')
    const refused = await probeLevels(run)
    expect(refused.best).to.not.equal('wall')
    expect(refused.reasons[0]).to.contain('No permissions to create a new namespace')
    await place('bwrap', 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"')
    const bare = await probeLevels(run)
    expect(bare.best).to.not.equal('wall')
    expect(bare.reasons[0]).to.match(
      /a command (?:reads|changes) files outside of its view|cannot|No such file|Permission denied/,
    )
  })

  it('falls to the level whose programs are there', async () => {
    await only('perl', 'bash')
    const withPerl = await probeLevels(run)
    expect(withPerl.best).to.be.oneOf(['files', 'none'])
    expect(withPerl.reasons[0]).to.equal('bwrap is not installed')
    await rm(join(folder, 'perl'))
    expect(await probeLevels(run)).to.deep.include({
      best: 'none',
      reasons: ['bwrap is not installed', 'perl is not installed'],
    })
  })
})
