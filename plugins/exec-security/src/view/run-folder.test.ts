// The folder of a host for its commands, also while two hosts of one process use it.
import { expect } from 'chai'
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { HOME, testRunFolder } from '../test/run-folder.js'
import { RunFolder } from './run-folder.js'

const ORIGIN = { endpoint: 'a', channel: { type: 'private', id: 'b' }, user: 'b' } as const

describe('RunFolder', () => {
  const test = testRunFolder()

  const exists = (path: string): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    )

  it('keeps what commands have stored, and nothing else, until the next start', async () => {
    const { home } = await test.folder.of(ORIGIN)
    await writeFile(join(home, 'kept.txt'), 'x')
    await test.folder.etc()
    await test.folder.close(30)
    const name = basename(home)
    expect(await readdir(test.folder.path)).to.deep.equal([name, name.replace('home', 'used')])
    test.folder = await RunFolder.open(test.host, HOME)
    expect(await readdir((await test.folder.of(ORIGIN)).home)).to.deep.equal(['kept.txt'])
    await test.folder.close(0)
    expect(await exists(test.folder.path)).to.equal(false)
  })

  it('deletes what was not used for long, and nothing that a command uses', async () => {
    const [ann, bob] = [{ user: 'ann' }, { user: 'bob' }]
    const [{ home, tmp }, other] = [await test.folder.of(ann), await test.folder.of(bob)]
    for (const path of [home, tmp, other.home, other.tmp]) await writeFile(join(path, 'x'), 'x')
    const old = async ({ home: path }: { readonly home: string }) => utimes(path.replace('home-', 'used-'), 0, 0)
    await old({ home })
    // A command can set the time of its own folder.
    await utimes(other.home, 0, 0)
    await test.folder.during(ann, () => test.folder.prune(1, Date.now()))
    expect([await exists(home), await exists(other.home)]).to.deep.equal([true, true])
    await test.folder.prune(1, Date.now())
    expect([await exists(home), await exists(tmp), await exists(other.home)]).to.deep.equal([false, false, true])
    await test.folder.close(0)
    expect(await exists(test.folder.path)).to.equal(false)
  })

  it('keeps the files of a host that has started before the last one of its process is closed', async () => {
    const next = await RunFolder.open(test.host, HOME)
    const [etc, { tmp }] = [await next.etc(), await next.of(ORIGIN)]
    expect(await test.folder.etc()).to.equal(etc)
    await test.folder.close(0)
    expect([await exists(join(etc, 'passwd')), await exists(tmp)]).to.deep.equal([true, true])
    await next.close(0)
    expect(await exists(next.path)).to.equal(false)
  })

  it('opens after a close that is under way', async () => {
    for (let round = 0; round < 20; round++) {
      const [, next] = await Promise.all([test.folder.close(0), RunFolder.open(test.host, HOME)])
      expect(await readdir(next.path)).to.include('host')
      expect(await exists(await next.etc())).to.equal(true)
      test.folder = next
    }
    await test.folder.close(0)
    expect(await exists(test.folder.path)).to.equal(false)
  })
})
