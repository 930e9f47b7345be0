// Hosts that share a database and have packages of their own: each says which versions it has.
import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { until } from '@mynah/kernel/testing'
import { needPostgres, postgres } from '@mynah/plugin-database/testing'
import { ClusterHost } from './cluster-host.js'

const DICE = 'mynah-plugin-dice'
const manifestOf = (version: string): string =>
  JSON.stringify({ name: DICE, version, type: 'module', exports: './index.js' })

describe('packages of hosts that share a database', function () {
  this.timeout(240_000)
  let url: string
  const hosts: ClusterHost[] = []

  before(async function () {
    await needPostgres(this)
  })
  beforeEach(async () => {
    url = await (await postgres()).create()
  })
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.remove()
    await (await postgres()).drop(url)
  })

  const start = async (name: string, version: string): Promise<ClusterHost> => {
    const folder = `node_modules/${DICE}`
    const host = await ClusterHost.start(name, url, {
      plugins: [DICE],
      files: {
        [`${folder}/package.json`]: manifestOf(version),
        [`${folder}/index.js`]: `export default { name: 'dice', setup() {} }\n`,
      },
    })
    hosts.push(host)
    return host
  }
  /** Waits until a host says what the hosts have, without those of Mynah. */
  const shows = (host: ClusterHost, versions: Readonly<Record<string, string>>): Promise<void> => {
    let seen = ''
    return until(
      async () => {
        const { hosts: rows } = await host.client.rpc('cluster:hosts', {}).catch(() => ({ hosts: [] }))
        seen = JSON.stringify(Object.fromEntries(rows.map(({ name, packages }) => [name, packages])))
        const expected = Object.entries(versions).map(([name, version]) => [name, { [DICE]: version }])
        return seen === JSON.stringify(Object.fromEntries(expected))
      },
      () => `${JSON.stringify(versions)}, not ${seen}`,
    )
  }

  it('are known to all of them, and follow an update', async () => {
    const one = await start('one', '1.0.0')
    await shows(one, { one: '1.0.0' })
    const two = await start('two', '1.1.0')
    await shows(one, { one: '1.0.0', two: '1.1.0' })
    await shows(two, { one: '1.0.0', two: '1.1.0' })
    expect(await one.running.signal('SIGTERM')).to.equal(0)
    await writeFile(join(dirname(one.file), 'node_modules', DICE, 'package.json'), manifestOf('1.1.0'))
    one.restart()
    await shows(two, { one: '1.1.0', two: '1.1.0' })
  })
})
