import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { openSqlite, Store } from '@mynah/plugin-database/testing'
import { Chunks, Files } from '../tables.js'
import { newFolder, Rig, writeFiles } from './support.js'

const DOCUMENTS = 300
const PROCESS = fileURLToPath(new URL('indexing-process.js', import.meta.url))
const EVENTS = { changed() {}, tableFailed() {}, listenerFailed() {} }

describe('a host that is killed while it reads documents', () => {
  it('goes on where it was: each document is there once, and those that were read are not read again', async () => {
    const { path, remove } = await newFolder()
    const file = join(path, 'mynah.sqlite')
    await writeFiles(
      path,
      Object.fromEntries(
        Array.from({ length: DOCUMENTS }, (_, n) => [
          `docs/${n}.md`,
          `# Note ${n}\n${`plum number${n} text. `.repeat(200)}`,
        ]),
      ),
    )
    const open = async () => new Store(await openSqlite(file, Date.now()), systemClock, EVENTS as never).open()
    let store: Store | undefined
    try {
      const child = spawn(process.execPath, [PROCESS, file, path], { stdio: 'ignore' })
      const ended = once(child, 'exit')
      store = await open()
      const reading = store
      await reading.contribute([Files, Chunks])
      const known = () => reading.read((db) => db.find(Files))
      await until(async () => (await known()).length > 20 || child.exitCode !== null)
      child.kill('SIGKILL')
      await ended
      const before = new Map((await known()).map(({ path: name, version }) => [name, version]))
      const rig = await Rig.start(
        { store, changes: [], failures: [], close: async () => {} },
        { house: ['docs'] },
        path,
      )
      await rig.knowledge.stop()
      const after = await known()
      expect(after.length).to.equal(DOCUMENTS)
      for (const { path: name, version } of after) if (before.has(name)) expect(version).to.equal(before.get(name))
      const chunks = after.reduce((sum, row) => sum + row.chunks, 0)
      expect(await store.read((db) => db.count(Chunks))).to.equal(chunks)
      expect(await rig.paths('number217', 'house')).to.deep.equal(['docs/217.md'])
    } finally {
      await store?.close()
      await remove()
    }
  })
})
