// The folder of a host for its commands, also while two hosts of one process use it.
import { expect } from 'chai'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    expect(await readdir(folder.path)).to.deep.equal([home.slice(folder.path.length + 1)])
    folder = await RunFolder.open(host, '/home/bot')
    expect(await readdir((await folder.of(ORIGIN)).home)).to.deep.equal(['kept.txt'])
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
