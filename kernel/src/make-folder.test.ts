import { expect } from 'chai'
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from './testing.js'
import { makeFolder } from './files.js'

describe('makeFolder', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mynah-folders-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))
  const codeOf = (path: string): Promise<string | undefined> =>
    makeFolder(path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    )

  it('creates missing parents, and returns the first folder that it created', async () => {
    expect(await makeFolder(join(root, 'a/b/c'), 0o700)).to.equal(join(root, 'a'))
    expect((await stat(join(root, 'a/b/c'))).mode & 0o777).to.equal(0o700)
    expect(await makeFolder(join(root, 'a/b/c'))).to.equal(undefined)
    expect(await makeFolder(join(root, 'a/b/d'))).to.equal(join(root, 'a/b/d'))
  })

  it('accepts a link to a folder', async () => {
    await symlink(root, join(root, 'link'))
    expect(await makeFolder(join(root, 'link'))).to.equal(undefined)
    expect(await makeFolder(join(root, 'link', 'x', 'y'))).to.equal(join(root, 'link', 'x'))
  })

  it('creates a folder once for concurrent calls', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => makeFolder(join(root, 'p/q/r'))))
    expect(made.filter((path) => path === join(root, 'p'))).to.have.length(1)
  })

  it('fails at a file, and at a broken link', async () => {
    await writeFile(join(root, 'file'), '')
    await symlink(join(root, 'nowhere'), join(root, 'loose'))
    expect(await codeOf(join(root, 'file'))).to.equal('EEXIST')
    expect(await codeOf(join(root, 'file/a/b'))).to.equal('ENOTDIR')
    expect(await codeOf(join(root, 'loose'))).to.equal('ENOENT')
  })

  it('fails below a folder that accepts no new ones', async function () {
    if (!existsSync('/proc/self')) skipBecause(this, 'there is no /proc')
    expect(await codeOf('/proc/no-such-thing/a/b')).to.equal('ENOENT')
  })
})
