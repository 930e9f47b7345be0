// The levels as the service reports them, and its answers without a required one.
import { expect } from 'chai'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { checkSandbox, type ExecSettings } from '../doctor.js'
import { SECRET } from '../test/host-folder.js'
import { newHome, ORIGIN, start, stopAll, until } from '../test/host.js'
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
    const options = { origin: ORIGIN, cwd: running.work, limitMs: 8000 }
    expect((await running.exec.run('cat ../data/http-token', options)).verdict).to.equal('deny')
    // A path that is only known at run time passes the policy and finds nothing.
    const { result } = await running.exec.run(
      'x=$(echo Li4vZGF0YS9odHRwLXRva2Vu | base64 -d); cat "$x"; echo "$x"',
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

  it('stay as they were on a machine that is hindered: only what provably reads runs, until the owner decides', async () => {
    const home = await newHome()
    const [data, workspace, taken] = ['data', 'workspace', 'taken'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ]
    for (const folder of [data, workspace]) await mkdir(folder)
    await writeFile(join(data, 'exec-level'), 'wall\n')
    await writeFile(join(workspace, 'a.txt'), 'words')
    // The place for the files of commands cannot be made.
    await writeFile(taken, '')
    const before = process.env.XDG_RUNTIME_DIR
    process.env.XDG_RUNTIME_DIR = taken
    try {
      const config = { 'ai.agent.execSecurity': 'full', 'ai.agent.execUnwalled': 'text' }
      const running = await start({ home, config })
      const run = (command: string) => running.exec.run(command, { origin: ORIGIN, limitMs: 8000 })
      for (const command of ['touch made', 'cat /etc/hostname', 'cat ../data/http-token', 'grep -r x .']) {
        const { verdict, decision } = await run(command)
        expect(verdict, command).to.equal('deny')
        expect(decision.reason, command).to.match(/held at level wall and now .* none .*execLevel to none|decide|host/)
      }
      expect((await run('cat a.txt')).result?.output).to.equal('words')
      await running.configure({ ...config, 'ai.agent.execLevel': 'none' })
      expect((await run('touch made')).verdict).to.equal('allow')
    } finally {
      if (before === undefined) delete process.env.XDG_RUNTIME_DIR
      else process.env.XDG_RUNTIME_DIR = before
    }
  })

  it('refuses every command if the sandbox is required and does not work', async () => {
    const path = process.env.PATH
    const running = await start({ config: { 'ai.agent.execSandbox': 'required', 'ai.agent.execSecurity': 'deny' } })
    process.env.PATH = '/nowhere'
    try {
      await running.configure({ 'ai.agent.execSecurity': 'full', 'ai.agent.execSandbox': 'required' })
      const answer = await running.exec.run('pwd', { origin: ORIGIN, cwd: running.work })
      expect(answer.verdict).to.equal('deny')
      expect(answer.decision.reason).to.contain('bwrap is not installed')
    } finally {
      process.env.PATH = path
    }
  })
})
