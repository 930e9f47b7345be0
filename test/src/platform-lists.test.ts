// The platforms of this project, wherever they are listed: all lists name the same ones.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { platformsOf } from '../../console/test/dist/src/pages/setup/offers.js'
import { USAGE } from '../../create-mynah/dist/answers.js'
import { PLATFORMS } from '../../create-mynah/dist/index.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PREFIX = 'adapter-'

const read = (path: string): Promise<string> => readFile(`${ROOT}/${path}`, 'utf8')

describe('the list of platforms', () => {
  let adapters: readonly string[]
  before(async () => {
    const plugins = await readdir(`${ROOT}/plugins`)
    adapters = plugins.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length))
  })

  it('of npm create mynah, mynah setup and mynah endpoint add has every adapter', () => {
    expect(PLATFORMS).to.have.members(adapters)
  })

  it('of the console has every adapter but the sandbox', () => {
    const offered = platformsOf([]).map(({ name }) => name)
    expect(offered).to.have.members(adapters.filter((name) => name !== 'sandbox'))
  })

  it('of the pages has every adapter', async () => {
    expect(USAGE).to.contain(`--platform ${PLATFORMS.join('|')}\n`)
    expect(await read('create-mynah/README.md')).to.contain(`--platform ${PLATFORMS.join('\\|')}`)
    for (const page of ['docs/README.md', 'docs/adapters.md', 'docs/guides/zh-CN/adapters.md'])
      for (const name of adapters) expect(await read(page), page).to.contain(`plugins/adapter-${name}/README.md`)
    for (const page of ['docs/guides/compose.md', 'docs/guides/zh-CN/compose.md'])
      for (const name of adapters) expect(await read(page), page).to.contain(`\`adapter-${name}\``)
    for (const page of ['docs/guides/connect.md', 'docs/guides/zh-CN/connect.md'])
      for (const name of adapters.filter((one) => one !== 'sandbox'))
        expect(await read(page), page).to.contain(`adapter: ${name}`)
  })
})
