import { expect } from 'chai'
import { parseDocument } from './document.js'

const problemOf = (text: string): unknown => {
  const { message, place } = parseDocument(text, 'my.yml').problems[0] ?? {}
  return [message, place?.line]
}

describe('syntax errors of a configuration', () => {
  it('name the line and the key whose colon is missing', () => {
    expect(problemOf('name: plum\nhttp\n  port: 6280\n')).to.deep.equal(['a colon is missing: write "http: …"', 2])
    expect(problemOf('name: plum\nport 6280\n')).to.deep.equal(['a colon is missing: write "port: …"', 2])
    expect(problemOf('http:\n  port 6280\n\n  # an address\n  host: a\n')).to.deep.equal([
      'a colon is missing: write "port: …"',
      2,
    ])
    expect(problemOf('a:\n  b: 1\n  c\n  d: 2\n')).to.deep.equal(['a colon is missing: write "c: …"', 3])
  })

  it('quote no text that may be a secret', () => {
    for (const secret of ['sk-ant-api03-x7', 'hunter2', 'a'.repeat(31), '123:AAF'])
      expect(JSON.stringify(problemOf(`name: plum\n${secret}\nport: 1\n`)), secret).not.to.contain(secret)
    expect(problemOf('name: plum\nsk-ant-api03-x7\nport: 1\n')).to.deep.equal(['a colon is missing', 2])
  })

  it('are those of the parser where a value has several lines', () => {
    expect(problemOf('a: some text\n  goes on\n b: 1\n')).to.deep.equal(['bad indentation of a mapping entry', 3])
    expect(problemOf('x:\n  a: |\n    text here\n   b: 1\n')).to.deep.equal(['bad indentation of a mapping entry', 4])
  })

  it('are those of the parser where each line has a colon', () => {
    expect(problemOf('a:\n  - b\n  c: 1\n')).to.deep.equal(['bad indentation of a mapping entry', 3])
    expect(problemOf('a: x: y\n')).to.deep.equal(['bad indentation of a mapping entry', 1])
    expect(problemOf('a:\n\tb: 1\n')).to.deep.equal(['tab characters must not be used in indentation', 2])
  })
})
