// The second wall: what a command sees, what outlives it, and when a run returns, with the sandbox and without it.
import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSandbox } from '../doctor.js'
import { runCommand, type RunOptions } from './run-command.js'
import { probeSandbox, type SandboxView } from './sandbox.js'
import { hostFolder, SECRET, type HostFolder } from '../test/host-folder.js'
import { ORIGIN, start, stopAll, until } from '../test/host.js'

describe('sandboxArguments', () => {
  let host: HostFolder
  let root: string
  let cwd: string
  let view: SandboxView

  before(async function () {
    if (!(await probeSandbox()).available) this.skip()
  })
  beforeEach(async () => {
    host = await hostFolder({ '.env.local': SECRET, 'workspace/plugins/x.js': 'old' })
    ;({ root, cwd } = host)
    view = await host.view()
  })
  afterEach(() => host.remove())

  const run = (command: string, more: Partial<RunOptions> = {}) =>
    runCommand(command, { cwd, limitMs: 8000, sandbox: view, ...more })

  it('lets a command work in its folder, and reports the sandbox', async () => {
    const result = await run('pwd; echo x > made; cat made; exit 3')
    expect(result).to.include({ exitCode: 3, output: `${cwd}\nx\n`, sandboxed: true, timedOut: false })
    expect(existsSync(join(cwd, 'made'))).to.equal(true)
  })

  it('hides data, configuration and variables of the host in every spelling', async () => {
    const { output } = await run(
      'cat ../data/* ../d*/h* ../mynah.config.yml ../.env* /proc/1/root/$PWD/../data/http-token; grep -rs . .. --include=.env --include=h*; ln -s ../data here; cat here/http-token; find .. -name http-token',
    )
    expect(output).to.not.contain(SECRET)
    expect(output).to.not.contain('data/http-token\n')
  })

  it('hides the environments of all other processes', async () => {
    process.env.PGPASSWORD = SECRET
    try {
      const { output } = await run(
        "cat /proc/$PPID/environ /proc/1/environ /proc/self/environ /proc/*/environ | tr '\\0' '\\n'; env; ps aux 2>/dev/null",
      )
      expect(output).to.not.contain(SECRET).and.not.contain('mocha')
      expect(output).to.contain('PATH=')
    } finally {
      delete process.env.PGPASSWORD
    }
  })

  it('prevents changes outside the folder and of plugins inside it', async () => {
    const { output } = await run(
      'echo new > plugins/x.js; echo x > ../made; echo x > /etc/made; echo x > ../data/made; ' +
        'rm -f ../mynah.config.yml; cat plugins/x.js',
    )
    expect(output)
      .to.contain('old')
      .and.match(/Read-only|Permission|denied/i)
    for (const path of [join(root, 'made'), join(root, 'data/made'), '/etc/made'])
      expect(existsSync(path), path).to.equal(false)
    expect(existsSync(join(root, 'mynah.config.yml'))).to.equal(true)
  })

  it('gives each command its own folder for temporary files', async () => {
    await run('echo x > /tmp/kept')
    const other = await mkdtemp(join(tmpdir(), 'mynah-of-others-'))
    try {
      expect((await run('cat /tmp/kept; ls /tmp')).output)
        .to.contain('x\n')
        .and.not.contain('of-others')
    } finally {
      await rm(other, { recursive: true })
    }
  })

  it('allows the network only where the view does', async () => {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`
      expect((await run(ask)).output).to.not.contain('reached')
      expect((await run(ask, { sandbox: { ...view, network: true } })).output).to.contain('reached')
    } finally {
      server.close()
    }
  })

  it('ends every process that a command started', async () => {
    const result = await run(
      'setsid bash -c "trap : TERM HUP; while :; do echo alive > beat; sleep 0.02; done" & disown -a; until [[ -e beat ]]; do sleep 0.01; done; echo done',
    )
    expect(result).to.include({ output: 'done\n', timedOut: false })
    await rm(join(cwd, 'beat'))
    // Two runs take longer than several beats.
    await run('sleep 0.1')
    expect(existsSync(join(cwd, 'beat'))).to.equal(false)
  })
})

/**
 * The second is measured where nothing else runs, by the long tests; elsewhere it must only be far from the 1,000 s of
 * the child.
 */
const SLACK = process.env.MYNAH_EXEC_LONG ? 1 : 15

describe('runCommand: limits', () => {
  let cwd: string
  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-return-')))
  })
  afterEach(() => rm(cwd, { recursive: true, force: true }))

  const ESCAPES = {
    'a session of its own': 'setsid sleep 1000 & sleep 0.2',
    'a session of its own that holds the output': 'setsid tail -f /dev/null & sleep 0.2',
    'an environment without the mark': 'env -i setsid /bin/sleep 1000 & sleep 0.2',
    'two forks and no parent': '(setsid sh -c "sleep 1000 & sleep 1000" &) ; sleep 0.2',
    'ears closed': "trap '' TERM; setsid bash -c 'trap \"\" TERM; sleep 1000' & while :; do sleep 1; done",
  }
  for (const [name, command] of Object.entries(ESCAPES)) {
    it(`ends its processes without a sandbox, next to a child with ${name}`, async () => {
      const began = performance.now()
      const result = await runCommand(command, { cwd, limitMs: 1000 })
      expect(performance.now() - began).to.be.below(4000 * SLACK)
      expect(result).to.deep.include({ sandboxed: false, leftovers: [] })
      expect(result.durationMs).to.be.below(2600 * SLACK)
    })
  }
})

describe('ExecService: sandbox', () => {
  afterEach(stopAll)

  it('is reported at the start, and hides the token of the console from every command', async function () {
    if (!(await probeSandbox()).available) this.skip()
    const running = await start({ config: { 'ai.agent.execSecurity': 'full' } })
    await until(() => running.log.some(({ message }) => message.includes('in a sandbox')), 'the log says so')
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
    expect(result?.sandboxed).to.equal(true)
  })

  it('runs in the folder `workspace` by default', async () => {
    const running = await start({ config: { 'ai.agent.execSandbox': 'off' } })
    const { result } = await running.exec.run('pwd', { origin: ORIGIN })
    expect(result?.output).to.match(/\/workspace\n$/)
    expect(result?.sandboxed).to.equal(false)
  })

  it('is reported by the doctor', async () => {
    const { available } = await probeSandbox()
    expect(await checkSandbox('auto', 'deny')).to.include({ state: 'ok' })
    expect(await checkSandbox('off', 'full')).to.include({ state: 'note' })
    expect(await checkSandbox('auto', 'full')).to.include({ state: available ? 'ok' : 'note' })
    expect(await checkSandbox('required', 'full')).to.include({ state: available ? 'ok' : 'mend' })
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
