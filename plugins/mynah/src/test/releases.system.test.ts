// Hosts of earlier releases, started by this one. test/releases has a folder of each, made by running that release.
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { CHANGED_DEFAULTS } from '../cli/upgrade/changed-defaults.js'
import { Bench, freePort } from './cli.js'
import { columnsOf, withDatabase, withoutEffect, type Column, type Recorded, type Run } from './release-data.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const RELEASES = join(ROOT, 'test/releases')
const TOKEN = 'a-token-for-the-example-hosts'

/** Tables whose rows are written once. The rows of the release are there as it wrote them. */
const WRITTEN_ONCE = ['agent_entry', 'exec_audit', 'endpoint_change']

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
      const recorded = await readFile(join(folder, 'statements.jsonl'), 'utf8')
      const statements = recorded
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Recorded)
      const before = await withDatabase(database, columnsOf)
      const written = await withDatabase(database, (run) => rowsOf(run, before))
      const approvals = await readFile(join(folder, 'data/owner-approve-always.json'), 'utf8')
      bench = Bench.at(folder)

      const first = bench.start('start', { HTTP_TOKEN: TOKEN })
      await first.shows(/(\d+) of \1 plugins are up/)
      const enabled = CHANGED_DEFAULTS.filter(({ plugin }) => text.includes(`  - ${plugin}\n`))
      expect(enabled.length).to.be.above(5)
      const told = enabled.map(({ keep }) => JSON.stringify(keep).slice(1, -1))
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
      const after = await withDatabase(database, columnsOf)
      const nameOf = ({ table, name }: Column): string => `${table}.${name}`
      expect(after.map(nameOf)).to.include.members(before.map(nameOf))
      const known = new Set(before.map(nameOf))
      const tables = new Set(before.map(({ table }) => table))
      expect(after.filter((one) => tables.has(one.table) && !known.has(nameOf(one)) && one.needed)).to.deep.equal([])
      // Its own reads and writes work on the file as the new version has left it.
      expect(statements.length).to.be.greaterThan(50)
      expect(await withDatabase(database, (run) => withoutEffect(run, statements))).to.deep.equal([])
      const now = await withDatabase(database, (run) => rowsOf(run, before))
      expect(written.length).to.be.greaterThan(10)
      expect(now).to.include.members(written)
      // Its configuration and the files next to the database are as it wrote them.
      expect(await readFile(file, 'utf8')).to.equal(text)
      expect(await readFile(join(folder, 'data/owner-approve-always.json'), 'utf8')).to.equal(approvals)
      expect(existsSync(join(folder, 'mynah.config.yml.bak'))).to.equal(false)
    })
  }
})

/** Returns the rows of the tables that are written once, with the columns of the release only. */
async function rowsOf(run: Run, columns: readonly Column[]): Promise<string[]> {
  const rows: string[] = []
  for (const table of WRITTEN_ONCE) {
    const names = columns.filter((column) => column.table === table).map(({ name }) => `"${name}"`)
    for (const row of await run(`SELECT ${names.join(', ')} FROM ${table}`))
      rows.push(`${table} ${JSON.stringify(row)}`)
  }
  return rows
}
