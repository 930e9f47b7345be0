// The folder of a host for its commands, also while two hosts of one process use it.
import { expect } from 'chai'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { RunFolder } from './run-folder.js'

const ORIGIN = { endpoint: 'a', channel: { type: 'private', id: 'b' }, user: 'b' } as const

describe('RunFolder', () => {
  let host: string
  let folder: RunFolder

  before(function () {
    if (process.platform !== 'linux') skipBecause(this, 'Linux only')
  })
  beforeEach(async () => {
    host = await mkdtemp(join(tmpdir(), 'mynah-host-'))
    folder = await RunFolder.open(host, '/home/bot')
  })
  afterEach(async () => {
    await rm(folder.path, { recursive: true, force: true })
    await rm(host, { recursive: true, force: true })
  })

  const exists = (path: string): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    )

  it('keeps what commands have stored, and nothing else, until the next start', async () => {
    const { home } = await folder.of(ORIGIN)
    await writeFile(join(home, 'kept.txt'), 'x')
    await folder.etc()
    await folder.close(30)
    const name = basename(home)
    expect(await readdir(folder.path)).to.deep.equal([name, name.replace('home', 'used')])
    folder = await RunFolder.open(host, '/home/bot')
    expect(await readdir((await folder.of(ORIGIN)).home)).to.deep.equal(['kept.txt'])
    await folder.close(0)
    expect(await exists(folder.path)).to.equal(false)
  })

  it('deletes what was not used for long, and nothing that a command uses', async () => {
    const [ann, bob] = [{ user: 'ann' }, { user: 'bob' }]
    const [{ home, tmp }, other] = [await folder.of(ann), await folder.of(bob)]
    for (const path of [home, tmp, other.home, other.tmp]) await writeFile(join(path, 'x'), 'x')
    const old = async ({ home: path }: { readonly home: string }) => utimes(path.replace('home-', 'used-'), 0, 0)
    await old({ home })
    // A command can set the time of its own folder.
    await utimes(other.home, 0, 0)
    await folder.during(ann, () => folder.prune(1, Date.now()))
    expect([await exists(home), await exists(other.home)]).to.deep.equal([true, true])
    await folder.prune(1, Date.now())
    expect([await exists(home), await exists(tmp), await exists(other.home)]).to.deep.equal([false, false, true])
    await folder.close(0)
    expect(await exists(folder.path)).to.equal(false)
  })

  it('keeps the files of a host that has started before the last one of its process is closed', async () => {
    const next = await RunFolder.open(host, '/home/bot')
    const [etc, { tmp }] = [await next.etc(), await next.of(ORIGIN)]
    expect(await folder.etc()).to.equal(etc)
    await folder.close(0)
    expect([await exists(join(etc, 'passwd')), await exists(tmp)]).to.deep.equal([true, true])
    await next.close(0)
    expect(await exists(next.path)).to.equal(false)
  })

  it('opens after a close that is under way', async () => {
    for (let round = 0; round < 20; round++) {
      const [, next] = await Promise.all([folder.close(0), RunFolder.open(host, '/home/bot')])
      expect(await readdir(next.path)).to.include('host')
      expect(await exists(await next.etc())).to.equal(true)
      folder = next
    }
    await folder.close(0)
    expect(await exists(folder.path)).to.equal(false)
  })
})
