// Hosts of earlier releases, started by this one. test/releases has a folder of each, made by running that release.
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { CHANGED_DEFAULTS } from '../cli/upgrade/changed-defaults.js'
import { Bench, freePort } from './cli.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const RELEASES = join(ROOT, 'test/releases')
const TOKEN = 'a-token-for-the-example-hosts'

interface Column {
  readonly table: string
  readonly name: string
  readonly needed: number
}
interface Sqlite {
  readonly Database: new (file: string) => {
    all(sql: string, done: (error: Error | null, rows: unknown[]) => void): void
    close(done: () => void): void
  }
}

/** Returns the columns of all tables, with whether an insert must name them. */
async function columnsOf(file: string): Promise<Column[]> {
  const plugin = createRequire(join(ROOT, 'plugins/database/package.json'))
  const { Database } = plugin('sqlite3') as Sqlite
  const database = new Database(file)
  const sql = `SELECT m.name AS "table", c.name, c."notnull" AND c.dflt_value IS NULL AS needed
    FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`
  const rows = await new Promise<unknown[]>((resolve, reject) =>
    database.all(sql, (error, found) => (error ? reject(error) : resolve(found))),
  )
  await new Promise<void>((resolve) => database.close(resolve))
  return rows as Column[]
}

describe('a host of an earlier release', () => {
  let bench: Bench | undefined
  afterEach(async () => {
    await bench?.remove()
    if (bench) await rm(bench.folder, { recursive: true, force: true })
    bench = undefined
  })

  for (const release of readdirSync(RELEASES)) {
    it(`${release}: goes on with its data, says once what has changed, and can go back`, async function () {
      this.timeout(180_000)
      const folder = await mkdtemp(join(tmpdir(), 'mynah-release-'))
      await cp(join(RELEASES, release), folder, { recursive: true })
      const database = join(folder, 'data/mynah.sqlite')
      await writeFile(database, gunzipSync(await readFile(`${database}.gz`)))
      await rm(`${database}.gz`)
      await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      const file = join(folder, 'mynah.config.yml')
      const [port, practice] = [await freePort(), await freePort()]
      const text = (await readFile(file, 'utf8'))
        .replaceAll('18086', String(port))
        .replaceAll('18087', String(practice))
      await writeFile(file, text)
      const before = await columnsOf(database)
      const approvals = await readFile(join(folder, 'data/owner-approve-always.json'), 'utf8')
      bench = Bench.at(folder)

      const first = bench.start('start', { HTTP_TOKEN: TOKEN })
      await first.shows(/(\d+) of \1 plugins are up/)
      const told = CHANGED_DEFAULTS.map(({ keep }) => JSON.stringify(keep).slice(1, -1))
      for (const keep of told) expect(first.out).to.contain(keep)
      const rpc = async (type: string, data: object = {}): Promise<string> => {
        const response = await fetch(`http://127.0.0.1:${port}/api/console/request`, {
          method: 'POST',
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
          body: JSON.stringify({ type, requestId: 1, data, ...data }),
        })
        return response.text()
      }
      const ann = { type: 'private', id: 'ann' }
      const history = (): Promise<string> => rpc('sandbox:history', { endpointId: 'sandbox', channel: ann })
      expect(await history()).to.contain('You said: plain words')
      expect(await rpc('cron:list')).to.contain('Good morning')
      const message = { endpointId: 'sandbox', channel: ann, sender: { id: 'ann', name: 'Ann' }, content: 'still here' }
      await rpc('sandbox:send', message)
      await until(async () => (await history()).includes('You said: still here'), 'an answer')
      expect(await first.signal('SIGTERM')).to.equal(0)

      const second = bench.start('start', { HTTP_TOKEN: TOKEN })
      await second.shows(/(\d+) of \1 plugins are up/)
      expect(second.out).not.to.contain('changed in')
      expect(await second.signal('SIGTERM')).to.equal(0)

      // The release finds all that it has written, and nothing that its inserts must name.
      const after = await columnsOf(database)
      const nameOf = ({ table, name }: Column): string => `${table}.${name}`
      expect(after.map(nameOf)).to.include.members(before.map(nameOf))
      const known = new Set(before.map(nameOf))
      const tables = new Set(before.map(({ table }) => table))
      expect(after.filter((one) => tables.has(one.table) && !known.has(nameOf(one)) && one.needed)).to.deep.equal([])
      expect(await readFile(join(folder, 'data/owner-approve-always.json'), 'utf8')).to.equal(approvals)
      expect(existsSync(join(folder, 'mynah.config.yml.bak'))).to.equal(false)
    })
  }
})
