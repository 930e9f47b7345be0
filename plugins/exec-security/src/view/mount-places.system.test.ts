// Links that a command has made in its folders lead no mount of a later command out of the view.
import { expect } from 'chai'
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { runCommand } from '../run/run-command.js'
import { asAnotherUser } from '../test/another-user.js'
import { hostFolder, type HostFolder } from '../test/host-folder.js'
import { TestLevels } from '../test/levels.js'
import type { ViewRequest } from './host-view.js'

const SELF = new URL(import.meta.url).pathname
const NOTHING: ViewRequest['settings'] = { read: [], write: [], home: [], tools: [], keepDays: 0 }

describe(`the places of mounts, as ${process.getuid?.() === 0 ? 'root' : 'another user'}`, () => {
  let levels: TestLevels
  let home = ''
  let outside = ''
  let host: HostFolder

  before(async function () {
    home = await realpath(await mkdtemp(join(tmpdir(), 'mynah-home-')))
    outside = await realpath(await mkdtemp(join(tmpdir(), 'mynah-outside-')))
    levels = await TestLevels.open(home)
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    await mkdir(join(home, '.tools/bin'), { recursive: true })
    await writeFile(join(home, '.tools/bin/hello'), '#!/bin/sh\necho hello\n', { mode: 0o755 })
    await writeFile(join(home, '.settings'), 'words\n')
  })
  after(async () => {
    await levels.close()
    for (const folder of [home, outside]) await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    host = await hostFolder({}, home)
  })
  afterEach(() => host.remove())

  const settings = () => ({ ...NOTHING, home: ['.settings'], tools: [join(home, '.tools')] })
  const run = async (command: string, more: Partial<typeof NOTHING> & { cwd?: string } = {}) => {
    const { cwd = host.cwd, ...named } = more
    const view = await levels.view({ cwd, paths: host.paths, settings: { ...settings(), ...named } })
    return (await runCommand(command, { cwd, limitMs: 20_000, launcher: levels.launcher('wall', view) })).output
  }

  it('are found in the home folder of commands as in that of the user', async () => {
    const below = host.cwd.slice(home.length + 1)
    expect(await run(`cat ~/.settings; ~/.tools/bin/hello; echo x > ~/${below}/made; cat made; echo $HOME`)).to.equal(
      'words\nhello\nx\n/run/home\n',
    )
    expect(await readdir(host.cwd)).to.deep.equal(['made'])
  })

  it('are not where links in the home folder and /tmp lead', async () => {
    const [first = ''] = host.cwd.slice(home.length + 1).split('/')
    const elsewhere = await hostFolder({}, '/var/tmp')
    const { cwd } = elsewhere
    try {
      for (const place of ['~/.settings', '~/.tools', `~/${first}`, `/tmp/${basename(home)}`])
        for (const root of ['', '/oldroot', '/newroot']) {
          await run(`rm -rf ${place}; ln -s ${root}${outside}/made ${place}`, { cwd, home: [], tools: [] })
          expect(await run('echo works'), `${place} to ${root}`).to.equal('works\n')
          expect(await readdir(outside), `${place} to ${root}`).to.deep.equal([])
          await run(`rm -rf ${place}`, { cwd, home: [], tools: [] })
        }
    } finally {
      await elsewhere.remove()
    }
  })

  it('leave what a command has made in its home folder, and follow no link to make theirs', async () => {
    await run('rm -f ~/.settings; echo own > ~/.settings; rm -rf ~/.tools; mkdir ~/.tools; echo kept > ~/.tools/kept')
    expect(await run('cat ~/.settings ~/.tools/kept')).to.equal('own\nkept\n')
    const inner = { home: ['a/b/c'] }
    await mkdir(join(home, 'a/b'), { recursive: true })
    await writeFile(join(home, 'a/b/c'), 'deep\n')
    const { home: own } = await levels.run.of({})
    await symlink(outside, join(own, 'a'))
    expect(await run('cat /run/files/a/b/c; echo end', inner)).to.equal('deep\nend\n')
    expect(await readdir(outside)).to.deep.equal([])
    await rm(join(own, 'a'))
    expect(await run('cat ~/a/b/c', inner)).to.equal('deep\n')
    expect(await readlink(join(own, 'a/b/c'))).to.equal('/run/files/a/b/c')
  })

  it('are the same for a home folder of an older version, with empty files and folders', async () => {
    const { home: own } = await levels.run.of({})
    await rm(own, { recursive: true })
    await mkdir(join(own, '.tools'), { recursive: true })
    await writeFile(join(own, '.settings'), '')
    expect(await run('cat ~/.settings; ~/.tools/bin/hello')).to.equal('words\nhello\n')
  })

  it('lie in no folder that commands change, which is closed from within the view', async () => {
    const { cwd } = host
    await mkdir(join(cwd, 'closed/deep'), { recursive: true })
    await writeFile(join(cwd, 'closed/kept'), 'old')
    expect(await run('echo new > closed/kept; cat closed/kept', { read: [join(cwd, 'closed')] })).to.match(/old$/)
    expect(await run('echo x > closed/deep/y; ls closed/deep', { read: [join(cwd, 'closed/deep')] })).to.match(
      /Read-only file system\n$/,
    )
    const file = join(cwd, 'closed/kept')
    expect(await run('echo x > closed/kept; cat closed/kept', { read: [file] })).to.match(/Read-only file system\nold$/)
    expect(await run(`cat ${home}/.settings`, { read: [join(home, '.settings')] })).to.equal('words\n')
    // One that may be changed as well is part of the other, and its repository is closed too.
    const inner = { cwd: join(cwd, 'closed/deep'), write: [cwd] }
    expect(await run('echo x > y; mkdir .git; ls -A; mv .git ../other', inner)).to.match(
      /^mkdir: .*\.git.*\n\.git\ny\nmv: .*busy\n$/,
    )
    await rename(join(cwd, 'closed'), join(cwd, 'moved'))
    await symlink(`/oldroot${outside}/made`, join(cwd, 'closed'))
    expect(await run('echo works', { read: [join(cwd, 'closed')] })).to.equal('works\n')
    expect(await readdir(outside)).to.deep.equal([])
  })

  it('stay where they are, with all folders above them', async () => {
    const { cwd } = host
    const [closed, open] = [join(cwd, 'a/b/closed'), join(cwd, 'a/b/open')]
    for (const folder of [closed, open]) await mkdir(folder, { recursive: true })
    await writeFile(join(closed, 'kept'), 'old')
    const rename = (path: string): string => `perl -e 'rename shift, shift or print "$!\\n"' ${path} ${path}-other`
    const moves = `${['a', 'a/b', 'a/b/closed', 'a/b/open'].map(rename).join('; ')}; rm -rf a 2> /dev/null; ls . a a/b`
    expect(await run(moves, { read: [closed], write: [open] })).to.equal(
      `${'Device or resource busy\n'.repeat(4)}.:\na\n\na:\nb\n\na/b:\nclosed\nopen\n`,
    )
    expect(await readFile(join(closed, 'kept'), 'utf8')).to.equal('old')
    // Their other files are changed as before, and moved from one to another.
    const files = 'echo x > a/made; mkdir a/b/c; mv a/made a/b/c; mv a/b/c other; cat other/made'
    expect(await run(files, { read: [closed], write: [open] })).to.equal('x\n')
    expect(await run(`cd ../../..; ${rename('a')}`, { cwd: open, write: [cwd] })).to.equal('Device or resource busy\n')
  })

  it('are the same for a user that is not root', async function () {
    const { code, said } = await asAnotherUser(this, SELF)
    expect(code, said.slice(-3000)).to.equal(0)
    expect(said).to.match(/[1-9]\d* passing/)
  })
})
