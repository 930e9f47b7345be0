import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { CHANGED_DEFAULTS } from './changed-defaults.js'
import { UpgradeNotice } from './upgrade-notice.js'

const GUIDE = new URL('../../../../../docs/upgrading.md', import.meta.url)
const change = {
  ...{ id: 'a', since: '2.0.0', plugin: 'mcp', options: ['ai.mcpServers.*.roles'] },
  ...{ change: 'tools of servers are for trusted users', keep: 'roles: [user]' },
}
const values = (mcpServers: object, plugins: unknown[] = ['mcp']): Record<string, unknown> => ({
  plugins,
  ai: { mcpServers },
})

describe('UpgradeNotice', () => {
  let data: string
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'mynah-upgrade-'))
  })
  afterEach(() => rm(data, { recursive: true, force: true }))
  const old = (): Promise<void> => writeFile(join(data, 'mynah.sqlite'), '')

  it('tells an existing host once what has changed and what keeps the old', async () => {
    await old()
    const notice = await UpgradeNotice.of(data, [change])
    expect(notice.lines(values({ one: {} }))).to.deep.equal([
      'changed in 2.0.0: tools of servers are for trusted users (mcp); to keep it as it was: roles: [user]',
    ])
    await notice.remember()
    expect((await UpgradeNotice.of(data, [change])).lines(values({ one: {} }))).to.deep.equal([])
    const later = { ...change, id: 'b', since: '3.0.0' }
    expect((await UpgradeNotice.of(data, [change, later])).lines(values({ one: {} }))).to.have.length(1)
  })

  it('tells a new host nothing, now and later', async () => {
    const notice = await UpgradeNotice.of(join(data, 'new'), [change])
    expect(notice.lines(values({ one: {} }))).to.deep.equal([])
    await notice.remember()
    await writeFile(join(data, 'new', 'mynah.sqlite'), '')
    expect((await UpgradeNotice.of(join(data, 'new'), [change])).lines(values({ one: {} }))).to.deep.equal([])
  })

  it('tells nothing about plugins that are off, and options that are set', async () => {
    await old()
    const notice = await UpgradeNotice.of(data, [change])
    expect(notice.lines(values({ one: {} }, ['chat', { name: 'mcp', enabled: false }]))).to.deep.equal([])
    expect(notice.lines(values({ one: { roles: ['user'] } }))).to.deep.equal([])
    expect(notice.lines(values({ one: { roles: ['user'] }, two: {} }, [{ name: 'mcp' }]))).to.have.length(1)
  })

  it('tells again where its file is damaged', async () => {
    await old()
    await writeFile(join(data, 'defaults.json'), '{')
    expect((await UpgradeNotice.of(data, [change])).lines(values({ one: {} }))).to.have.length(1)
  })

  it('knows only changes that the guide explains', async () => {
    const guide = await readFile(GUIDE, 'utf8')
    for (const { keep, change: text } of CHANGED_DEFAULTS) {
      expect(guide).to.contain(keep)
      expect(guide.toLowerCase()).to.contain(text.toLowerCase())
    }
    expect(new Set(CHANGED_DEFAULTS.map(({ id }) => id)).size).to.equal(CHANGED_DEFAULTS.length)
  })
})
