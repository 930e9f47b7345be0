// A process that the host started may not answer for the owner, and a request whose asker has gone ends.
import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { ORIGIN, ending, start, stopAll, until, type Running } from './test/host.js'
import { findProgram } from './view/tools.js'

/** Returns code that posts `body` to the console. */
const postTo = ({ origin, token }: Running): string => `fetch('${origin}/api/console/request', {
  method: 'POST',
  headers: { authorization: 'Bearer ${token}', 'content-type': 'application/json' },
  body,
})`

/** Sends a request to the console from a process of its own, and gives what it was answered. */
async function fromChild(
  running: Running,
  body: Record<string, unknown>,
): Promise<{ success: boolean; code?: string }> {
  const script = `
    const body = ${JSON.stringify(JSON.stringify(body))}
    ${postTo(running)}.then(async (response) => console.log(await response.text()))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(child, 'close')
  return JSON.parse(text) as { success: boolean; code?: string }
}

describe('requests of commands', () => {
  let running: Running
  afterEach(stopAll)

  it('refuses answers of a process that the host started, and names token and process in the audit', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'Linux only')
    running = await start()
    const { approvalId: id = '' } = await running.exec.request('make all', { origin: ORIGIN })
    const where = { adapter: 'sandbox', endpointId: 'bot' }
    for (const body of [
      { type: 'exec:answer', id, approve: true },
      { type: 'exec:rule-add', ...where, pattern: '.*' },
      { type: 'exec:revoke', ...where },
      { type: 'exec:rule-remove', ...where, id: '12345678' },
    ]) {
      expect(await fromChild(running, body), body.type).to.include({ success: false, code: 'forbidden:descendant' })
    }
    // Looking is not deciding.
    expect(await fromChild(running, { type: 'exec:pending' })).to.include({ success: true })
    expect(
      (await running.exec.audit()).filter(({ rule }) => /^console:\S+ refused to process \d+$/.test(rule)),
    ).to.have.lengthOf(4)
    expect((await running.rpc('exec:pending')).data).to.have.nested.property('pending[0].id', id)
    // The owner, who is no child of the host, still may.
    expect((await running.rpc('exec:answer', { id, approve: true })).success).to.equal(true)
  })

  it('refuses every request of a command that changes something, and records it', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'Linux only')
    // At level wall there is no way to the host.
    running = await start({ config: { 'ai.agent.execSecurity': 'full', 'ai.agent.execSandbox': 'off' } })
    const bodies = ['/approve always bash', '/approve rule .*'].map((content) =>
      JSON.stringify({
        type: 'sandbox:send',
        data: {
          endpointId: 'bot',
          channel: { type: 'private', id: 'ann' },
          sender: { id: 'ann', name: 'ann' },
          content,
        },
      }),
    )
    const script = `for (const body of ${JSON.stringify(bodies)}) console.log((await ${postTo(running)}).status)`
    await writeFile(join(running.work, 'speak.mjs'), script)
    // The address is in a file, so the text of the command does not show it.
    const { result } = await running.exec.run('node speak.mjs', { origin: ORIGIN, cwd: running.work, limitMs: 10_000 })
    expect(result?.output).to.equal('403\n403\n')
    const refused = (await running.exec.audit()).filter(({ kind }) => kind === 'refused')
    expect(refused.map(({ verdict }) => verdict)).to.deep.equal(['deny', 'deny'])
    for (const { rule } of refused) expect(rule).to.match(/^console:\S+ refused to (?:process \d+|a process)/)
    expect((await running.rpc('exec:standing')).data).to.deep.equal({ endpoints: [] })
  })

  it('refuses a process that has left its command, its session and its environment', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'Linux only')
    running = await start({ config: { 'ai.agent.execSecurity': 'full', 'ai.agent.execSandbox': 'off' } })
    const body = JSON.stringify({ type: 'exec:revoke', adapter: 'sandbox', endpointId: 'bot' })
    const answer = join(running.work, 'answer')
    const script = `
      import { writeFileSync, renameSync } from 'node:fs'
      // Its command has ended by then.
      await new Promise((resolve) => setTimeout(resolve, 500))
      const body = ${JSON.stringify(body)}
      const { status } = await ${postTo(running)}
      writeFileSync('${answer}.new', String(status))
      renameSync('${answer}.new', '${answer}')`
    await writeFile(join(running.work, 'leave.mjs'), script)
    const command = `env -i setsid ${process.execPath} leave.mjs </dev/null >/dev/null 2>&1 & sleep 0.3`
    // With perl, nothing outlives its command.
    const path = process.env.PATH
    process.env.PATH = await programs(join(running.home, 'bin'), ['bash', 'env', 'setsid', 'sleep'])
    try {
      const { result } = await running.exec.run(command, { origin: ORIGIN, cwd: running.work, limitMs: 10_000 })
      expect(result?.exitCode, result?.output).to.equal(0)
    } finally {
      process.env.PATH = path
    }
    await until(() => existsSync(answer), 'it was answered')
    expect(await readFile(answer, 'utf8')).to.equal('403')
  })

  it('refuses a process that hides its descriptors', async function () {
    const perl = await findProgram('perl')
    if (perl === undefined) skipBecause(this, 'perl is not installed')
    const number = { x64: 157, arm64: 167 }[process.arch as string]
    if (process.platform !== 'linux' || number === undefined) skipBecause(this, 'the number of prctl is not known')
    running = await start({ config: { 'ai.agent.execSecurity': 'full', 'ai.agent.execSandbox': 'off' } })
    const body = JSON.stringify({ type: 'exec:allow', addition: { kind: 'host', host: 'evil.example' } })
    const { port } = new URL(running.origin)
    const head = [
      'POST /api/console/request HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      `authorization: Bearer ${running.token}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'connection: close',
    ]
    await writeFile(join(running.work, 'request'), `${head.join('\r\n')}\r\n\r\n${body}`)
    // PR_SET_DUMPABLE: a host that is not root cannot read its descriptors any more.
    const script = [
      `use Socket; syscall(${number}, 4, 0, 0, 0, 0);`,
      `socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in(${port}, INADDR_LOOPBACK)) or die $!;`,
      'open F, "<", "request"; local $/; syswrite S, <F>; print <S>;',
    ].join('\n')
    await writeFile(join(running.work, 'hide.pl'), script)
    const { result } = await running.exec.run('perl hide.pl', { origin: ORIGIN, cwd: running.work, limitMs: 30_000 })
    expect(result?.output).to.match(/^HTTP\/1\.1 403 /)
    await until(async () => (await running.exec.audit()).some(({ kind }) => kind === 'refused'), 'the audit has it')
  })

  it('denies commands that would reach the host itself, even if the owner approves', async () => {
    running = await start({ config: { 'ai.agent.execPreset': 'development' } })
    const port = new URL(running.origin).port
    for (const command of [
      `curl http://127.0.0.1:${port}/api`,
      `curl localhost:${port}`,
      `node -e "fetch('http://localhost:${port}')"`,
      `nc 127.0.0.1 ${port}`,
    ]) {
      expect((await running.exec.request(command, { origin: ORIGIN })).verdict, command).to.equal('deny')
    }
    expect((await running.exec.request('curl http://127.0.0.1:1/', { origin: ORIGIN })).verdict).to.equal('allow')
  })

  it('ends pending and approved requests when they are withdrawn', async () => {
    running = await start()
    const { approvalId: id = '' } = await running.exec.request('make all', { origin: ORIGIN })
    const waiting = running.approvals.wait(id)
    await running.approvals.withdraw(id)
    expect(await waiting).to.equal('withdrawn')
    expect((await running.rpc('exec:answer', { id, approve: true })).code).to.equal('conflict')
    expect(await running.say(`/approve ${id}`)).to.contain('withdrawn')
    const { approvalId: second = '' } = await running.exec.request('make all', { origin: ORIGIN })
    expect(second).to.not.equal(id)
    await running.say(`/approve ${second}`)
    await running.approvals.withdraw(second)
    // The owner approved for a turn that is gone: the same text waits again.
    expect((await running.exec.request('make all', { origin: ORIGIN })).verdict).to.equal('ask')
    await running.approvals.withdraw('unknown')
  })

  it('does not cover other kinds of requests by permanent approvals for shell', async () => {
    running = await start()
    const request = {
      kind: 'home',
      title: 'Unlock\nthe front door',
      text: '{"lock":"front"}',
      origin: ORIGIN,
      reason: 'a lock',
    } as const
    const { id, title } = await running.approvals.request(request)
    expect(title).to.equal('Unlock the front door')
    expect((await running.approvals.request(request)).id, 'waits once').to.equal(id)
    await running.say('/approve always bash')
    expect((await running.approvals.pending()).map((found) => found.id)).to.deep.equal([id])
    expect(await running.approvals.use('home', request.text, ORIGIN)).to.equal(false)
    expect((await running.heard())[0])
      .to.contain('Unlock the front door')
      .and.contain('a lock')
    await running.say(`/approve ${id}`)
    expect(await running.approvals.use('skill', request.text, ORIGIN)).to.equal(false)
    expect(await running.approvals.use('home', request.text, { ...ORIGIN, user: 'mallory' })).to.equal(false)
    expect(await running.approvals.use('home', request.text, ORIGIN)).to.equal(true)
    expect(await running.approvals.use('home', request.text, ORIGIN), 'once').to.equal(false)
    expect(await ending(running.approvals.decide(id, true, 'test'))).to.equal('conflict')
    expect(await ending(running.approvals.decide('unknown', true, 'test'))).to.equal('not_found')
  })
})

/** Makes a folder with some programs of this machine. */
async function programs(folder: string, names: readonly string[]): Promise<string> {
  await mkdir(folder)
  for (const name of names) await symlink((await findProgram(name)) as string, join(folder, name))
  return folder
}
