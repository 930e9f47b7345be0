import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import { needPostgres, postgres } from '@mynah/plugin-database/testing'
import { connect, type Session } from '../database/connect.js'
import { createTables } from '../database/host-tables.js'
import { Disk } from './disk.js'
import { SharedFiles } from './shared-files.js'

/** The folder of a host that shares its files. */
class Machine {
  readonly root: string
  readonly warnings: string[] = []
  told = 0
  files: SharedFiles
  readonly #session: Session

  private constructor(root: string, session: Session) {
    this.root = root
    this.#session = session
    this.files = this.#shared()
  }

  static async make(session: Session): Promise<Machine> {
    const root = await mkdtemp(join(tmpdir(), 'mynah-shared-'))
    await mkdir(join(root, 'data'))
    return new Machine(root, session)
  }

  #shared(): SharedFiles {
    return new SharedFiles({
      disk: new Disk(this.root),
      memory: join(this.root, 'data', 'shared-files.json'),
      clock: systemClock,
      log: { debug() {}, info() {}, warn: (text) => void this.warnings.push(text), error() {} },
      use: (work) => work(this.#session),
      tell: () => void this.told++,
    })
  }

  /** Forgets what a process knows, as a restart does. */
  restart(): this {
    this.files = this.#shared()
    return this
  }

  async write(path: string, text: string): Promise<this> {
    await mkdir(dirname(join(this.root, path)), { recursive: true })
    await writeFile(join(this.root, path), text)
    return this
  }

  read(path: string): Promise<string | undefined> {
    return readFile(join(this.root, path), 'utf8').catch(() => undefined)
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true })
  }
}

describe('files that hosts share', function () {
  this.timeout(60_000)
  let url: string
  let session: Session
  let one: Machine
  let two: Machine

  before(async function () {
    await needPostgres(this)
  })
  beforeEach(async () => {
    url = await (await postgres()).create()
    session = await connect(url, 'test', () => {})
    await createTables(session)
    one = await Machine.make(session)
    two = await Machine.make(session)
  })
  afterEach(async () => {
    await session.end()
    for (const machine of [one, two]) await machine.remove()
    await (await postgres()).drop(url)
  })
  const settle = async (...machines: readonly Machine[]): Promise<void> => {
    for (const machine of machines) await machine.files.reconcile()
  }

  it('are the same on all, with changes and removals', async () => {
    await one.write('SOUL.md', 'kind')
    await one.write('skills/tea/SKILL.md', 'how to make tea')
    await one.write('workspace/mine.txt', 'not shared')
    await one.write('data/mynah.sqlite', 'not shared')
    await one.write('skills/.env', 'not shared')
    await settle(one, two)
    expect(await two.read('SOUL.md')).to.equal('kind')
    expect(await two.read('skills/tea/SKILL.md')).to.equal('how to make tea')
    for (const path of ['workspace/mine.txt', 'data/mynah.sqlite', 'skills/.env'])
      expect(await two.read(path), path).to.equal(undefined)
    expect([one.told, two.told]).to.deep.equal([1, 0])
    await two.write('SOUL.md', 'kinder')
    await rm(join(two.root, 'skills/tea/SKILL.md'))
    await settle(two.restart(), one.restart())
    expect(await one.read('SOUL.md')).to.equal('kinder')
    expect(await one.read('skills/tea/SKILL.md')).to.equal(undefined)
    await one.write('skills/tea/SKILL.md', 'once more')
    await settle(one, two)
    expect(await two.read('skills/tea/SKILL.md')).to.equal('once more')
    expect([...one.warnings, ...two.warnings]).to.deep.equal([])
  })

  it('keep the lines that two hosts add at the same time', async () => {
    await one.write('data/memory/MEMORY.md', '- likes tea\n')
    await settle(one, two)
    await one.write('data/memory/MEMORY.md', '- likes tea\n- has a cat\n')
    await two.write('data/memory/MEMORY.md', '- likes tea\n- lives in Oslo\n')
    await settle(one, two, one)
    const both = '- likes tea\n- has a cat\n- lives in Oslo\n'
    expect([await one.read('data/memory/MEMORY.md'), await two.read('data/memory/MEMORY.md')]).to.deep.equal([
      both,
      both,
    ])
  })

  it('lose nothing where two hosts have changed the same words: one is set aside, and the log says where', async () => {
    await one.write('SOUL.md', 'kind\n')
    await settle(one, two)
    await one.write('SOUL.md', 'strict\n')
    await two.write('SOUL.md', 'funny\n')
    await settle(one, two, one)
    expect([await one.read('SOUL.md'), await two.read('SOUL.md')]).to.deep.equal(['strict\n', 'strict\n'])
    const [warning = ''] = two.warnings
    const [, kept = ''] = /is now (\S+)/.exec(warning) ?? []
    expect(await two.read(kept)).to.equal('funny\n')
    expect(one.warnings).to.deep.equal([])
  })

  it('leave a file alone that has become too large', async () => {
    await one.write('data/memory/MEMORY.md', 'small\n')
    await settle(one, two)
    await one.write('data/memory/MEMORY.md', 'x'.repeat(2_000_000))
    await settle(one, two, one)
    expect((await one.read('data/memory/MEMORY.md'))?.length).to.equal(2_000_000)
    expect(await two.read('data/memory/MEMORY.md')).to.equal('small\n')
    expect(one.warnings).to.have.length(1)
  })

  it('are there again after the database was emptied', async () => {
    await one.write('SOUL.md', 'kind')
    await settle(one)
    await session.query('DELETE FROM shared_file')
    await settle(one.restart(), two)
    expect(await two.read('SOUL.md')).to.equal('kind')
  })

  it('write nothing outside of the shared folders, whatever a row says', async () => {
    for (const path of ['../evil', '/etc/evil', 'skills/../../evil', 'mynah.config.yml', 'skills/.git/hooks/pre-push'])
      await session.query(
        `INSERT INTO shared_file (path, rev, sha, body) VALUES ($1, nextval('shared_file_rev'), 'x', 'x')`,
        [path],
      )
    await settle(one)
    for (const path of ['../evil', 'skills/../../evil', 'mynah.config.yml', 'skills/.git/hooks/pre-push'])
      expect(await one.read(path), path).to.equal(undefined)
  })
})
