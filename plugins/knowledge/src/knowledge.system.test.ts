import { appendFile, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { newFolder, Rig, writeFiles, type Bases } from './test/support.js'

interface Counted {
  readonly n: number | string
}

onEverySystem('the documents of a base', (open) => {
  const cleanups: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })

  async function folder(files: Readonly<Record<string, string>>): Promise<string> {
    const { path, remove } = await newFolder()
    cleanups.push(remove)
    await writeFiles(path, files)
    return path
  }
  async function start(root: string, bases: Bases, opened?: Awaited<ReturnType<typeof open>>): Promise<Rig> {
    const rig = await Rig.start(opened ?? (await open()), bases, root)
    cleanups.push(() => rig.knowledge.stop())
    return rig
  }
  const count = async (rig: Rig, table: string): Promise<number> => {
    const [row] = await rig.database.read((db) => db.query<Counted>(`SELECT count(*) AS n FROM ${table}`))
    return Number(row?.n)
  }

  it('are found by words of the text, of a heading and of another form, in both scripts', async () => {
    const root = await folder({
      'docs/oven.md': '# Kitchen\n## Cleaning the oven\nUse vinegar.\n',
      'docs/boat.txt': 'The boats sailed at dawn.',
      'docs/zh.md': '# 部署\n用反向代理提供证书。',
    })
    const rig = await start(root, { house: ['docs'] })
    expect(await rig.paths('vinegar', 'house')).to.deep.equal(['docs/oven.md'])
    expect(await rig.paths('how is an oven cleaned', 'house')).to.deep.equal(['docs/oven.md'])
    expect(await rig.paths('sailing boat', 'house')).to.deep.equal(['docs/boat.txt'])
    expect(await rig.paths('怎么配置反向代理', 'house')).to.deep.equal(['docs/zh.md'])
    expect(await rig.paths('证', 'house')).to.deep.equal(['docs/zh.md'])
    expect(await rig.paths('submarine', 'house')).to.deep.equal([])
    const [found] = await rig.search('vinegar', ['house'])
    expect(found).to.deep.equal({
      base: 'house',
      path: 'docs/oven.md',
      heading: 'Kitchen › Cleaning the oven',
      text: 'Use vinegar.',
    })
  })

  it('are found in their own base alone', async () => {
    const root = await folder({ 'a/x.md': 'plum', 'b/x.md': 'plum' })
    const rig = await start(root, { first: ['a'], second: ['b'] })
    expect(await rig.paths('plum', 'first')).to.deep.equal(['a/x.md'])
    expect(await rig.paths('plum', 'first', 'second')).to.have.members(['a/x.md', 'b/x.md'])
    expect(await rig.paths('plum', 'none')).to.deep.equal([])
  })

  it('are found whatever a question contains', async () => {
    const rig = await start(await folder({ 'x.md': 'plum' }), { house: ['x.md'] })
    for (const question of ['"plum', 'plum* OR (', "plum'; --", 'plum:^NEAR(', 'plum \0 \ud800', 'NOT plum'])
      expect(await rig.paths(question, 'house'), question).to.deep.equal(['x.md'])
  })

  it('follow changes, new files and removed ones', async () => {
    const root = await folder({ 'docs/a.md': 'plum', 'docs/b.md': 'pear' })
    const rig = await start(root, { house: ['docs'] })
    await writeFile(join(root, 'docs/a.md'), 'quince quince')
    await until(async () => (await rig.paths('quince', 'house')).length === 1)
    expect(await rig.paths('plum', 'house')).to.deep.equal([])
    await mkdir(join(root, 'docs/new'))
    await writeFile(join(root, 'docs/new/c.md'), 'medlar')
    await until(async () => (await rig.paths('medlar', 'house'))[0] === 'docs/new/c.md')
    await rm(join(root, 'docs/b.md'))
    await until(async () => (await rig.paths('pear', 'house')).length === 0)
    expect(rig.changes).to.include('house')
  })

  it('are not read again when they have not changed, and are when they changed while nothing ran', async () => {
    const root = await folder({ 'docs/a.md': 'plum', 'docs/b.md': 'pear', 'docs/c.md': 'fig' })
    const opened = await open()
    const first = await start(root, { house: ['docs'] }, opened)
    const before = await first.knowledge.store.files('house')
    await first.knowledge.stop()
    await appendFile(join(root, 'docs/b.md'), ' and quince')
    await utimes(join(root, 'docs/a.md'), 1, 1)
    await rm(join(root, 'docs/c.md'))
    const second = await start(root, { house: ['docs'] }, opened)
    const after = await second.knowledge.store.files('house')
    expect(after.map(({ path }) => path)).to.deep.equal(['docs/a.md', 'docs/b.md'])
    expect(after[0]?.version).to.equal(before[0]?.version)
    expect(after[1]?.version).to.not.equal(before[1]?.version)
    expect(await second.paths('quince', 'house')).to.deep.equal(['docs/b.md'])
  })

  it('are kept while their folder is not there, and removed when their base has no such folder any more', async () => {
    const root = await folder({ 'docs/a.md': 'plum' })
    const opened = await open()
    await (await start(root, { house: ['docs'] }, opened)).knowledge.stop()
    await rename(join(root, 'docs'), join(root, 'moved'))
    const second = await start(root, { house: ['docs'] }, opened)
    expect(await second.paths('plum', 'house')).to.deep.equal(['docs/a.md'])
    expect(second.knowledge.missing('house')).to.deep.equal(['docs'])
    expect(second.warnings.join()).to.include('ai.knowledge.house')
    await second.knowledge.stop()
    const third = await start(root, {}, opened)
    expect(await third.paths('plum', 'house')).to.deep.equal([])
    expect([await count(third, 'knowledge_file'), await count(third, 'knowledge_chunk')]).to.deep.equal([0, 0])
  })

  it('do not include hidden files, links, other kinds and what is too large', async () => {
    const root = await folder({
      'docs/.secret.md': 'plum',
      'docs/.git/x.md': 'plum',
      'docs/node_modules/x.md': 'plum',
      'docs/x.exe': 'plum',
      'outside.md': 'plum',
      'docs/large.txt': 'plum '.repeat(900_000),
    })
    await symlink(join(root, 'outside.md'), join(root, 'docs/link.md'))
    const rig = await start(root, { house: ['docs'] })
    expect(await rig.paths('plum', 'house')).to.deep.equal([])
    expect((await rig.knowledge.store.figures('house')).problems).to.deep.equal([
      { path: 'docs/large.txt', problem: 'it is larger than 4 MB' },
    ])
  })

  it('lose nothing that a half-written version of one has left', async () => {
    const root = await folder({ 'docs/a.md': 'plum' })
    const opened = await open()
    const first = await start(root, { house: ['docs'] }, opened)
    await first.knowledge.stop()
    const [row] = await first.knowledge.store.files('house')
    if (!row) throw new Error('the document is not there')
    // A stop before the end of a new version.
    const writer = first.knowledge.store.write({ ...row, hash: 'new' }, () => 2_000)
    for (let n = 0; n < 120; n++) await writer.add({ headings: [], text: `quince ${n}` })
    expect(await first.paths('quince', 'house')).to.deep.equal([])
    expect(await first.paths('plum', 'house')).to.deep.equal(['docs/a.md'])
    expect(await count(first, 'knowledge_chunk')).to.be.above(100)
    const second = await start(root, { house: ['docs'] }, opened)
    expect(await count(second, 'knowledge_chunk')).to.equal(1)
    expect(await second.paths('plum', 'house')).to.deep.equal(['docs/a.md'])
  })

  it('take uploads, which replace one another and survive a start', async () => {
    const opened = await open()
    const root = await folder({})
    const first = await start(root, { house: [] }, opened)
    const upload = (text: string) =>
      first.knowledge.indexer.upload({ base: 'house', path: 'notes.md', bytes: new TextEncoder().encode(text) })
    expect(await upload('# Fruit\nplum')).to.deep.equal({ chunks: 1 })
    await upload('# Fruit\nquince')
    expect(await first.paths('plum', 'house')).to.deep.equal([])
    await first.knowledge.stop()
    const second = await start(root, { house: [] }, opened)
    expect(await second.paths('quince', 'house')).to.deep.equal(['notes.md'])
    const [row] = await second.knowledge.store.files('house')
    if (row) await second.knowledge.indexer.remove(row)
    expect(await second.paths('quince', 'house')).to.deep.equal([])
    expect(await count(second, 'knowledge_chunk')).to.equal(0)
  })

  it('say which need another plugin, and are read again when it is there', async () => {
    const opened = await open()
    const root = await folder({ 'docs/a.html': '<h1>Fruit</h1><p>plum' })
    const first = await start(root, { house: ['docs'] }, opened)
    expect((await first.knowledge.store.figures('house')).problems.map(({ problem }) => problem)).to.deep.equal([
      'the plugin agent does not run',
    ])
    const refused = first.knowledge.indexer.upload({ base: 'house', path: 'b.pdf', bytes: new Uint8Array(9) })
    expect(await refused.catch((error: Error) => error.message)).to.include('"b.pdf" cannot be read yet')
    await first.knowledge.stop()
    const documents = { current: { read: async () => ({ text: '', parts: ['# Fruit\n\nplum'] }) } }
    const second = await Rig.start(opened, { house: ['docs'] }, root, documents as never)
    cleanups.push(() => second.knowledge.stop())
    expect((await second.search('plum', ['house'])).map(({ heading }) => heading)).to.deep.equal(['Fruit'])
  })
})
