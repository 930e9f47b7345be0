import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { isWireError } from '@mynah/contract'
import { write } from './write.js'

const shell = promisify(execFile)

describe('write on a full disk', () => {
  let folder: string
  let mounted = false

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'mynah-full-'))
    mounted = await shell('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).then(
      () => true,
      () => false,
    )
    // A small disk can be mounted by root alone.
    if (!mounted) this.skip()
  })

  after(async () => {
    if (mounted) await shell('umount', [folder])
    await rm(folder, { recursive: true, force: true })
  })

  it('keeps the old file, reports the reason, and works again when there is space', async () => {
    const path = join(folder, 'mynah.config.yml')
    await write(path, 'plugins: []\n')
    const filler = join(folder, 'filler')
    await writeFile(filler, Buffer.alloc(128 * 1024)).catch((error: NodeJS.ErrnoException) =>
      expect(error.code).to.equal('ENOSPC'),
    )
    const error: unknown = await write(path, 'x'.repeat(32 * 1024)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(isWireError(error) && error.code).to.equal('not_ready')
    expect((error as Error).message).to.equal('Nothing was written: the disk is full')
    expect(await readFile(path, 'utf8')).to.equal('plugins: []\n')
    expect((await readdir(folder)).sort()).to.deep.equal(['filler', 'mynah.config.yml'])
    await unlink(filler)
    await write(path, 'plugins: [chat]\n')
    expect(await readFile(path, 'utf8')).to.equal('plugins: [chat]\n')
  })
})
