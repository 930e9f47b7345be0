// Tests the check of names in documentation and comments.
import { expect } from 'chai'
import { oldNames, staleNames } from './check-names.mjs'

describe('the check of names', () => {
  const old = oldNames(
    [
      '| Old name | New name |',
      '| --- | --- |',
      '| `nonsense` | `randomJson` |',
      '| `src/roster.ts` | `src/plugin-set.ts` |',
      '- `nearest` → `closestMatch`',
    ].join('\n'),
  )
  const check = (files) => staleNames(new Map(Object.entries(files)), old)

  it('reads old names and old files of tables and lists', () => {
    expect([...old]).to.deep.equal([
      ['nonsense', 'randomJson'],
      ['roster.ts', 'src/plugin-set.ts'],
      ['nearest', 'closestMatch'],
    ])
  })

  it('finds names that no code has, in pages and comments', () => {
    const files = {
      'a.md': 'Call `leapingClock.now()`,\nor `fetch(address)`.',
      'a.ts': 'fetch(address)\n/**\n * See `lateValue`.\n */\nconst now = 1',
    }
    expect(check(files)).to.deep.equal(['a.md:1: no code has `leapingClock`', 'a.ts:3: no code has `lateValue`'])
  })

  it('finds old words and old files with their successors', () => {
    expect(
      check({ 'a.md': '`nonsense` is in `core/roster.ts`, `nearest` in `core/loop.ts`', 'plugin-set.ts': '' }),
    ).to.deep.equal([
      'a.md:1: no code has `nonsense`; its name is `randomJson` now',
      'a.md:1: no code has `roster.ts`; its name is `src/plugin-set.ts` now',
      'a.md:1: no code has `nearest`; its name is `closestMatch` now',
    ])
  })

  it('accepts a word that code still has, but not in a comment, a sentence or a test', () => {
    const page = { 'a.md': '`nearest`' }
    expect(check({ ...page, 'a.ts': 'const nearest = 1' })).to.deep.equal([])
    expect(check({ ...page, 'a.ts': "send('nearest')" })).to.deep.equal([])
    for (const [file, text] of [
      ['a.ts', '// nearest it'],
      ['a.ts', "say('Do not nearest it')"],
      ['a.test.ts', 'const nearest = 1'],
    ])
      expect(check({ ...page, [file]: text }), text).to.have.length(1)
  })

  it('accepts names of the blocks of code of the page, of tests and of sentences', () => {
    const page = {
      'a.md': 'Save `myShop`.\n```ts\nconst myShop = 1\n```\nIt uses `useBench`, with `adapter|channelId`.',
    }
    expect(
      check({ ...page, 'a.test.ts': 'useBench()', 'b.ts': "describe('an account, as adapter|channelId')" }),
    ).to.deep.equal([])
    expect(check(page)).to.have.length(2)
  })

  it('reads no page that tells of the past', () => {
    expect(check({ 'CHANGELOG.md': '`nearest`', 'docs/adr/0001-names.md': '`leapingClock`' })).to.deep.equal([])
  })
})
