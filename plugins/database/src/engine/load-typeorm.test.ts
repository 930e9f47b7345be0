// TypeORM is loaded without the drivers that nobody asked for, and nothing else in the process notices.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const LOADER = new URL('./load-typeorm.js', import.meta.url).href
const STORE = new URL('../store/store.js', import.meta.url).href

/** What a fresh process prints. */
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
const folders = `(['mysql', 'oracle', 'sap', 'spanner', 'mongodb/MongoDriver', 'postgres'].map((name) => loaded('typeorm/driver/' + name)))`

describe('loading TypeORM', () => {
  it('leaves out the drivers of other systems and the tools, which would come by themselves', async () => {
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

  it('gives everybody else the real modules', async () => {
    expect(
      await printed(`${load} const { globSync } = require('glob'); const { DataSource } = require('typeorm');
      const made = await new DataSource({ type: 'sqlite', database: ':memory:' }).initialize(); await made.destroy();
      console.log(JSON.stringify([typeof globSync, require('typeorm/driver/mysql/MysqlDriver.js').MysqlDriver.name]))`),
    ).to.deep.equal(['function', 'MysqlDriver'])
  })

  it('brings a driver when a data source of its system is made', async () => {
    expect(
      await printed(`${load} const { DataSource } = require('typeorm'); const source = new DataSource({ type: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none' });
      console.log(JSON.stringify([source.driver.constructor.name, loaded('typeorm/driver/postgres/PostgresDriver') > 0, loaded('typeorm/driver/oracle')]))`),
    ).to.deep.equal(['PostgresDriver', true, 0])
  })
})
