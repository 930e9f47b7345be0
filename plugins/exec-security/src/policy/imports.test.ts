import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../src/policy/', import.meta.url)
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)
const importsOf = (file: string): string[] =>
  [...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? '')

describe('policy imports', () => {
  it('imports only its own files, the parser and the rule engine', () => {
    const others = FILES.flatMap(importsOf).filter((name) => !/^\.\.?\//.test(name))
    expect([...new Set(others)].sort()).to.deep.equal(['re2js', 'unbash'])
  })

  it('reads all of the text at one place only, so that nothing of it runs where something holds a command', () => {
    const readers = FILES.filter(
      (file) => !file.startsWith('text/') && importsOf(file).some((name) => name.includes('/text/')),
    )
    expect(readers).to.deep.equal(['evaluate-command.ts'])
  })
})
