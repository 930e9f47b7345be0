import { expect } from 'chai'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWeaker, strongestReached } from './reached-level.js'

describe('the level that a machine has reached', () => {
  let data: string
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'mynah-level-'))
  })
  afterEach(() => rm(data, { recursive: true }))

  it('is remembered, and only becomes stronger', async () => {
    expect(await strongestReached(data, 'files')).to.equal('files')
    expect(await strongestReached(data, 'none')).to.equal('files')
    expect(await strongestReached(data, 'wall')).to.equal('wall')
    expect(await strongestReached(data, 'files')).to.equal('wall')
    expect(await readdir(data)).to.deep.equal(['exec-level'])
  })

  it('is that of a first start where nothing is remembered', async () => {
    expect(await strongestReached(join(data, 'new'), 'none')).to.equal('none')
    expect(await strongestReached(undefined, 'none')).to.equal('none')
  })

  it('is the strongest where the record is damaged', async () => {
    await writeFile(join(data, 'exec-level'), 'w\0')
    expect(await strongestReached(data, 'none')).to.equal('wall')
  })

  it('has an order', () => {
    expect(isWeaker('none', 'files') && isWeaker('files', 'wall') && isWeaker('none', 'wall')).to.equal(true)
    expect(isWeaker('wall', 'wall') || isWeaker('wall', 'files')).to.equal(false)
  })
})
