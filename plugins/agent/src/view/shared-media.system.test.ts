import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import type { Database } from '@mynah/database-api'
import { MediaFolder } from './media.js'
import { MediaParts, SharedMedia } from './shared-media.js'

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

onEverySystem('SharedMedia', (open) => {
  let database: Database
  const folders: string[] = []
  beforeEach(async () => {
    const { store } = await open()
    await store.contribute([MediaParts])
    database = store
  })
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })

  /** Returns the media of a host that shares the database. */
  async function host(): Promise<MediaFolder> {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-media-'))
    folders.push(folder)
    return new MediaFolder(folder, new SharedMedia(database))
  }

  for (const [what, size] of [
    ['nothing', 0],
    ['one part', 1_000],
    ['the bytes of two whole parts', 2 * 262_143],
    ['several parts and a rest', 600_001],
  ] as const)
    it(`gives a host what another one has stored: ${what}`, async () => {
      const bytes = Buffer.alloc(size, 'mynah')
      const [one, two] = [await host(), await host()]
      const { hash } = await one.store(bytes, 'image/png')
      // Once more, as when the same picture is sent again.
      await two.store(bytes, 'image/png')
      expect((await (await host()).load(hash))?.equals(bytes)).to.equal(true)
    })

  it('keeps a copy in the folder of the host that has used it', async () => {
    const [one, two] = [await host(), await host()]
    const { hash } = await one.store(Buffer.from('picture'), 'image/png')
    await two.load(hash)
    await database.tx((db) => db.run('DELETE FROM media_part'))
    expect(String(await two.load(hash))).to.equal('picture')
    expect(await (await host()).load(hash)).to.equal(undefined)
  })

  it('gives nothing where a part is missing or is another one', async () => {
    const bytes = Buffer.alloc(300_000, 'a')
    const one = await host()
    const { hash } = await one.store(bytes, 'image/png')
    await database.tx((db) => db.run('UPDATE media_part SET body = $1 WHERE part = 1', ['AAAA']))
    expect(await (await host()).load(hash)).to.equal(undefined)
    await database.tx((db) => db.run('DELETE FROM media_part WHERE part = 1'))
    expect(await (await host()).load(hash)).to.equal(undefined)
  })

  it('leaves media over 20 MB with the host that got them', async () => {
    const large = Buffer.alloc(20 * 1_048_576 + 1)
    const shared = new SharedMedia(database)
    await shared.add(hashOf(large), large)
    expect(await shared.get(hashOf(large))).to.equal(undefined)
  })
})
