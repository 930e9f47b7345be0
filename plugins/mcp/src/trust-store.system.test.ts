import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { DatabaseTrust, FileTrust, MemoryTrust, type TrustStore } from './trust-store.js'
import type { AcceptedServer } from './trust.js'

const server = (target: string, ...tools: string[]): AcceptedServer => ({
  target,
  tools: new Map(tools.map((name) => [name, { fingerprint: `hash of ${name}`, description: `about ${name}` }])),
})

/** Tests the behaviour of every trust store. */
function trustStoreContract(open: () => Promise<TrustStore>): void {
  it('returns what was written', async () => {
    const store = await open()
    await store.write('one', server('a', 'read', 'write'))
    expect(await store.read('one')).to.deep.equal(server('a', 'read', 'write'))
  })

  it('returns undefined for an unknown server', async () => {
    const store = await open()
    expect(await store.read('none')).to.equal(undefined)
  })

  it('replaces a server and keeps the others', async () => {
    const store = await open()
    await Promise.all([store.write('one', server('a', 'read')), store.write('two', server('b', 'write'))])
    await store.write('one', server('c'))
    expect(await store.read('one')).to.deep.equal(server('c'))
    expect(await store.read('two')).to.deep.equal(server('b', 'write'))
  })
}

describe('MemoryTrust', () => {
  trustStoreContract(() => Promise.resolve(new MemoryTrust()))
})

describe('FileTrust', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-trust-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  trustStoreContract(() => Promise.resolve(new FileTrust(folder)))

  it('reads the file of an earlier process', async () => {
    await new FileTrust(folder).write('one', server('a', 'read'))
    expect(await new FileTrust(folder).read('one')).to.deep.equal(server('a', 'read'))
    expect(JSON.parse(await readFile(join(folder, 'mcp-accepted.json'), 'utf8'))).to.have.property('version', 1)
  })

  it('fails on a malformed file and does not overwrite it', async () => {
    const file = join(folder, 'mcp-accepted.json')
    await writeFile(file, '{')
    const store = new FileTrust(folder)
    for (const work of [store.read('one'), store.write('one', server('a'))])
      expect(
        String(
          await work.then(
            () => 'done',
            (error: unknown) => error,
          ),
        ),
      ).to.include('is malformed')
    expect(await readFile(file, 'utf8')).to.equal('{')
  })
})

onEverySystem('DatabaseTrust', (open) => {
  trustStoreContract(async () => new DatabaseTrust((await open()).store))
})
