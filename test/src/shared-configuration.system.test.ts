// The configuration of two hosts that share a database, as processes.
import { readFile, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { startPostgres, needPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { startBoth, type ClusterHost } from './cluster-host.js'

const sandbox = (id: string): { adapter: string; id: string } => ({ adapter: 'sandbox', id })

describe('the configuration of hosts that share a database', function () {
  this.timeout(240_000)
  let server: TestServer
  let url: string
  let database: InstanceType<typeof pg.Client>
  const hosts: ClusterHost[] = []
  const both = (): [ClusterHost, ClusterHost] => hosts as [ClusterHost, ClusterHost]
  before(async function () {
    await needPostgres(this)
    server = await startPostgres()
    url = await server.create()
    // The longest pause of a busy machine is not taken for a death.
    await startBoth(url, hosts, { lease: '60s', plugins: ['workspace'] })
    database = new pg.Client({ connectionString: url })
    await database.connect()
    for (const host of hosts) await runs(host, 'sandbox')
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    await database?.end()
    if (server) await server.drop(url)
  })

  const newest = async (): Promise<number> =>
    Number((await database.query<{ rev: string }>('SELECT max(rev) AS rev FROM config_revision')).rows[0]?.rev)
  const save = (host: ClusterHost, ...ids: string[]): Promise<unknown> =>
    host.client.rpc('config:set', { pluginName: 'endpoints', data: ids.map(sandbox) })

  it('changes on both when it is saved on any', async () => {
    const [one, two] = both()
    await save(two, 'sandbox', 'second')
    for (const host of hosts) await runs(host, 'sandbox second')
    await save(one, 'sandbox', 'third')
    for (const host of hosts) await runs(host, 'sandbox third')
    expect(await readFile(one.file, 'utf8')).to.equal(await readFile(two.file, 'utf8'))
    await until(async () => {
      const known = await one.client.rpc('cluster:hosts', {})
      return known.hosts.map(({ revision }) => revision).join() === '3,3'
    }, 'each says that it runs revision 3')
  })

  it('follows a file that was pushed, and not one that was only edited', async () => {
    const [one] = both()
    const edited = (await readFile(one.file, 'utf8')).replace('third', 'by-hand')
    await writeFile(one.file, edited)
    const before = await newest()
    const reloaded = await one.run('reload')
    expect(reloaded.code).to.equal(0)
    expect(reloaded.out).to.match(/mynah config push/)
    await lists(one, 'sandbox third')
    const asked = await one.run('config push')
    expect(asked.code).to.equal(4)
    expect(asked.out)
      .to.match(/^ {2}- .*third/m)
      .and.match(/^ {2}\+ .*by-hand/m)
    expect(asked.err).to.match(/nothing was changed\n.*--yes/)
    expect(await newest()).to.equal(before)
    const pushed = await one.run('config push --yes --json')
    expect(pushed.code).to.equal(0)
    const { revision, changes } = JSON.parse(pushed.out) as { revision: number; changes: readonly string[] }
    expect(revision).to.equal(before + 1)
    expect(changes.join('\n')).to.match(/by-hand/)
    for (const host of hosts) await runs(host, 'by-hand sandbox')
    const again = await one.run('config push --yes')
    expect(again.out).to.match(/nothing to push/)
  })

  it('refuses a file with mistakes, and says where they are', async () => {
    const [, two] = both()
    const good = await readFile(two.file, 'utf8')
    await writeFile(two.file, good.replace('lease: 60s', 'lease: long'))
    const refused = await two.run('config push --yes')
    expect(refused.code).to.equal(2)
    expect(refused.err).to.match(/cluster\.lease/)
    await writeFile(two.file, good)
    expect((await two.run('config push')).out).to.match(/nothing to push/)
  })

  it('is the same on both after a host was killed while it saved', async () => {
    const [one, two] = both()
    const before = await newest()
    await database.query('BEGIN')
    await database.query('LOCK TABLE config_revision IN SHARE MODE')
    const saving = save(one, 'sandbox', 'killed').catch(() => 'no answer')
    // The statement of the host waits in the database, which carries it out after the death of the host.
    await until(async () => {
      await database.query('SELECT pg_stat_clear_snapshot()')
      const { rows } = await database.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
        AND query LIKE '%INSERT INTO config_revision%' AND pid <> pg_backend_pid()`)
      return rows.length > 0
    }, 'the host saves')
    await one.kill()
    expect(await saving).to.equal('no answer')
    await database.query('COMMIT')
    await until(async () => (await newest()) === before + 1, 'the revision is stored')
    await runs(two, 'killed sandbox')
    one.restart()
    await runs(one, 'killed sandbox')
  })

  it('says where a host cannot run it', async () => {
    const [one, two] = both()
    const text = await readFile(one.file, 'utf8')
    const plugin = `${one.file}.mjs`
    await writeFile(plugin, `export default { name: 'only-here', setup() {} }`)
    await writeFile(one.file, text.replace('workspace]', 'workspace, ./mynah.config.yml.mjs]'))
    const pushed = await one.run('config push --yes')
    expect(pushed.code, pushed.err).to.equal(0)
    await until(async () =>
      /two .*cannot run revision \d+ of one: .*mynah\.config\.yml\.mjs/.test((await one.status()).out),
    )
    expect((await two.status()).out).to.match(/cluster +ok +this host cannot run revision/)
    await runs(two, 'killed sandbox')
    const refused = await save(two, 'sandbox').catch(({ code, message }) => `${code} ${message}`)
    expect(refused).to.match(/^conflict one has made revision/)
    await writeFile(one.file, text)
    expect((await one.run('config push --yes')).code).to.equal(0)
    await until(async () => !/cannot run revision/.test((await one.status()).out))
    await runs(two, 'killed sandbox')
  })
})

/** Waits until a host runs these endpoints of the sandbox, whatever its file has. */
async function lists({ client, name }: ClusterHost, ids: string): Promise<void> {
  await until(async () => {
    const { endpoints } = await client.rpc('endpoint:list', {}).catch(() => ({ endpoints: [] }))
    return sorted(endpoints.map((endpoint) => endpoint.name)) === ids
  }, `${name} runs ${ids}`)
}

/** Waits until the file of a host has these endpoints too. */
async function runs(host: ClusterHost, ids: string): Promise<void> {
  await lists(host, ids)
  await until(async () => {
    const { config } = await host.client.rpc('config:get-all', {}).catch(() => ({ config: {} }))
    const { endpoints = [] } = config as { readonly endpoints?: readonly { readonly id: string }[] }
    return sorted(endpoints.map(({ id }) => id)) === ids
  }, `the file of ${host.name} has ${ids}`)
}

const sorted = (ids: readonly string[]): string => [...ids].sort().join(' ')
