// The runner: real bash, own process group, bounded time and output, scrubbed environment.
import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './run-command.js'
import { commandEnvironment } from './environment.js'
import { BoundedOutput } from './bounded-output.js'

/** Whether a process runs; one that has ended but was not yet collected does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'))
}

describe('runCommand', () => {
  let cwd: string
  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-run-')))
  })
  afterEach(() => rm(cwd, { recursive: true, force: true }))

  const run = (command: string, more: Partial<Parameters<typeof runCommand>[1]> = {}) =>
    runCommand(command, { cwd, limitMs: 8000, ...more })

  it('returns output of both streams, the exit code and the time', async () => {
    const result = await run('echo out; echo err >&2; exit 3')
    expect(result).to.include({ exitCode: 3, truncated: false, timedOut: false })
    expect(result.output.split('\n').sort()).to.deep.equal(['', 'err', 'out'])
    expect(result.durationMs).to.be.at.least(0)
  })

  it('fails alone where the host has no free descriptors', async () => {
    const script = [
      'const [runner, levels] = process.argv.slice(1)',
      'const { runCommand } = await import(runner)',
      'const { TestLevels } = await import(levels)',
      'const { openSync, closeSync } = await import("node:fs")',
      'const open = await TestLevels.open()',
      'const level = open.missing("wall") === undefined ? "wall" : "none"',
      'const failures = []',
      'for (let free = 2; free < 40; free += 2) {',
      '  const held = []',
      '  try { for (;;) held.push(openSync("/dev/null")) } catch {}',
      '  for (const one of held.splice(-free)) closeSync(one)',
      '  const launcher = open.launcher(level, await open.view({ cwd: process.cwd() }).catch(() => ({ roots: [] })))',
      '  await runCommand("true", { cwd: process.cwd(), launcher }).catch((error) => failures.push(error.message))',
      '  for (const one of held) closeSync(one)',
      '}',
      'console.log(failures.length > 0, (await runCommand("echo alive", { cwd: process.cwd() })).output)',
      'await open.close()',
    ].join('\n')
    const modules = ['./run-command.js', '../test/levels.js'].map((name) => new URL(name, import.meta.url).href)
    const command = `ulimit -n 80; exec '${process.execPath}' --input-type=module -e '${script}' ${modules.join(' ')}`
    const { output, exitCode } = await run(command, { limitMs: 60_000 })
    expect(exitCode, output).to.equal(0)
    expect(output).to.equal('true alive\n\n')
  })

  it('runs bash in its folder, without start-up files and standard input', async () => {
    const result = await run('[[ a == a ]] && pwd; read -r line; echo "$?:$line:$-"')
    expect(result.output.split('\n')[0]).to.equal(cwd)
    expect(result.output.split('\n')[1]).to.match(/^1::[^i]*$/)
  })

  it('keeps the beginning and the end of a long output', async () => {
    const result = await run('echo first; for ((i=0;i<20000;i++)); do echo "line $i"; done; echo last', {
      maxOutput: 1000,
    })
    expect(result.truncated).to.equal(true)
    expect(result.output)
      .to.match(/^first\nline 0\n/)
      .and.to.match(/line 19999\nlast\n$/)
    expect(result.output).to.contain('characters left out')
    expect(result.output.length).to.be.below(1100)
  })

  it('passes output on as it comes', async () => {
    let seen = ''
    const result = await run('printf "ü%.0s" {1..5000}', { onOutput: (text) => (seen += text) })
    expect(seen).to.equal('ü'.repeat(5000)).and.to.equal(result.output)
  })

  it('kills the whole group at the time limit, children included', async () => {
    const result = await run(`bash -c 'echo $$ > child; trap "" TERM; while :; do sleep 0.05; done' & wait`, {
      limitMs: 300,
    })
    expect(result).to.include({ timedOut: true, exitCode: null })
    expect(result.signal).to.be.oneOf(['SIGTERM', 'SIGKILL'])
    const pid = Number(await readFile(join(cwd, 'child'), 'utf8'))
    expect(isRunning(pid)).to.equal(false)
  })

  it('ends with the command, even with processes in the background', async () => {
    const result = await run('sleep 60 & echo started')
    expect(result).to.include({ exitCode: 0, output: 'started\n', timedOut: false })
  })

  it('stops when its signal aborts', async () => {
    const controller = new AbortController()
    const result = await run('echo ready; sleep 60', { signal: controller.signal, onOutput: () => controller.abort() })
    expect(result).to.include({ exitCode: null, timedOut: false })
    expect((await run('touch made; sleep 60', { signal: AbortSignal.abort() })).exitCode).to.equal(null)
    expect(existsSync(join(cwd, 'never'))).to.equal(false)
  })

  it('reports that it could not start', async () => {
    let problem: unknown
    try {
      await run('ls', { cwd: join(cwd, 'missing') })
    } catch (error) {
      problem = error
    }
    expect(problem).to.be.an('error').with.property('message', 'failed to start bash')
  })

  it('hides secrets and hooks of the host from the command', async () => {
    const names = ['MYNAH_TEST_TOKEN', 'SOME_API_KEY', 'NODE_OPTIONS', 'BASH_ENV', 'LD_PRELOAD']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name === 'NODE_OPTIONS' ? '' : '/nonexistent'
    try {
      const result = await run('env; echo "$EXTRA"', { env: { EXTRA: 'given' } })
      for (const name of names) expect(result.output).not.to.match(new RegExp(`^${name}=`, 'm'))
      expect(result.output)
        .to.match(/^PATH=/m)
        .and.to.match(/given\n$/)
    } finally {
      names.forEach((name, i) => {
        const value = before[i]
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      })
    }
  })

  it('passes the variables of a list, and those that the owner adds', () => {
    const secret = Object.fromEntries(
      [
        'HTTP_TOKEN',
        'PGPASSWORD',
        'SSHPASS',
        'GITHUB_PAT',
        'SENTRY_DSN',
        'SSH_AUTH_SOCK',
        'DATABASE_URL',
        'GIT_DIR',
        'KEYBOARD',
        'BASH_ENV',
        'LD_PRELOAD',
        'BASH_FUNC_ls%%',
      ].map((name) => [name, 'x']),
    )
    const env = commandEnvironment(
      {
        ...secret,
        HOME: '/h',
        PATH: '/b',
        LANG: 'C',
        LC_ALL: 'C',
        TERM: 'dumb',
        TZ: 'UTC',
        TMPDIR: '/t',
        USER: 'u',
        SHELL: '/bin/sh',
      },
      ['KEYBOARD', 'LD_PRELOAD', 'HTTP_TOKEN'],
    )
    const { EDITOR, VISUAL, ...given } = env
    const { GIT_PAGER: pager, ...rest } = Object.fromEntries(
      Object.entries(given).filter(([key]) => !/^GIT_(?:CONFIG|EDITOR|SEQUENCE)/.test(key)),
    )
    expect([EDITOR, VISUAL, env.GIT_EDITOR, env.GIT_SEQUENCE_EDITOR]).to.deep.equal(['true', 'true', 'true', 'true'])
    expect(pager).to.equal('cat')
    expect(rest).to.deep.equal({
      HOME: '/h',
      PATH: '/b',
      LANG: 'C',
      LC_ALL: 'C',
      TERM: 'dumb',
      TZ: 'UTC',
      TMPDIR: '/t',
      USER: 'u',
      SHELL: '/bin/sh',
      KEYBOARD: 'x',
      PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
    })
  })

  it('keeps all of an output that fits', () => {
    const output = new BoundedOutput(10)
    for (const char of 'abcdefghij') output.add(char)
    expect([output.toString(), output.truncated]).to.deep.equal(['abcdefghij', false])
    output.add('k')
    expect(output.truncated).to.equal(true)
    expect(output.toString()).to.equal('abcde\n[… 1 characters left out …]\nghijk')
  })
})
