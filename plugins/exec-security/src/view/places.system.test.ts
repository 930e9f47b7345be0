// A host may lie anywhere on the machine: its commands see its working folder, and nothing else of it.
import { expect } from 'chai'
import { access, chmod, constants, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '@mynah/kernel'
import { skipBecause } from '@mynah/kernel/testing'
import { runCommand } from '../run/run-command.js'
import { asAnotherUser } from '../test/another-user.js'
import { hostFolder, SECRET, type HostFolder } from '../test/host-folder.js'
import { TestLevels } from '../test/levels.js'
import type { ViewRequest } from './host-view.js'

const SELF = new URL(import.meta.url).pathname
const isRoot = process.getuid?.() === 0
const PLACES = ['/opt', '/usr/local', '/usr/share', '/srv', homedir(), tmpdir()]
const SETTINGS = { read: [], write: [], home: [], tools: [], keepDays: 0 }

describe(`the places of a host, as ${isRoot ? 'root' : 'another user'}`, () => {
  let levels: TestLevels
  let host: HostFolder | undefined

  before(async () => {
    levels = await TestLevels.open()
  })
  after(() => levels.close())
  afterEach(async () => {
    await host?.remove()
    host = undefined
  })

  const run = async (level: 'wall' | 'files', command: string, more: Partial<ViewRequest> = {}) => {
    const { cwd = '', paths } = host ?? {}
    const view = await levels.view({ cwd, paths, ...more })
    return (
      await runCommand(command, { cwd: more.cwd ?? cwd, limitMs: 20_000, launcher: levels.launcher(level, view) })
    ).output
  }

  for (const level of ['wall', 'files'] as const)
    for (const place of new Set(PLACES))
      it(`give away none of its secrets at level ${level}: ${place}`, async function () {
        const missing = levels.missing(level)
        if (missing !== undefined) skipBecause(this, missing)
        if (
          !(await access(place, constants.W_OK).then(
            () => true,
            () => false,
          ))
        )
          skipBecause(this, `${place} cannot be written`)
        host = await hostFolder({ 'skills/own/SKILL.md': SECRET, 'workspace/a.txt': 'words' }, place)
        await chmod(host.root, 0o755)
        const { root } = host
        const output = await run(
          level,
          `cat a.txt; cat ${root}/data/* ${root}/mynah.config.yml ${root}/.env ${root}/skills/own/*; cat ../*/*; ` +
            `cat /proc/*/root${root}/.env; grep -rs ${SECRET.slice(0, -1)} ${root}; ` +
            `ls -a ${root} ~ /home /root; echo end`,
        )
        expect(output)
          .to.match(/^words/)
          .and.match(/^end$/m)
        expect(output).to.not.include(SECRET)
      })

  it('are the folder of no command: the host, one above it, its data and its plugins', async function () {
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    host = await hostFolder({ 'plugins/mine/x.js': 'old' })
    for (const cwd of [host.root, join(host.root, '..'), join(host.root, 'data'), join(host.root, 'plugins/mine')])
      expect(await run('wall', 'true', { cwd }).catch(messageOf), cwd).to.match(/decides? over this host|holds/)
    const settings = { ...SETTINGS, read: [host.root, join(host.root, 'data')], write: [join(host.root, 'plugins')] }
    const output = await run('wall', `cat ../data/* ../.env; echo new > ../plugins/mine/x.js; ls ..`, { settings })
    expect(output).to.not.include(SECRET)
    expect(await readFile(join(host.root, 'plugins/mine/x.js'), 'utf8')).to.equal('old')
  })

  it('stay those that the owner has named, where a command exchanges a folder for a link', async function () {
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    host = await hostFolder({ 'workspace/a/b/c.txt': 'words' })
    const { cwd } = host
    const secret = await hostFolder({ 'private/key': SECRET })
    try {
      const settings = { ...SETTINGS, read: [join(cwd, 'a/b')], write: [join(cwd, 'a')] }
      for (const inner of ['a/b', 'a']) {
        await rename(join(cwd, inner), join(cwd, 'moved'))
        await mkdir(join(cwd, 'a'), { recursive: true })
        if (inner === 'a') await rm(join(cwd, 'a'), { recursive: true })
        await symlink(join(secret.root, 'private'), join(cwd, inner))
        for (const folder of ['', 'other']) {
          await mkdir(join(cwd, folder), { recursive: true })
          const where = { cwd: join(cwd, folder), settings }
          expect(await run('wall', `cat ${secret.root}/private/key ${cwd}/a/key ${cwd}/a/b/key; echo end`, where))
            .to.include('end')
            .and.not.include(SECRET)
        }
        await rm(join(cwd, inner))
        await rename(join(cwd, 'moved'), join(cwd, inner))
      }
    } finally {
      await secret.remove()
    }
  })

  it('are no working folder that a command has made into a link, and the workspace may be one', async function () {
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    host = await hostFolder({ 'workspace/agents/one/a.txt': 'words' })
    const { cwd, root } = host
    const other = await hostFolder({ 'private/key': SECRET })
    try {
      const agent = join(cwd, 'agents/one')
      expect(await run('wall', 'cat a.txt', { cwd: agent })).to.equal('words')
      await run('wall', `mv agents/one agents/two; ln -s ${other.root}/private agents/one`)
      expect(await run('wall', 'cat key', { cwd: agent }).catch(messageOf)).to.match(/working directory is a link/)
      await mkdir(join(root, 'agents/ann'), { recursive: true })
      const base = join(root, 'agents')
      await run('wall', `rmdir ann; ln -s ${other.root}/private ann`, { cwd: base })
      const ann = { cwd: join(base, 'ann'), base }
      expect(await run('wall', 'cat key', ann).catch(messageOf)).to.match(/working directory is a link/)
      await rename(cwd, join(root, 'elsewhere'))
      await symlink(join(root, 'elsewhere'), cwd)
      expect(await run('wall', 'cat a.txt', { cwd: join(cwd, 'agents/two') })).to.equal('words')
    } finally {
      await other.remove()
    }
  })

  it('have settings of the kernel that no command changes, and no facts of the machine', async function () {
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    host = await hostFolder()
    const settings = ['vm/swappiness', 'kernel/core_pattern', 'kernel/hostname', 'net/ipv4/ip_forward']
    const before = await Promise.all(settings.map((name) => readFile(join('/proc/sys', name), 'utf8')))
    for (const writable of [true, false]) {
      const output = await run(
        'wall',
        settings.map((name) => `cat /proc/sys/${name} > was; echo 1 > /proc/sys/${name}; `).join('') +
          'for f in kcore keys timer_list sysrq-trigger; do head -c 1 /proc/$f | wc -c; done; ' +
          'echo 0 > /proc/irq/default_smp_affinity; echo h > /proc/sysrq-trigger; echo end',
        { writable },
      )
      expect(output).to.include('end')
    }
    expect(await Promise.all(settings.map((name) => readFile(join('/proc/sys', name), 'utf8')))).to.deep.equal(before)
  })

  it('get no file that runs with the rights of its owner', async function () {
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    host = await hostFolder()
    const output = await run(
      'wall',
      'cp /usr/bin/id own; chmod 4755 own; chmod u+s own; chmod 2755 own; perl -e \'sysopen(F, "new", 0101, 04755)\'; ' +
        'perl -e \'syscall(259, -100, $n = "node", 0104755, 0)\'; cp -p own copy; tar cf t.tar own; ' +
        'find . -perm /6000; echo end',
    )
    expect(output).to.match(/^end$/m).and.not.match(/^\.\//m)
  })

  it('have files whose owner on disk does not change', async function () {
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    host = await hostFolder({ 'workspace/kept': 'old' })
    await writeFile(join(host.cwd, 'closed'), 'words\n', { mode: 0o600 })
    const output = await run(
      'wall',
      'cat closed; echo new > made; echo more >> kept; id -u; stat -c %u . made kept closed',
    )
    const [words, user = '', ...owners] = output.trim().split('\n')
    expect(words).to.equal('words')
    expect(owners).to.deep.equal([user, user, user, user])
    if (isRoot) expect(user).to.not.equal('0')
    for (const name of ['made', 'kept', 'closed'])
      expect((await stat(join(host.cwd, name))).uid, name).to.equal(process.getuid?.())
  })

  it('are the same for a user that is not root', async function () {
    this.timeout(600_000)
    const { code, said } = await asAnotherUser(this, SELF)
    expect(code, said.slice(-3000)).to.equal(0)
    expect(said).to.match(/[1-9]\d* passing/)
  })
})
