import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Database } from '../api.js'
import { folder, item, Items } from '../testing/fixture.js'
import { run } from '../test/host.js'

const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

describe('the files of SQLite', () => {
  let umask: number
  before(() => {
    umask = process.umask(0)
  })
  after(() => void process.umask(umask))

  const modes = async (path: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(path))
          .filter((name) => name.includes('.sqlite'))
          .map(async (name) => [name, await mode(join(path, name))] as const),
      ),
    )

  it('are private from the first write on, in a private folder', async () => {
    const { path, remove } = await folder()
    const data = join(path, 'data')
    await mkdir(data, { mode: 0o755 })
    const host = await run({}, { data })
    await (host.host.get(Database) as Database).append(Items, [item('secret')])
    expect(await modes(data)).to.deep.equal({
      'mynah.sqlite': '600',
      'mynah.sqlite-shm': '600',
      'mynah.sqlite-wal': '600',
      'mynah.sqlite.lock': '600',
    })
    expect(await mode(data)).to.equal('700')
    await host.stop()
    await remove()
  })

  it('become private at a start, in a folder that keeps its mode if it does not belong to the host', async () => {
    const { path, remove } = await folder()
    const own = join(path, 'own')
    await mkdir(own)
    await chmod(own, 0o755)
    await writeFile(join(own, 'my.sqlite'), '', { mode: 0o644 })
    const host = await run({ file: join(own, 'my.sqlite') }, { data: path })
    expect(new Set(Object.values(await modes(own)))).to.deep.equal(new Set(['600']))
    expect(await mode(own)).to.equal('755')
    await host.stop()
    const made = await run({ file: join(path, 'deep', 'er', 'my.sqlite') }, { data: path })
    expect([await mode(join(path, 'deep')), await mode(join(path, 'deep', 'er'))]).to.deep.equal(['700', '700'])
    await made.stop()
    await remove()
  })
})
