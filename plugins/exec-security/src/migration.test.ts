// A host with a configuration of before the levels: what changes for it is told once, and by the doctor.
import { expect } from 'chai'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogRecord } from '@mynah/kernel'
import { checkSandbox } from './doctor.js'
import { newHome, start, stopAll, until } from './test/host.js'
import { findProgram } from './view/tools.js'

/** As it was written before there were levels. */
const BEFORE = {
  'ai.agent.execUnwalled': 'ask',
  'ai.agent.execPreset': 'development',
  'ai.agent.execAllowlist': ['make'],
} as const
const { PATH = '' } = process.env

describe('tellMigration', function () {
  this.timeout(60_000)
  afterEach(async () => {
    process.env.PATH = PATH
    await stopAll()
  })

  const told = (log: readonly LogRecord[]) => log.filter(({ message }) => message.startsWith('new: '))
  const probed = (log: readonly LogRecord[]) =>
    until(() => log.some(({ message }) => /at level|execSandbox is required/.test(message)), 'the level is logged')

  /** Leaves bash and perl, as in many containers. */
  async function withoutBwrap(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-few-'))
    for (const name of ['bash', 'perl']) {
      const found = await findProgram(name, PATH)
      if (found !== undefined) await symlink(found, join(folder, name))
    }
    process.env.PATH = folder
    return folder
  }

  for (const [name, few] of [
    ['with what works here', false],
    ['without bwrap', true],
  ] as const)
    it(`tells at the first start what changes, and not again: ${name}`, async () => {
      const folder = few ? await withoutBwrap() : undefined
      const home = await newHome()
      await mkdir(join(home, 'data'))
      const first = await start({ home, config: BEFORE })
      await probed(first.log)
      await until(() => told(first.log).length > 0, 'the owner is told')
      const { level } = await first.exec.level()
      const keys = level === 'wall' ? ['execView.home', 'execView', 'execHosts', 'execNetwork'] : ['execUnwalled: text']
      for (const key of keys) expect(told(first.log)[0]?.message).to.contain(key)
      expect(told(first.log)[0]?.level).to.equal('warn')
      await first.halt()
      const second = await start({ home, config: BEFORE })
      await probed(second.log)
      await second.exec.run('ls', { origin: {} })
      expect(told(second.log)).to.deep.equal([])
      if (folder !== undefined) await rm(folder, { recursive: true })
    })

  it('tells nothing to a host whose commands are forbidden or held by nothing as before', async () => {
    for (const config of [{ 'ai.agent.execSecurity': 'deny' }, { ...BEFORE, 'ai.agent.execSandbox': 'off' }]) {
      const home = await newHome()
      await mkdir(join(home, 'data'))
      const { log, exec, halt } = await start({ home, config })
      await exec.run('ls', { origin: {} })
      expect(told(log)).to.deep.equal([])
      await halt()
    }
  })

  it('is repeated by the doctor: what the level changes, and what undoes it', async () => {
    const folder = await withoutBwrap()
    const found = async (settings: object) =>
      (await checkSandbox({ execSecurity: 'allowlist', ...settings })).map(({ state, text }) => `${state} ${text}`)
    const before = await found({})
    expect(before[0]).to.match(/^note level (?:files|none): .*bwrap is not installed/)
    expect(before[1]).to.match(/^note at level (?:files|none), listed commands are asked about unless/)
    const undone = await found({ execUnwalled: 'text' })
    expect(undone[1]).to.match(/^mend execUnwalled is text/)
    process.env.PATH = PATH
    await rm(folder, { recursive: true })
    const [here] = await found({})
    if (here?.startsWith('ok')) expect(here).to.contain('execView.home').and.contain('execHosts')
  })
})
