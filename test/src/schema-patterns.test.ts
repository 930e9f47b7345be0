import { expect } from 'chai'
import { checkFile } from '@mynah/kernel/loader'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WholeHost } from './whole-host.js'

/** Places of patterns in a schema that no description and no example goes with. */
function unexplained(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { pattern, description, examples } = schema as { pattern?: unknown; description?: unknown; examples?: unknown }
  const own = typeof pattern === 'string' && description === undefined && examples === undefined ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([key, inner]) => unexplained(inner, `${path}.${key}`))]
}

const count = (text: string, part: string): number => text.split(part).length - 1

describe('patterns of configuration schemas', function () {
  this.timeout(120_000)
  let host: WholeHost
  before(async () => {
    host = await WholeHost.start()
  })
  after(() => host.close())

  it('are explained in words in each schema', async () => {
    const { json, text } = await host.rpc('schema:get-all')
    expect(count(text, '"pattern":"')).to.be.greaterThan(10)
    expect(unexplained(json['data'], 'data')).to.deep.equal([])
  })

  it('are explained by the host and by config check when a value does not match', async () => {
    const { json } = await host.rpc('config:set', {
      pluginName: 'marketplace',
      data: { registry: 'ftp://example.org' },
    })
    const said = 'does not fit the form that is asked for: Address of the npm registry'
    expect(JSON.stringify(json)).to.contain(said).and.not.contain('^https?')
    const file = join(host.folder, 'other.yml')
    await writeFile(file, 'plugins: [marketplace]\nmarketplace: { registry: "ftp://example.org" }\n')
    const checked = JSON.stringify(await checkFile(file, { env: {} }))
    expect(checked).to.contain(said).and.not.contain('^https?')
  })
})
