import { expect } from 'chai'
import fc from 'fast-check'
import { environmentFiles, parseEnvironment, readEnvironment } from './environment.js'
import { folder, removeFolders } from '../test/folder.js'

describe('readEnvironment', () => {
  afterEach(removeFolders)

  it('reads names and values, comments and exports', () => {
    expect(
      parseEnvironment('# c\nA=1\nexport B = two words # c\n\nC=\nD=a#b\nnot a line\n=x\r\nE=z\r\n'),
    ).to.deep.equal({ A: '1', B: 'two words', C: '', D: 'a#b', E: 'z' })
  })

  it('reads single quotes literally and escapes in double quotes', () => {
    expect(parseEnvironment('A=\'a\\n$B # no\'\nB="a\\n\\"b\\" # no" # c\nC="two\nlines"\nD=after')).to.deep.equal({
      A: 'a\\n$B # no',
      B: 'a\n"b" # no',
      C: 'two\nlines',
      D: 'after',
    })
  })

  it('loses one line at most to a missing quote', () => {
    expect(parseEnvironment('A="open\nB=2')).to.deep.equal({ A: '"open', B: '2' })
  })

  it('never throws, for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseEnvironment(text)))
  })

  it('prefers later files', async () => {
    const root = await folder({ '.env': 'A=1\nB=1\nC=1', '.env.local': 'B=2\nC=2', '.env.test': 'C=3' })
    expect(await readEnvironment(root, 'test')).to.deep.equal({ A: '1', B: '2', C: '3' })
    expect(await readEnvironment(root, undefined)).to.deep.equal({ A: '1', B: '2', C: '2' })
  })

  it('never reads outside the folder', () => {
    for (const name of ['../x', 'a/b', '', '.', '..', 'a\\b'])
      expect(environmentFiles(name)).to.deep.equal(['.env', '.env.local'])
  })

  it('rejects for an unreadable file, not for a missing one', async () => {
    const root = await folder({ '.env/inside': '' })
    let failure: unknown
    await readEnvironment(root, undefined).catch((error: unknown) => {
      failure = error
    })
    expect(failure).to.include({ code: 'config/unreadable' })
    expect((failure as Error).message)
      .to.contain('.env')
      .and.not.to.contain(root)
  })
})
