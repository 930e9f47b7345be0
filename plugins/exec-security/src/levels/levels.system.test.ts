// The levels as the service reports them, and its answers without a required one.
import { expect } from 'chai'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { checkSandbox, type ExecSettings } from '../doctor.js'
import { SECRET } from '../test/host-folder.js'
import { ORIGIN, start, stopAll, until } from '../test/host.js'
import { TestLevels } from '../test/levels.js'

/** The level of this machine. */
async function probed(): Promise<string> {
  const levels = await TestLevels.open()
  await levels.close()
  return levels.levels.best
}

describe('ExecService: levels', () => {
  afterEach(stopAll)

  it('are reported at the start, and hide the token of the console from every command', async function () {
    const running = await start({ config: { 'ai.agent.execSecurity': 'full' } })
    if ((await running.exec.level()).level !== 'wall') skipBecause(this, 'level wall does not work here')
    await until(() => running.log.some(({ message }) => message.includes('at level wall')), 'the log says so')
    await mkdir(running.data, { recursive: true })
    await writeFile(join(running.data, 'http-token'), SECRET)
    const options = { origin: ORIGIN, cwd: running.home, limitMs: 8000 }
    expect((await running.exec.run('cat data/http-token', options)).verdict).to.equal('deny')
    // A path that is only known at run time passes the policy and finds nothing.
    const { result } = await running.exec.run(
      'x=$(echo ZGF0YS9odHRwLXRva2Vu | base64 -d); cat "$x"; echo "$x"',
      options,
    )
    expect(result?.output).to.contain('data/http-token').and.not.contain(SECRET)
    expect(result?.level).to.equal('wall')
  })

  it('runs in the folder `workspace` by default', async () => {
    const running = await start({ config: { 'ai.agent.execSandbox': 'off' } })
    const { result } = await running.exec.run('pwd', { origin: ORIGIN })
    expect(result?.output).to.match(/\/workspace\n$/)
    expect(result?.level).to.equal('none')
  })

  it('are reported by the doctor', async () => {
    const works = (await probed()) === 'wall'
    const states = async (settings: ExecSettings) => (await checkSandbox(settings)).map(({ state }) => state)[0]
    expect(await states({ execSandbox: 'auto', execSecurity: 'deny' })).to.equal('ok')
    expect(await states({ execSandbox: 'off', execSecurity: 'full' })).to.equal('note')
    expect(await states({ execSecurity: 'full' })).to.equal(works ? 'ok' : 'note')
    expect(await states({ execSandbox: 'required', execSecurity: 'full' })).to.equal(works ? 'ok' : 'mend')
    const unwalled = { execSandbox: 'off', execSecurity: 'allowlist', execUnwalled: 'text' }
    expect((await checkSandbox(unwalled)).map(({ state }) => state)).to.deep.equal(['note', 'mend'])
  })

  it('refuses every command if the sandbox is required and does not work', async () => {
    const path = process.env.PATH
    const running = await start({ config: { 'ai.agent.execSandbox': 'required', 'ai.agent.execSecurity': 'deny' } })
    process.env.PATH = '/nowhere'
    try {
      await running.configure({ 'ai.agent.execSecurity': 'full', 'ai.agent.execSandbox': 'required' })
      const answer = await running.exec.run('pwd', { origin: ORIGIN, cwd: running.home })
      expect(answer.verdict).to.equal('deny')
      expect(answer.decision.reason).to.contain('bwrap is not installed')
    } finally {
      process.env.PATH = path
    }
  })
})
