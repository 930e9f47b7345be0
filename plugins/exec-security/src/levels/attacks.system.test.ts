// Attacks that are really run: each works in bash alone, and at each level as far as the level promises.
import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { evaluateCommand } from '../policy/index.js'
import { runCommand } from '../run/run-command.js'
import { LEVEL_ATTACKS, type LevelAttack } from '../test/families/level-attacks.js'
import { asAnotherUser } from '../test/another-user.js'
import { AttackScene } from '../test/attack-scene.js'
import { TestLevels } from '../test/levels.js'
import { cases, LONG } from '../test/long.js'
import { policy } from '../test/policies.js'

const SELF = new URL(import.meta.url).pathname
/** Lines that cannot work for everybody, such as reading the environment of a process that has gone. */
const SHARE = 0.95

/** The effects that do not depend on what a command sees: the host ends processes and gives settings to git. */
const AT_NONE: ReadonlySet<LevelAttack['effect']> = new Set(['stays', 'fires'])

/** A harmless line with the effect of an attack: it prints the canary itself. */
const ORDINARY = {
  line: 'cat a.txt >/dev/null && git log --oneline >/dev/null && printf @canary@',
  effect: 'reads',
} as const

const step = Math.max(1, Math.ceil(LEVEL_ATTACKS.length / cases(18, Infinity)))
const CHOSEN = LEVEL_ATTACKS.filter((_, i) => i % step === 0)

describe(`attacks at each level, as ${process.getuid?.() === 0 ? 'root' : 'another user'}`, function () {
  this.timeout(600_000)
  let scene: AttackScene
  let levels: TestLevels

  before(async function () {
    if (process.platform !== 'linux') skipBecause(this, `there are no levels for ${process.platform}`)
    scene = new AttackScene(join(await realpath(await mkdtemp(join(tmpdir(), 'mynah-attacks-'))), 'host'))
    levels = await TestLevels.open(scene.home)
    await scene.open({ ...(await levels.run.of({ user: 'another' })), socket: levels.run.socket() })
  })
  after(async () => {
    await scene?.close()
    await levels?.close()
  })

  /** Runs an attack at a level. Returns whether it has worked. */
  async function tried(
    attack: LevelAttack,
    level: 'bash' | 'none' | 'files' | 'wall',
    writable = true,
  ): Promise<boolean> {
    await scene.fill(attack)
    const paths = { root: scene.root, data: join(scene.root, 'data') }
    const view = level === 'bash' ? undefined : await levels.view({ cwd: scene.cwd, paths, writable })
    const { output } = await runCommand(scene.text(attack.line), {
      cwd: scene.cwd,
      limitMs: 20_000,
      env: { HOME: scene.home, ...(level === 'bash' ? { GIT_CONFIG_COUNT: '0' } : {}) },
      launcher: view && level !== 'bash' ? levels.launcher(level, view) : undefined,
    })
    // A killed process takes a turn on a processor.
    if (level !== 'bash' && attack.effect === 'stays') return !(await scene.isClear())
    return scene.worked(attack, output)
  }

  it(`work in bash alone: ${CHOSEN.length} of ${LEVEL_ATTACKS.length}`, async () => {
    const failed: string[] = []
    for (const attack of CHOSEN.filter(({ effect }) => effect !== 'stays'))
      if (!(await tried(attack, 'bash'))) failed.push(attack.line)
    if (LONG) console.log(`        ${failed.length} did not work:\n${failed.join('\n')}`)
    expect(failed.length, failed.join('\n')).to.be.at.most(Math.floor(CHOSEN.length * (1 - SHARE)))
  })

  it('leave processes behind in bash alone', async () => {
    for (const attack of CHOSEN.filter(({ effect }) => effect === 'stays')) {
      const bash = spawn('bash', ['-c', scene.text(attack.line)], { stdio: 'ignore', detached: true, cwd: scene.cwd })
      await once(bash, 'exit')
      expect(await scene.worked(attack, ''), attack.line).to.equal(true)
      await scene.end()
    }
  })

  it('are not let through by their text where nothing holds them', () => {
    const unwalled = policy({ execPreset: 'development', level: 'none', unwalled: 'ask', execApprovalMode: 'ask' })
    const through = LEVEL_ATTACKS.filter(({ line }) => evaluateCommand(scene.text(line), unwalled).verdict === 'allow')
    expect(through.map(({ line }) => line)).to.deep.equal([])
  })

  for (const [name, level, writable] of [
    ['wall, roots read-only', 'wall', false],
    ['wall, roots writable', 'wall', true],
    ['files', 'files', true],
    ['none', 'none', true],
  ] as const)
    it(`fail at level ${name}, where an ordinary command works`, async function () {
      const missing =
        levels.missing(level) ?? (level === 'none' && !levels.levels.reaper ? 'perl is missing' : undefined)
      if (missing !== undefined) skipBecause(this, missing)
      // Where nothing runs at all, nothing would work.
      expect(await tried(ORDINARY, level, writable), ORDINARY.line).to.equal(true)
      const worked: string[] = []
      for (const attack of CHOSEN) {
        if (level === 'files' && attack.notAtFiles !== undefined) continue
        // Nothing but their text keeps the others from working there.
        if (level === 'none' && !AT_NONE.has(attack.effect)) continue
        if (await tried(attack, level, writable)) worked.push(attack.line)
        await scene.end()
      }
      expect(worked).to.deep.equal([])
    })

  it('do the same for a user that is not root', async function () {
    const { code, said } = await asAnotherUser(this, SELF)
    expect(code, said.slice(-3000)).to.equal(0)
    expect(said).to.match(/[1-9]\d* passing/)
    if (LONG) console.log(said.replaceAll(/^/gm, '        '))
  })
})
