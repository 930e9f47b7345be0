import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const LOADER = new URL('./load-typeorm.js', import.meta.url).href
const STORE = new URL('../store/store.js', import.meta.url).href

/** Returns the output of a new process, parsed. */
async function printed(code: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '-e',
    `
    import { createRequire } from 'node:module'
    const require = createRequire(${JSON.stringify(LOADER)})
    const loaded = (part) => Object.keys(require.cache).filter((file) => file.includes(part)).length
    ${code}`,
  ])
  return JSON.parse(stdout)
}
const load = `;(await import(${JSON.stringify(LOADER)})).loadTypeorm(); await import(${JSON.stringify(STORE)});`
const folders =
  "(['mysql', 'oracle', 'sap', 'spanner', 'mongodb/MongoDriver', 'postgres']" +
  ".map((name) => loaded('typeorm/driver/' + name)))"

describe('loadTypeorm', () => {
  it('does not load other drivers and tools', async () => {
    expect(
      await printed(`${load} console.log(JSON.stringify([${folders}, loaded('/glob/'), loaded('/sha.js/')]))`),
    ).to.deep.equal([[0, 0, 0, 0, 0, 0], 0, 0])
    const [before, after] = (await printed(`${load} const lazy = loaded(''); process.stdout.write('[' + lazy + ',');
      for (const name of ['mysql/MysqlDriver', 'oracle/OracleDriver', 'postgres/PostgresDriver']) require('typeorm/driver/' + name + '.js'); console.log(loaded('') + ']')`)) as [
      number,
      number,
    ]
    expect(after).to.be.greaterThan(before)
  })

  it('leaves the real modules to other importers', async () => {
    expect(
      await printed(`${load} const { globSync } = require('glob'); const { DataSource } = require('typeorm');
      const made = await new DataSource({ type: 'sqlite', database: ':memory:' }).initialize(); await made.destroy();
      console.log(JSON.stringify([typeof globSync, require('typeorm/driver/mysql/MysqlDriver.js').MysqlDriver.name]))`),
    ).to.deep.equal(['function', 'MysqlDriver'])
  })

  it('loads a driver on first use', async () => {
    expect(
      await printed(`${load} const { DataSource } = require('typeorm'); const source = new DataSource({ type: 'postgres', url: 'postgres://user@127.0.0.1:1/none' });
      console.log(JSON.stringify([source.driver.constructor.name, loaded('typeorm/driver/postgres/PostgresDriver') > 0, loaded('typeorm/driver/oracle')]))`),
    ).to.deep.equal(['PostgresDriver', true, 0])
  })
})
