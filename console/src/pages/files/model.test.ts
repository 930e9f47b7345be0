import { expect } from 'chai'
import { endingOf, findNode, isPath, isVariable, parentsOf, parseDrafts, parseEnv, rowsOf, writeEnv } from './model.js'

const text = '# keys\nexport A=1\nB="two words" # why\n\nC=\'x\ny\'\nnot a variable\nD=\n'

const values = (source: string) =>
  Object.fromEntries(
    parseEnv(source)
      .filter(isVariable)
      .map(({ name, value }) => [name, value]),
  )

const tree = [
  {
    name: 'skills',
    path: 'skills',
    type: 'directory' as const,
    children: [
      {
        name: 'deploy',
        path: 'skills/deploy',
        type: 'directory' as const,
        children: [{ name: 'SKILL.md', path: 'skills/deploy/SKILL.md', type: 'file' as const }],
      },
    ],
  },
  { name: 'AGENTS.md', path: 'AGENTS.md', type: 'file' as const },
]

describe('an environment file', () => {
  it('is read with quotes, exports, comments and values of several lines', () => {
    expect(values(text)).to.deep.include({ A: '1', D: '' })
    expect(
      parseEnv(text)
        .filter(isVariable)
        .map((line) => line.name),
    ).to.deep.equal(['A', 'B', 'C', 'D'])
  })

  it('is written back unchanged without changes', () => {
    expect(writeEnv(parseEnv(text), {})).to.equal(text)
    expect(writeEnv(parseEnv(''), {})).to.equal('')
  })

  it('changes, adds and removes variables and keeps other lines', () => {
    const next = writeEnv(parseEnv(text), { A: '2', D: undefined, E: 'a b' })
    expect(next)
      .to.contain('# keys\nA=2\nB="two words" # why')
      .and.to.contain('not a variable')
      .and.to.match(/E='a b'\n$/)
    expect(next).to.not.match(/^D=/m)
  })

  it('quotes what needs it, so that it reads back the same', () => {
    for (const value of ['', 'plain', 'two words', 'a#b', "it's", '$HOME', 'x=y'])
      expect(values(writeEnv([], { V: value })), value).to.deep.equal({ V: value })
  })
})

describe('the file tree', () => {
  it('shows the content of open folders, or all matches of a filter', () => {
    expect(rowsOf(tree, new Set(), '').map((row) => row.node.name)).to.deep.equal(['skills', 'AGENTS.md'])
    expect(rowsOf(tree, new Set(['skills']), '').map((row) => [row.node.name, row.depth])).to.deep.equal([
      ['skills', 1],
      ['deploy', 2],
      ['AGENTS.md', 1],
    ])
    expect(rowsOf(tree, new Set(), 'skill.md').map((row) => row.node.name)).to.deep.equal([
      'skills',
      'deploy',
      'SKILL.md',
    ])
    expect(rowsOf(tree, new Set(), 'zzz')).to.deep.equal([])
  })

  it('finds a node and the folders above it', () => {
    expect(findNode(tree, 'skills/deploy/SKILL.md')?.name).to.equal('SKILL.md')
    expect(findNode(tree, 'skills/nothing')).to.equal(undefined)
    expect(parentsOf('skills/deploy/SKILL.md')).to.deep.equal(['skills', 'skills/deploy'])
    expect([endingOf('a/b.test.TS'), endingOf('LICENSE')]).to.deep.equal(['ts', ''])
  })

  it('takes only paths below the folder', () => {
    expect(isPath('skills/new/SKILL.md')).to.equal(true)
    for (const path of ['', '/etc/passwd', '../x', 'a/../b', 'a//b', 'a\\b', './a'])
      expect(isPath(path), path).to.equal(false)
  })

  it('reads stored drafts, and drops invalid ones', () => {
    expect(parseDrafts('{"a":{"base":"1","etag":"e","text":"2"},"b":5,"c":{"base":1}}')).to.deep.equal({
      a: { base: '1', etag: 'e', text: '2' },
    })
    for (const stored of [null, '', '{', '5', 'null']) expect(parseDrafts(stored)).to.deep.equal({})
  })
})
