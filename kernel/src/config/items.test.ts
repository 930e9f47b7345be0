import { expect } from 'chai'
import { join } from 'node:path'
import { checkFile, loadHost } from '../loader.js'
import { folder, removeFolders } from '../test/folder.js'

const SEEN = Symbol.for('mynah.test.seen')
const OWNER = `export default { name: 'owner', config: { key: 'accounts', schema: { type: 'array', default: [], items: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } } } },
  setup(ctx) { globalThis[Symbol.for('mynah.test.seen')]?.push(ctx.config) } }`
const PHONE = `const schema = { type: 'object', additionalProperties: false, required: ['number'],
  properties: { kind: { type: 'string' }, enabled: { type: 'boolean' }, number: { type: 'integer' }, ring: { type: 'boolean', default: true } } }
export default { name: 'phone', items: [{ list: 'accounts', key: 'kind', value: 'phone', schema }] }`

describe('items of a list of another plugin', () => {
  const seen: unknown[] = []
  beforeEach(() => {
    seen.length = 0
    ;(globalThis as Record<symbol, unknown>)[SEEN] = seen
  })
  afterEach(async () => {
    delete (globalThis as Record<symbol, unknown>)[SEEN]
    await removeFolders()
  })

  const write = async (accounts: string, plugins = './owner.js, ./phone.js'): Promise<string> =>
    join(
      await folder({
        'mynah.config.yml': `plugins: [${plugins}]\naccounts:\n${accounts}`,
        'owner.js': OWNER,
        'phone.js': PHONE,
      }),
      'mynah.config.yml',
    )
  const problems = async (accounts: string, plugins?: string, env = {}): Promise<string[]> =>
    (await checkFile(await write(accounts, plugins), { env })).map(
      ({ severity, message, place }) => `${severity} ${place?.line} ${message}`,
    )

  it('are checked by the schema of the plugin they belong to, with line, key and the nearest key', async () => {
    expect(await problems('  - kind: phone\n    numbr: 3\n')).to.deep.equal([
      'item 3 accounts[0].number is required',
      'item 4 accounts[0].numbr is not known here; did you mean "number"?',
    ])
    expect(await problems('  - { kind: phone, number: 3 }\n')).to.deep.equal([])
  })

  it('may belong to a plugin without a schema; only a similar name is reported', async () => {
    expect(await problems('  - { kind: pigeon, feathers: 9 }\n')).to.deep.equal([])
    expect(await problems('  - { kind: phnoe, number: 3 }\n')).to.deep.equal([
      'warning 3 accounts[0].kind "phnoe" belongs to no plugin with a schema; did you mean "phone"?',
    ])
  })

  it('may have mistakes while they are disabled, or while the plugin is', async () => {
    expect(await problems('  - { kind: phone, enabled: false }\n')).to.deep.equal([])
    expect(await problems('  - { kind: phone }\n', './owner.js, { name: ./phone.js, enabled: false }')).to.deep.equal(
      [],
    )
  })

  it('keep nothing else from running: the owner of the list gets them as written', async () => {
    const { host, problems: found } = await loadHost(await write('  - { kind: phone, number: many }\n'), { env: {} })
    await host.start()
    await host.stop()
    expect(found.map(({ severity }) => severity)).to.deep.equal(['item'])
    expect(seen).to.deep.equal([[{ kind: 'phone', number: 'many' }]])
  })

  it('refuse a change while the host runs, unless the item had the mistake before', async () => {
    const good = await write('  - { kind: phone, number: 3 }\n')
    const { host, configuration } = await loadHost(good, { env: {} })
    await host.start()
    const mistaken = configuration.text().replace('number', 'numbr')
    const { accepted, problems: found } = await configuration.apply(mistaken)
    expect(accepted).to.equal(false)
    expect(found.map(({ severity }) => severity)).to.deep.equal(['item', 'item'])
    await host.stop()
    expect(seen).to.deep.equal([[{ kind: 'phone', number: 3 }]])
    const bad = await loadHost(await write('  - { kind: phone, number: many }\n'), { env: {} })
    await bad.host.start()
    const more = await bad.configuration.apply(`${bad.configuration.text()}  - { kind: phone, number: 4 }\n`)
    await bad.host.stop()
    expect(more.accepted).to.equal(true)
  })

  it('get values of variables in the type that the schema asks for', async () => {
    const file = await write('  - { kind: phone, number: "${NUMBER}", ring: "${RING:-false}" }\n')
    const { host, problems: found } = await loadHost(file, { env: { NUMBER: '112' } })
    await host.start()
    await host.stop()
    expect(found).to.deep.equal([])
    expect(seen).to.deep.equal([[{ kind: 'phone', number: 112, ring: false }]])
  })
})
