// Tests the links of the documentation site.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { asPage, guidesIn, pagesOf } from './docs.mjs'
import { root } from './lib.mjs'

describe('the site of the documentation', () => {
  const pages = ['README.md', 'docs/a.md', 'plugins/chat/README.md']
  const page = (text, at = 'docs/a.md', source = undefined) => asPage(text, at, pages, source)

  it('keeps links to pages, headings, pictures and other sites', () => {
    const text = '[a](a.md) [b](#b) ![c](c.png) [d](https://d.example) [e](../plugins/chat/README.md#options)'
    expect(page(text)).to.equal(text)
  })

  it('leads from folders to their pages', () => {
    expect(page('[chat](../plugins/chat) [chat](../plugins/chat/#options)')).to.equal(
      '[chat](../plugins/chat/README.md) [chat](../plugins/chat/README.md#options)',
    )
  })

  it('leads from other files to the repository, as far as it has an address', () => {
    expect(page('[code](../plugins/chat/src/index.ts#L3)')).to.equal('[code](/sources.md)')
    expect(page('[code](../kernel/src/host.ts)', 'docs/a.md', 'https://code.example/main/')).to.equal(
      '[code](https://code.example/main/kernel/src/host.ts)',
    )
  })

  it('lists the guides in the order of need, and each language apart', () => {
    const all = ['mcp', 'another', 'connect', 'zh-CN/connect', 'compose'].map((name) => `docs/guides/${name}.md`)
    expect(guidesIn('docs/guides', all).map((name) => name.slice(12, -3))).to.deep.equal([
      'compose',
      'connect',
      'mcp',
      'another',
    ])
    expect(guidesIn('docs/guides/zh-CN', all)).to.deep.equal(['docs/guides/zh-CN/connect.md'])
  })

  it('has the guides, and the page of each package and example', () => {
    const all = pagesOf()
    expect(all).to.include.members(['README.md', 'docs/guides/connect.md', 'plugins/agent/README.md'])
    expect(all.filter((name) => !existsSync(join(root, name)))).to.deep.equal([])
  })
})
