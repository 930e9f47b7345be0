import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { keepByHash, writeFileAtomically } from './files.js'

describe('writeFileAtomically', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-files-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

  it('creates a file with the given mode', async () => {
    const path = join(folder, 'a')
    await writeFileAtomically(path, 'new', { mode: 0o600 })
    expect(await readFile(path, 'utf8')).to.equal('new')
    expect(await mode(path)).to.equal(0o600)
  })

  it('keeps the mode of an existing file, unless it must be exact', async () => {
    const path = join(folder, 'a')
    await writeFile(path, 'old')
    await chmod(path, 0o640)
    await writeFileAtomically(path, 'new', { mode: 0o600 })
    expect(await mode(path)).to.equal(0o640)
    await writeFileAtomically(path, 'newer', { mode: 0o600, exact: true })
    expect(await mode(path)).to.equal(0o600)
  })

  it('leaves the old file and no temporary one when it fails', async () => {
    const path = join(folder, 'taken')
    await writeFileAtomically(join(folder, 'other'), 'x')
    await mkdir(join(path, 'inside'), { recursive: true })
    const failed = await writeFileAtomically(path, 'new').then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    )
    expect(failed).to.be.oneOf(['EISDIR', 'ENOTEMPTY', 'EEXIST'])
    expect((await readdir(folder)).sort()).to.deep.equal(['other', 'taken'])
  })

  it('never shows a part of a file to a reader', async () => {
    const path = join(folder, 'a')
    const texts = ['x'.repeat(200_000), 'y'.repeat(200_000)]
    await writeFileAtomically(path, texts[0] as string)
    let writing = true
    const writes = (async () => {
      for (let round = 0; round < 20; round++) await writeFileAtomically(path, texts[round % 2] as string)
      writing = false
    })()
    while (writing) expect(texts).to.include(await readFile(path, 'utf8'))
    await writes
  })

  it('stores bytes under their hash once, readable by the user only', async () => {
    const kept = join(folder, 'kept')
    const hash = await keepByHash(kept, Buffer.from('abc'))
    expect(hash).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    const { ino } = await stat(join(kept, hash))
    expect(await keepByHash(kept, Buffer.from('abc'))).to.equal(hash)
    expect((await stat(join(kept, hash))).ino).to.equal(ino)
    expect([await readdir(kept), await mode(join(kept, hash)), await readFile(join(kept, hash), 'utf8')]).to.deep.equal(
      [[hash], 0o600, 'abc'],
    )
  })
})
