// Attacks on the kernel and on the machine: system calls, descriptors, memory, processes, files, and many at once.
import { expect } from 'chai'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause, until } from '@mynah/kernel/testing'
import { DEFAULT_LIMITS, type ExecLimits } from '../limits/limits.js'
import { hostRule, type HostRule } from '../proxy/host-rules.js'
import { RunProxy } from '../proxy/run-proxy.js'
import { runCommand } from '../run/run-command.js'
import { asAnotherUser } from '../test/another-user.js'
import { TestLevels } from '../test/levels.js'
import { cases, LONG } from '../test/long.js'
import { findProgram } from '../view/tools.js'

const SELF = new URL(import.meta.url).pathname
const [EPERM, ENOSYS] = [1, 38]
/** System calls of x64 by name: their number with arguments, and the error at level `wall`. */
const CALLS = {
  ptrace: ['101, 0, 0, 0, 0', EPERM],
  process_vm_readv: ['310, $$, 0, 0, 0, 0, 0', EPERM],
  keyctl: ['250, 0, -4, 0', EPERM],
  mount: ['165, 0, 0, 0, 0, 0', EPERM],
  fsopen: ['430, 0, 0', EPERM],
  setns: ['308, 99, 0', EPERM],
  unshare: ['272, 0', EPERM],
  userfaultfd: ['323, 1', EPERM],
  io_uring_setup: ['425, 0, 0', EPERM],
  bpf: ['321, 99, 0, 0', EPERM],
  perf_event_open: ['298, 0, 0, 0, 0, 0', EPERM],
  open_by_handle_at: ['304, 99, 0, 0', EPERM],
  pidfd_getfd: ['438, 99, 0, 0', EPERM],
  kcmp: ['312, $$, $$, 99, 0, 0', EPERM],
  TIOCSTI: ['16, 0, 0x5412, 0', EPERM],
  TIOCLINUX: ['16, 0, 0x541c, 0', EPERM],
  clone3: ['435, 0, 0', ENOSYS],
  'socket of packets': ['41, 17, 3, 0', EPERM],
  'socket of another family': ['41, 38, 5, 0', EPERM],
} as const

describe(`attacks on the kernel, as ${process.getuid?.() === 0 ? 'root' : 'another user'}`, function () {
  this.timeout(600_000)
  let levels: TestLevels
  let cwd: string

  before(async function () {
    levels = await TestLevels.open()
    const missing = levels.missing('wall')
    if (missing !== undefined) skipBecause(this, missing)
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-kernel-')))
  })
  after(async () => {
    await levels.close()
    if (cwd !== undefined) await rm(cwd, { recursive: true, force: true })
  })

  async function run(command: string, limits: Partial<ExecLimits> = {}, limitMs = 60_000) {
    const launcher = levels.launcher('wall', await levels.view({ cwd }), { ...DEFAULT_LIMITS, ...limits })
    return runCommand(command, { cwd, limitMs, launcher })
  }
  const needs = async (context: Mocha.Context, ...programs: readonly string[]): Promise<void> => {
    for (const name of programs)
      if ((await findProgram(name)) === undefined) skipBecause(context, `${name} is not installed`)
  }

  it('reach no system call that leaves a view, though they do in bash alone', async function () {
    if (process.arch !== 'x64') skipBecause(this, 'the numbers are those of x64')
    await needs(this, 'perl')
    const asked = Object.entries(CALLS).map(
      ([name, [args]]) => `$! = 0; syscall(${args}) >= 0 ? print "${name}: 0\\n" : print "${name}: ", $! + 0, "\\n";`,
    )
    // Each in a process of its own, since some of them change it.
    const command = asked.map((code) => `perl -e '${code}' </dev/null`).join('\n')
    const errors = (output: string) =>
      Object.fromEntries([...output.matchAll(/^(.+): (\d+)$/gm)].map(([, name, number]) => [name, Number(number)]))
    const bare = errors((await runCommand(command, { cwd, limitMs: 60_000 })).output)
    const held = errors((await run(command)).output)
    expect(held).to.deep.equal(Object.fromEntries(Object.entries(CALLS).map(([name, [, error]]) => [name, error])))
    const same = Object.keys(CALLS).filter((name) => bare[name] === held[name])
    // Other containers and kernels refuse some of them to everybody.
    expect(same.length, same.join(', ')).to.be.below(Object.keys(CALLS).length / 2)
    const second = `perl -e '$! = 0; print syscall(0x40000000 + 39) >= 0 ? 0 : $! + 0'`
    expect((await run(second)).output, 'the second table of x64').to.equal(String(ENOSYS))
  })

  it('do not reach into the first process of their namespace, which has no filter', async () => {
    const shown = 'for f in mem environ exe root/etc/hostname fd/0; do [ -e /proc/1/$f ] && echo $f; done; echo end'
    expect((await run(shown)).output).to.equal('end\n')
  })

  it('hand no descriptor to the host through the proxy', async function () {
    await needs(this, 'python3')
    const server: Server = createServer((_asked, response) => response.end('reached'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const proxy = await RunProxy.open(levels.run.socket(), [hostRule('a.example') as HostRule], {
      addresses: () => Promise.resolve(['93.184.215.14']),
      dial: () => connect({ host: '127.0.0.1', port }),
      own: () => [],
    })
    try {
      await writeFile(join(cwd, 'handed'), 'x')
      const script = [
        'import socket, array, os',
        'fds = array.array("i", [os.open("handed", os.O_RDONLY) for _ in range(50)])',
        's = socket.socket(socket.AF_UNIX); s.connect("/run/mynah.sock")',
        'text = b"GET http://a.example/ HTTP/1.1\\r\\nhost: a.example\\r\\nconnection: close\\r\\n\\r\\n"',
        's.sendmsg([text], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])',
        'out = b""',
        'while True:',
        '  part, given, _, _ = s.recvmsg(65536, 4096)',
        '  assert not given',
        '  if not part: break',
        '  out += part',
        'print(out.decode()[-7:])',
      ].join('\n')
      await writeFile(join(cwd, 'hand.py'), script)
      const launcher = levels.launcher('wall', await levels.view({ cwd, socket: proxy.path }))
      const { output } = await runCommand('python3 hand.py', { cwd, limitMs: 60_000, launcher })
      expect(output).to.equal('reached\n')
      const held = await Promise.all(
        (await readdir('/proc/self/fd')).map((name) => realpath(`/proc/self/fd/${name}`).catch(() => '')),
      )
      expect(held.filter((path) => path.endsWith('/handed'))).to.deep.equal([])
    } finally {
      await proxy.close()
      server.close()
    }
  })

  it('get no more memory and no larger file than their limits, though they do in bash alone', async function () {
    await needs(this, 'python3')
    const memory = `python3 -c 'print(len(bytearray(200 << 20)))' 2>&1 | tail -1`
    const file = 'head -c 3000000 /dev/zero > big; stat -c %s big'
    const bare = (await runCommand(`${memory}; ${file}`, { cwd })).output
    expect(bare).to.equal(`${200 << 20}\n3000000\n`)
    await rm(join(cwd, 'big'))
    const { output } = await run(`${memory}; ${file}`, { memoryMb: 100, fileMb: 1 })
    expect(output)
      .to.match(/^MemoryError$/m)
      .and.match(/^1048576$/m)
    expect((await stat(join(cwd, 'big'))).size).to.equal(1024 * 1024)
  })

  it('leave no process of a fork bomb when the run ends', async () => {
    const tag = `7${process.pid}.${Date.now() % 1e6}`
    const bomb = `for i in {1..200}; do (setsid sleep ${tag} & sleep ${tag}) & done; sleep ${tag}`
    const { timedOut } = await run(bomb, { processes: 64 }, 3000)
    // A user that is not root gets no processes any more, and root is ended by the limit of time.
    if (process.getuid?.() === 0) expect(timedOut).to.equal(true)
    await until(async () => (await sleeping(tag)) === 0, 'nothing of it sleeps')
  })

  it(`run ${cases(24, 200)} at once and leave nothing`, async () => {
    const tag = `8${process.pid}.${Date.now() % 1e6}`
    const results = await Promise.all(
      Array.from({ length: cases(24, 200) }, (_, i) =>
        run(`setsid sleep ${tag} & echo ${i} > /tmp/x${i}; cat /tmp/x${i}`, {}, 300_000),
      ),
    )
    expect(results.map(({ output }) => output)).to.deep.equal(results.map((_, i) => `${i}\n`))
    await until(async () => (await sleeping(tag)) === 0, 'nothing of them sleeps')
    const groups = (await readdir(levels.run.path)).filter((name) => name.endsWith('.sock'))
    expect(groups).to.deep.equal([])
  })

  it('do the same for a user that is not root', async function () {
    const { code, said } = await asAnotherUser(this, SELF)
    expect(code, said.slice(-3000)).to.equal(0)
    expect(said).to.match(/[1-9]\d* passing/)
    if (LONG) console.log(said.replaceAll(/^/gm, '        '))
  })

  it('start nothing by a bwrap that is replaced or broken after the probe', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-replaced-'))
    const { PATH = '' } = process.env
    const secret = join(folder, 'secret')
    try {
      await writeFile(secret, 'canary')
      await mkdir(join(folder, 'bin'))
      const fake = join(folder, 'bin/bwrap')
      await writeFile(fake, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n')
      await chmod(fake, 0o755)
      process.env.PATH = `${join(folder, 'bin')}:${PATH}`
      expect((await run(`cat ${secret}`)).output, 'another one on PATH').to.not.contain('canary')
      const { wall } = levels.levels
      if (!wall) throw new Error('level wall does not work here')
      await writeFile(fake, '#!/bin/sh\necho "bwrap: failed" >&2; exit 1\n')
      const view = await levels.view({ cwd })
      const broken = levels.wall(view, { tools: { ...wall, bwrap: fake } })
      const failing = await runCommand('touch made', { cwd, launcher: broken })
      expect(failing).to.deep.include({ exitCode: 1, output: 'bwrap: failed\n' })
      const gone = levels.wall(view, { tools: { ...wall, bwrap: join(folder, 'gone') } })
      // As root, another program starts it.
      const refused = await runCommand('touch made', { cwd, launcher: gone }).then(
        ({ exitCode }) => exitCode,
        (error: Error) => error.message,
      )
      expect(refused).to.be.oneOf(['failed to start bash', 125])
      expect(await readdir(cwd)).to.not.include('made')
    } finally {
      process.env.PATH = PATH
      await rm(folder, { recursive: true, force: true })
    }
  })
})

async function sleeping(tag: string): Promise<number> {
  let found = 0
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const args = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (args[0] === 'sleep' && args.includes(tag)) found++
  }
  return found
}
