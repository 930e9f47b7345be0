import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { embedFiles } from './media.js'

describe('embedFiles', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-media-test-'))
  })
  after(() => rm(folder, { recursive: true }))
  const base64 = Buffer.from('picture').toString('base64')

  it('replaces a path or file address by the bytes', async () => {
    const path = join(folder, 'cat.png')
    await writeFile(path, 'picture')
    const [byPath, byAddress] = await embedFiles([
      { type: 'image', data: { file: path, alt: 'a cat' } },
      { type: 'file', data: { file: pathToFileURL(path).href, name: 'Cat' } },
    ])
    expect(byPath).to.deep.equal({ type: 'image', data: { name: 'cat.png', alt: 'a cat', base64 } })
    expect(byAddress).to.deep.equal({ type: 'file', data: { name: 'Cat', base64 } })
  })

  it('keeps only the name of a large, missing or invalid file', async () => {
    await writeFile(join(folder, 'large.bin'), Buffer.alloc(1024 * 1024 + 1))
    const files = ['large.bin', 'missing.bin', '.'].map((name) => ({
      type: 'file',
      data: { file: join(folder, name) },
    }))
    const sent = await embedFiles(files)
    expect(sent.slice(0, 2).map(({ data }) => data)).to.deep.equal([{ name: 'large.bin' }, { name: 'missing.bin' }])
    expect(JSON.stringify(sent)).not.to.contain(tmpdir())
  })

  it('keeps addresses and text', async () => {
    const segments = [
      { type: 'image', data: { file: 'https://example.org/cat.png' } },
      { type: 'image', data: { url: 'https://example.org/cat.png' } },
      { type: 'text', data: { text: 'hello', file: 'x' } },
    ]
    expect(await embedFiles(segments)).to.deep.equal(segments)
  })
})
