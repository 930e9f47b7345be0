import { expect } from 'chai'
import { join } from 'node:path'
import { checkFile } from '../loader.js'
import { folder, removeFolders } from '../test/folder.js'

const STORE = "{ kind: 'service', id: 'store', key: 'store@1', plugin: 'shelf' }"
const SHOP = `export default { name: 'shop', needs: { store: ${STORE} }, setup() {} }`
const SHELF = `export default { name: 'shelf', provides: [${STORE}], setup(ctx) { ctx.provide(${STORE}, {}) } }`
const QUIET = `export default { name: 'quiet', needs: {
  store: { kind: 'ref', service: ${STORE} }, other: { kind: 'if-enabled', service: ${STORE} },
  paths: { kind: 'service', id: 'paths', key: 'paths@1' } }, setup() {} }`

describe('needs of the configuration', () => {
  afterEach(removeFolders)

  const problems = async (plugins: string): Promise<string[]> => {
    const root = await folder({
      'mynah.config.yml': `plugins:\n${plugins}`,
      'shop.js': SHOP,
      'shelf.js': SHELF,
      'quiet.js': QUIET,
      'broken.js': 'throw new Error("boom")',
    })
    return (await checkFile(join(root, 'mynah.config.yml'), { env: {} })).map(
      ({ severity, code, message, place }) => `${severity} ${code} ${place?.line} ${message}`,
    )
  }

  it('that no enabled plugin meets are warnings, with the plugin to add', async () => {
    const warning =
      'warning config/unmet-need 2 shop waits for "store", which no enabled plugin provides: add "shelf" to plugins'
    expect(await problems('  - ./shop.js')).to.deep.equal([warning])
    expect(await problems('  - ./shop.js\n  - { name: ./shelf.js, enabled: false }')).to.deep.equal([warning])
    expect(await problems('  - ./shop.js\n  - ./shelf.js')).to.deep.equal([])
    expect(await problems('  - { name: ./shop.js, enabled: false }')).to.deep.equal([])
  })

  it('are not judged where they are optional, met by the host, or where a plugin did not load', async () => {
    expect(await problems('  - ./quiet.js')).to.deep.equal([])
    expect(await problems('  - ./shop.js\n  - ./broken.js')).to.deep.equal([
      'plugin plugin/unloadable 3 ./broken.js cannot be loaded: boom',
    ])
  })
})
