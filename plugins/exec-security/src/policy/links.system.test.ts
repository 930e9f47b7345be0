// Links and other names of what decides, by which a command is judged. The view of level `wall` holds the others.
import { expect } from 'chai'
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evaluateCommand } from './index.js'
import { hostExecPaths } from '../host-paths.js'
import { SECRET } from '../test/host-folder.js'
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

describe('ExecService: swapped working directory', () => {
  afterEach(stopAll)

  for (const sandbox of ['auto', 'off'] as const) {
    for (const folder of ['data', 'plugins', '.'] as const) {
      it(`runs nothing where the link leads to ${folder}, with the sandbox ${sandbox}`, async () => {
        const running = await start({ config: { 'ai.agent.execSecurity': 'full', 'ai.agent.execSandbox': sandbox } })
        for (const name of [running.data, join(running.home, 'plugins')]) await mkdir(name, { recursive: true })
        await writeFile(join(running.data, 'http-token'), SECRET)
        await rm(running.work, { recursive: true })
        await symlink(folder === 'data' ? running.data : join(running.home, folder), running.work)
        const { verdict, result } = await running.exec.run('cat http-token data/http-token', { origin: ORIGIN })
        expect(result?.output ?? '').to.not.contain(SECRET)
        if (folder !== '.') expect(verdict).to.equal('deny')
      })
    }
  }

  it('cannot tell a hard link that was there before from a file of its own', async () => {
    const running = await start({ config: { 'ai.agent.execSecurity': 'full' } })
    await mkdir(running.data, { recursive: true })
    await writeFile(join(running.data, 'http-token'), SECRET)
    await link(join(running.data, 'http-token'), join(running.home, 'workspace/notes.txt'))
    // Only the host, or a process with its rights outside of the sandbox, can make one. The command for it is denied.
    expect((await running.exec.run('ln ../data/http-token here', { origin: ORIGIN })).verdict).to.equal('deny')
    expect((await running.exec.run('cat notes.txt', { origin: ORIGIN })).result?.output).to.contain(SECRET)
  })
})
