// Tools work on the files of a folder while commands may exchange anything in it for links.
import { expect } from 'chai'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestClock } from '@mynah/kernel/testing'
import { Results } from './results.js'
import { Workspace } from './workspace.js'

const OLD = new Date('2020-01-01')

describe('Workspace', () => {
  let base = ''
  let outside = ''
  let workspace: Workspace

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'mynah-work-')))
    outside = await realpath(await mkdtemp(join(tmpdir(), 'mynah-outside-')))
    await writeFile(join(outside, 'a.txt'), 'secret')
    workspace = new Workspace(base, '/nowhere')
  })
  afterEach(async () => {
    for (const folder of [base, outside]) await rm(folder, { recursive: true })
  })

  const place = (path: string) => ({ path: join(base, path), shown: path })
  const read = async (path: string): Promise<string | undefined> => {
    const file = await workspace.open(place(path))
    try {
      return await file?.readFile('utf8')
    } finally {
      await file?.close()
    }
  }
  const refusal = (error: Error): string => error.message

  it('writes and reads files in folders that it makes', async () => {
    await workspace.write(place('x/y/a.txt'), 'words')
    expect(await read('x/y/a.txt')).to.equal('words')
    expect(await read('x/none/a.txt')).to.equal(undefined)
    expect(await workspace.list(place('x'), (folder) => readdir(folder))).to.deep.equal(['y'])
  })

  it('writes nothing that git keeps', () => {
    for (const path of ['.git/commondir', '.git', 'x/.GIT/hooks/pre-commit', './.git/info/attributes'])
      expect(() => workspace.resolve(path, { write: true }), path).to.throw('A repository is changed by git alone')
    expect(workspace.resolve('.git/HEAD').shown).to.equal('.git/HEAD')
    expect(workspace.resolve('.gitignore', { write: true }).shown).to.equal('.gitignore')
  })

  it('follows no link to a folder or a file', async () => {
    await symlink(outside, join(base, 'x'))
    await symlink(join(outside, 'a.txt'), join(base, 'b.txt'))
    for (const path of ['x/a.txt', 'x/new.txt', 'x/y/a.txt', 'b.txt']) {
      expect(await read(path).catch(refusal), path).to.equal('Links are not followed')
      expect(await workspace.write(place(path), 'new').catch(refusal), path).to.equal('Links are not followed')
    }
    expect(await workspace.list(place('x'), (folder) => readdir(folder)).catch(refusal)).to.match(/not followed/)
    expect([await readdir(outside), await readFile(join(outside, 'a.txt'), 'utf8')]).to.deep.equal([
      ['a.txt'],
      'secret',
    ])
  })

  it('follows none that takes the place of a folder meanwhile', async () => {
    const path = join(base, 'x')
    let isOver = false
    let links = 0
    const exchange = async (): Promise<void> => {
      while (!isOver) {
        // A tool may make the folder again at any time.
        await rm(path, { recursive: true, force: true }).catch(() => undefined)
        await symlink(outside, path).then(
          () => links++,
          () => undefined,
        )
        await unlink(path).catch(() => undefined)
        await mkdir(path).catch(() => undefined)
        await writeFile(join(path, 'a.txt'), 'own').catch(() => undefined)
      }
    }
    const exchanged = exchange()
    for (let i = 0; i < 300; i++) {
      expect(await read('x/a.txt').catch(() => 'refused')).to.not.equal('secret')
      await workspace.write(place('x/a.txt'), 'own').catch(() => undefined)
    }
    isOver = true
    await exchanged
    expect(links).to.be.above(0)
    expect([await readdir(outside), await readFile(join(outside, 'a.txt'), 'utf8')]).to.deep.equal([
      ['a.txt'],
      'secret',
    ])
  })

  describe('for results', () => {
    const call = { turn: 't1', id: 'c1', origin: {} }
    const warnings: string[] = []
    const results = () =>
      new Results(() => workspace, new TestClock(), { warn: (text: string) => void warnings.push(text) } as never)

    it('keeps them, and removes old ones', async () => {
      await workspace.write(place('.results/t0/c0.txt'), 'old')
      await utimes(join(base, '.results/t0'), OLD, OLD)
      expect(await results().keep('whole', call)).to.equal('.results/t1/c1.txt')
      expect(await readdir(join(base, '.results'))).to.deep.equal(['t1'])
      await results().record(call, { started: true })
      expect(await results().progress(call)).to.deep.equal({ started: true })
    })

    it('writes and removes nothing behind a link', async () => {
      await utimes(join(outside, 'a.txt'), OLD, OLD)
      await symlink(outside, join(base, '.results'))
      expect(await results().keep('whole', call).catch(refusal)).to.equal('Links are not followed')
      await rm(join(base, '.results'))
      await mkdir(join(base, '.results'))
      await symlink(outside, join(base, '.results/t0'))
      await mkdir(join(base, '.results/t2/own'), { recursive: true })
      await utimes(join(base, '.results/t2'), OLD, OLD)
      await results().keep('whole', call)
      expect(await readdir(outside)).to.deep.equal(['a.txt'])
      expect(warnings.join()).to.match(/ENOTEMPTY/)
    })
  })
})
