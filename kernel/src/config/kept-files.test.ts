import { expect } from 'chai'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kept } from '../core/kept.js'
import { folder, removeFolders } from '../test/folder.js'
import { KeptFiles } from './kept-files.js'

describe('KeptFiles', () => {
  afterEach(removeFolders)

  it('gives the next process what was kept, whatever the name of the plugin', async () => {
    const root = join(await folder({}), 'kept')
    const values = new Map<string, unknown>([['a', new Map([[1, new Date(5)]])]])
    await new KeptFiles(root).write('@a/../b', values)
    expect(new KeptFiles(root).read('@a/../b')).to.deep.equal(values)
    expect(new KeptFiles(root).read('other').size).to.equal(0)
    const [file, ...more] = await readdir(root)
    expect(more).to.deep.equal([])
    expect((await stat(join(root, file as string))).mode & 0o777).to.equal(0o600)
    new KeptFiles(root).remove('@a/../b')
    expect(await readdir(root)).to.deep.equal([])
  })

  it('refuses a value over 64 KB, or that is not plain any more, and stores the others', async () => {
    const files = new KeptFiles(await folder({}))
    const values = new Map<string, unknown>([
      ['large', 'x'.repeat(70_000)],
      ['code', () => 1],
      ['fine', 1],
    ])
    const error: unknown = await files.write('p', values).catch((thrown: unknown) => thrown)
    expect(String(error)).to.contain('"large" is larger than 64 KB; "code" is not plain any more')
    expect(files.read('p')).to.deep.equal(new Map([['fine', 1]]))
  })

  it('begins with new values where the file is damaged, and says so', async () => {
    const root = await folder({})
    await mkdir(root, { recursive: true })
    await writeFile(join(root, 'p'), 'damaged')
    const warnings: string[] = []
    const kept = new Kept('p', new KeptFiles(root), (message) => void warnings.push(message))
    expect(kept.keep('x', () => 1, { durable: true })).to.equal(1)
    expect(warnings).to.have.lengthOf(1)
    await kept.save()
    expect(new KeptFiles(root).read('p')).to.deep.equal(new Map([['x', 1]]))
  })
})
