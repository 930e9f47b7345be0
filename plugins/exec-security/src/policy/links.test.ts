// Links, swaps and other names of what decides, made before a command, by it, or while it runs.
import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { until } from '@mynah/kernel/testing'
import { link, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evaluateCommand } from './index.js'
import { hostExecPaths } from '../host-paths.js'
import { runCommand } from '../run/run-command.js'
import { TestLevels } from '../test/levels.js'
import { hostFolder, SECRET, type HostFolder } from '../test/host-folder.js'
import { ORIGIN, start, stopAll } from '../test/host.js'
import { full, policy } from '../test/policies.js'

const paths = {
  cwd: '/srv/bot/workspace',
  home: '/home/bot',
  protected: ['/srv/bot/data', '/srv/bot/mynah.config.yml'],
  readOnly: ['/srv/bot/plugins'],
}
const listed = policy({
  execPreset: 'development',
  execAllowlist: ['ln', 'cp', 'mv', 'cd', 'rm', 'mkdir', 'tar', 'rsync', 'bash'],
  paths,
})

/** Commands of one line whose later parts use what the earlier ones made. */
const ONE_LINE = [
  'ln -s ../data x; cat x/http-token',
  'ln -s ../data x && cat x/http-token',
  'ln -s .. x; cat x/data/http-token',
  'ln -s ../../bot x; cat x/data/http-token',
  'ln -s / x; cat x/srv/bot/data/http-token',
  'ln -s /srv x; cat x/bot/data/http-token',
  'ln ../data/http-token x; cat x',
  'ln -sr ../data x',
  'ln -st . ../data',
  'ln -s -t . /srv/bot/data',
  'cp -s ../data/http-token x',
  'cp -l ../data/http-token x',
  'cp -as ../data x',
  'link ../data/http-token x',
  'mv ../data x; cat x/http-token',
  'mv ../data/http-token x',
  'mv .. x',
  'ln -s "$PWD/../data" x',
  'x=../data; ln -s $x y',
  'for d in ../data; do ln -s $d y; done',
  'cd ..; ln -s data x',
  'cd ..; cat data/http-token',
  'cd .. && ls data',
  'rm -rf x; ln -s ../data x',
  'cat /proc/self/cwd/../data/http-token',
  'cat /proc/self/root/srv/bot/data/http-token',
  'cat /proc/$$/cwd/../data/http-token',
  'cat /proc/thread-self/cwd/../data/http-token',
  'ln -s /proc/self/root x; cat x/srv/bot/data/http-token',
  'ln -s /proc/self/cwd x',
  'cd /proc/self/root; cat srv/bot/data/http-token',
  'cd /proc/self/cwd; cat ../data/http-token',
  'cat /dev/fd/3/http-token 3<../data',
  'cat /proc/self/fd/3 3<../data/http-token',
  'cat <&3 3<../data/http-token',
  'cat 0<../data/http-token',
  'tar cf - .. | tar tf -',
  'rsync -a ../ x',
  'cp -r .. x',
  'cp -r ../. x',
  'mkdir x; ln -s ../../data x/y; cat x/y/http-token',
  'ln -s data ../y; cat ../y/http-token',
  'ln -st a/b ../../../data',
  'ln -s ../../../data/http-token a/b/c',
  'mkdir a; ln -s ../.. a/b; cat a/b/data/http-token',
  'bash -c "ln -s ../data x; cat x/http-token"',
]

describe('PathRules: links made by the same line', () => {
  for (const [name, base] of [
    ['a list', listed],
    ['full', { ...full, paths }],
  ] as const) {
    for (const command of ONE_LINE) {
      it(`denies ${command} under ${name}`, () => {
        const { verdict, reason } = evaluateCommand(command, base)
        expect(verdict, reason).to.equal('deny')
      })
    }
  }
})

describe('hostExecPaths: links', () => {
  it('protects a linked folder under all of its names', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'mynah-link-')))
    try {
      await mkdir(join(root, 'disk/data'), { recursive: true })
      await mkdir(join(root, 'host/workspace'), { recursive: true })
      await symlink(join(root, 'disk/data'), join(root, 'host/data'))
      await symlink(join(root, 'host'), join(root, 'named'))
      const known = hostExecPaths({ root: join(root, 'named'), data: join(root, 'named/data') } as Parameters<
        typeof hostExecPaths
      >[0])
      for (const folder of ['named/data', 'host/data', 'disk/data']) {
        for (const form of ['cat @/http-token', 'cp -r @ x', 'cat < @/h*', 'ls > @/x']) {
          const command = form.replace('@', join(root, folder))
          expect(evaluateCommand(command, { ...full, paths: known }).verdict, command).to.equal('deny')
        }
      }
    } finally {
      await rm(root, { recursive: true })
    }
  })
})

describe('level wall: links', () => {
  let levels: TestLevels
  let host: HostFolder
  let root: string
  let cwd: string

  before(async function () {
    levels = await TestLevels.open()
    if (levels.missing('wall') !== undefined) this.skip()
  })
  after(() => levels.close())
  beforeEach(async () => {
    host = await hostFolder({ 'plugins/x.js': 'old', 'notes.txt': 'notes' })
    ;({ root, cwd } = host)
  })
  afterEach(() => host.remove())

  const run = async (command: string) => {
    const launcher = levels.launcher('wall', await levels.view({ cwd, paths: host.paths }))
    return runCommand(command, { cwd, limitMs: 8000, launcher })
  }

  it('hides the folder of the host behind links', async () => {
    await symlink('../data', join(cwd, 'made'))
    await symlink(join(root, 'data/http-token'), join(cwd, 'token'))
    await symlink('..', join(cwd, 'up'))
    await symlink('notes.txt', join(root, 'other'))
    const { output } = await run(
      'cat made/http-token token up/data/http-token up/mynah.config.yml up/.env ../data/* 2>&1; cat up/notes.txt ../other ../plugins/x.js; ls -a ..; echo x > ../made-here; echo x > ../plugins/x.js; echo kept > kept',
    )
    expect(output)
      .to.not.contain(SECRET)
      .and.not.match(/^(?:data|mynah\.config\.yml|\.env)$/m)
      .and.not.contain('notesold')
    expect(existsSync(join(root, 'made-here'))).to.equal(false)
    expect(await readFile(join(cwd, 'kept'), 'utf8')).to.equal('kept\n')
    expect(await readFile(join(root, 'plugins/x.js'), 'utf8')).to.equal('old')
  })

  it('hides protected files from process views, descriptors and mounts', async () => {
    const { output } =
      await run(`cat /proc/self/cwd/../data/http-token /proc/1/root${root}/data/http-token /proc/self/root${root}/mynah.config.yml; exec 3<..; cat /dev/fd/3/data/http-token /proc/self/fd/3/.env; ln ../data/http-token hard; cat hard
      unshare -Urm bash -c 'umount ../data; umount -l ${root}; cat ${root}/data/http-token'; mount --bind ${root} x; mkdir x; unshare -Urm mount --bind ${root} x && cat x/data/http-token`)
    expect(output).to.not.contain(SECRET)
  })

  it('hides protected files that the host replaces while a command runs', async () => {
    const running = run(
      'echo > started; until [[ -e go ]]; do sleep 0.02; done; cat ../mynah.config.yml ../.env ../.env.local ../data/http-token; ls -a ..; echo end',
    )
    const exists = async (path: string): Promise<boolean> =>
      readFile(path).then(
        () => true,
        () => false,
      )
    await until(() => exists(join(cwd, 'started')))
    for (const name of ['mynah.config.yml', '.env', '.env.local', 'data/http-token']) {
      await writeFile(join(root, '.new.tmp'), SECRET)
      await rename(join(root, '.new.tmp'), join(root, name))
    }
    await writeFile(join(cwd, 'go'), '')
    const { output } = await running
    expect(output).to.contain('end\n').and.not.contain(SECRET).and.not.contain('.env.local\n')
  })

  for (const [name, target] of [
    ['a relative link', 'elsewhere'],
    ['an absolute link', ''],
  ] as const) {
    it(`hides the data directory where it is ${name}`, async () => {
      await rename(join(root, 'data'), join(root, 'elsewhere'))
      await symlink(target === '' ? join(root, 'elsewhere') : target, join(root, 'data'))
      const { output } = await run('cat ../data/http-token ../elsewhere/http-token; echo end')
      expect(output).to.contain('end\n').and.not.contain(SECRET)
    })
  }

  it('shows nothing where the working directory was swapped for a link', async () => {
    await rm(cwd, { recursive: true })
    await symlink('data', cwd)
    const { output } = await run('cat http-token; echo end')
    expect(output).to.contain('end\n').and.not.contain(SECRET)
  })
})

describe('ExecService: swapped working directory', () => {
  afterEach(stopAll)

  for (const sandbox of ['auto', 'off'] as const) {
    for (const folder of ['data', 'plugins', '.'] as const) {
      it(`runs nothing where the link leads to ${folder}, with the sandbox ${sandbox}`, async () => {
        const running = await start({ config: { 'ai.agent.execSecurity': 'full', 'ai.agent.execSandbox': sandbox } })
        for (const name of [running.data, join(running.home, 'plugins')]) await mkdir(name, { recursive: true })
        await writeFile(join(running.data, 'http-token'), SECRET)
        await symlink(folder === 'data' ? running.data : join(running.home, folder), join(running.home, 'workspace'))
        const { verdict, result } = await running.exec.run('cat http-token data/http-token', { origin: ORIGIN })
        expect(result?.output ?? '').to.not.contain(SECRET)
        if (folder !== '.') expect(verdict).to.equal('deny')
      })
    }
  }

  it('cannot tell a hard link that was there before from a file of its own', async () => {
    const running = await start({ config: { 'ai.agent.execSecurity': 'full' } })
    await mkdir(running.data, { recursive: true })
    await mkdir(join(running.home, 'workspace'))
    await writeFile(join(running.data, 'http-token'), SECRET)
    await link(join(running.data, 'http-token'), join(running.home, 'workspace/notes.txt'))
    // Only the host, or a process with its rights outside of the sandbox, can make one. The command for it is denied.
    expect((await running.exec.run('ln ../data/http-token here', { origin: ORIGIN })).verdict).to.equal('deny')
    expect((await running.exec.run('cat notes.txt', { origin: ORIGIN })).result?.output).to.contain(SECRET)
  })
})
