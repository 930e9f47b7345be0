import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { BoundedFolder } from './bounded-folder.js'

describe('BoundedFolder', () => {
  let folder: string
  let time = 0
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-media-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function put(name: string, bytes: number): Promise<void> {
    await writeFile(join(folder, name), 'x'.repeat(bytes))
    await utimes(join(folder, name), ++time, time)
  }
  const left = async (): Promise<string[]> => (await readdir(folder)).sort()

  it('removes its oldest files for new ones, by size and by number', async () => {
    for (const name of ['c', 'a', 'b']) await put(name, 10)
    await new BoundedFolder(folder, { bytes: 40, files: 4 }).reserve(10)
    expect(await left()).to.deep.equal(['a', 'b', 'c'])
    await new BoundedFolder(folder, { bytes: 40, files: 4 }).reserve(11)
    expect(await left()).to.deep.equal(['a', 'b'])
    await new BoundedFolder(folder, { bytes: 40, files: 2 }).reserve(1)
    expect(await left()).to.deep.equal(['b'])
  })

  it('stays close to its limits with many small files', async () => {
    const bounded = new BoundedFolder(folder, { bytes: 1_600, files: 1_000 })
    for (let index = 0; index < 400; index++) {
      await bounded.reserve(10)
      await put(`f${index}`, 10)
      if (index % 50 === 49) expect((await left()).length * 10).to.be.at.most(1_600 + 100 + 10)
    }
    expect(await left())
      .to.include('f399')
      .and.not.include('f0')
  })

  it('works when other processes remove files, and when it is missing or holds folders', async () => {
    await put('a', 100)
    await Promise.all([1, 2].map(() => new BoundedFolder(folder, { bytes: 40, files: 2 }).reserve(10)))
    expect(await left()).to.deep.equal([])
    await new BoundedFolder(join(folder, 'none'), { bytes: 40, files: 2 }).reserve(10)
    await mkdir(join(folder, 'inbound'))
    await new BoundedFolder(folder, { bytes: 1, files: 1 }).reserve(10)
    expect(await left()).to.deep.equal(['inbound'])
  })
})
