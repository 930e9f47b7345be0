// The files that a command sees and may change at level `wall`, and the end of its processes.
import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '@mynah/kernel'
import { skipBecause } from '@mynah/kernel/testing'
import type { ViewRequest } from './host-view.js'
import { viewArguments } from './view-arguments.js'
import { runCommand } from '../run/run-command.js'
import { hostFolder, SECRET, type HostFolder } from '../test/host-folder.js'
import { ViewLauncher } from '../levels/view-launcher.js'
import { DEFAULT_LIMITS } from '../limits/limits.js'
import { TestLevels } from '../test/levels.js'

describe('viewArguments', () => {
  let levels: TestLevels
  let host: HostFolder
  let root: string
  let cwd: string

  before(async function () {
    levels = await TestLevels.open()
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
  })
  after(() => levels.close())
  beforeEach(async () => {
    host = await hostFolder({ '.env.local': SECRET, 'workspace/plugins/x.js': 'old' })
    ;({ root, cwd } = host)
  })
  afterEach(() => host.remove())

  const run = async (command: string, more: Partial<ViewRequest> = {}) => {
    const launcher = levels.launcher('wall', await levels.view({ cwd, paths: host.paths, ...more }))
    return runCommand(command, { cwd, limitMs: 8000, launcher })
  }

  it('lets a command work in its folder, and reports the level', async () => {
    const result = await run('pwd; echo x > made; cat made; exit 3')
    expect(result).to.include({ exitCode: 3, output: `${cwd}\nx\n`, level: 'wall', timedOut: false })
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

  it('prevents changes outside the folder', async () => {
    const { output } = await run(
      'echo x > ../made; echo x > /etc/made; echo x > ../data/made; rm -f ../mynah.config.yml; echo end',
    )
    expect(output)
      .to.contain('end')
      .and.match(/Read-only|Permission|denied/i)
    for (const path of [join(root, 'made'), join(root, 'data/made'), '/etc/made'])
      expect(existsSync(path), path).to.equal(false)
    expect(existsSync(join(root, 'mynah.config.yml'))).to.equal(true)
  })

  it('is made for no folder that decides over the host, holds such files or lies in one', async () => {
    await mkdir(join(root, 'plugins/mine'), { recursive: true })
    for (const folder of [root, host.paths.data, join(root, 'plugins'), join(root, 'plugins/mine')])
      expect(await run('true', { cwd: folder }).catch(messageOf), folder).to.match(/decides? over this host/)
  })

  it('passes over folders of programs that the user of the host may not reach', async () => {
    const closed = join(root, 'closed')
    await mkdir(join(closed, 'bin'), { recursive: true })
    await chmod(closed, 0)
    const view = await levels.view({ cwd, paths: host.paths })
    const args = await viewArguments({ ...view, tools: [join(closed, 'bin'), join(root, 'absent')] })
    // Root may reach everything.
    expect(args.includes(join(closed, 'bin'))).to.equal(process.getuid?.() === 0)
    expect(args).to.not.include(join(root, 'absent'))
    await chmod(closed, 0o700)
  })

  it('changes nothing in a root that is only shown', async () => {
    await writeFile(join(cwd, 'kept'), 'old')
    const { output } = await run('echo new > kept; rm -f kept; touch made; cat kept; echo x > /tmp/x && cat /tmp/x', {
      writable: false,
    })
    expect(output).to.contain('oldx\n')
    expect(await readdir(cwd)).to.deep.equal(['kept', 'plugins'])
  })

  it('gives each origin its own home folder and /tmp, which it finds again', async () => {
    await host.remove()
    host = await hostFolder({}, homedir())
    ;({ root, cwd } = host)
    const [ann, bob] = [
      { adapter: 'a', user: 'ann' },
      { adapter: 'a', user: 'bob' },
    ]
    await run('echo x > /tmp/kept; echo y > ~/kept', { origin: ann })
    const other = await mkdtemp(join(tmpdir(), 'mynah-of-others-'))
    try {
      expect((await run('cat /tmp/kept ~/kept; ls -a /tmp ~', { origin: ann })).output)
        .to.contain('x\ny\n')
        .and.not.contain('of-others')
      expect((await run('ls -A /tmp ~', { origin: bob })).output).to.not.contain('kept')
    } finally {
      await rm(other, { recursive: true })
    }
  })

  it('starts no command where a mount has landed at another place', async () => {
    await mkdir(join(cwd, 'real'))
    await symlink('real', join(cwd, 'link'))
    const opened = await open(cwd)
    const inner = await open(join(cwd, 'real'))
    try {
      const view = await levels.view({ cwd, paths: host.paths })
      const whole = { source: cwd, at: cwd, writable: true, descriptor: opened.fd }
      const within = (name: string) => ({
        source: join(cwd, 'real'),
        at: join(cwd, name),
        writable: false,
        descriptor: inner.fd,
      })
      const { wall } = levels.levels
      if (!wall) throw new Error('level wall does not work here')
      const start = (name: string) => {
        const launcher = new ViewLauncher(wall, { ...view, mounts: [whole, within(name)] }, DEFAULT_LIMITS)
        return runCommand('echo started', { cwd, limitMs: 8000, launcher })
      }
      expect(await start('real')).to.include({ exitCode: 0, output: 'started\n' })
      expect(await start('link')).to.include({ exitCode: 126, output: 'the folder has become another one\n' })
    } finally {
      await opened.close()
      await inner.close()
    }
  })

  it('has no descriptor that the host has inherited', async () => {
    const { output } = await run('for f in /proc/self/fd/*; do echo ${f##*/}; done; ls /proc/$$/fd')
    expect(output.trim().split('\n').map(Number)).to.satisfy((all: number[]) => all.every((one) => one <= 3))
  })

  it('has no network and no sockets of this machine', async () => {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const local = createServer((_request, response) => response.end('reached')).listen(join(root, 'x.sock'))
    const abstract = createServer((_request, response) => response.end('reached')).listen(`\0mynah-test-${process.pid}`)
    try {
      const ask = (target: string): string =>
        `perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0);connect(S,sockaddr_un(${target})) and print "reached"'`
      const { output } = await run(
        [
          `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`,
          ask(`"${root}/x.sock"`),
          ask(`"\\0mynah-test-${process.pid}"`),
          'echo end',
        ].join('; '),
      )
      expect(output).to.contain('end\n').and.not.contain('reached')
    } finally {
      for (const one of [server, local, abstract]) one.close()
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
