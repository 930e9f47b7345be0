import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'

describe('policy imports', () => {
  it('imports only its own files, the parser and the rule engine', () => {
    const folder = new URL('../../src/policy/', import.meta.url)
    const imported = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) =>
        [...readFileSync(new URL(file, folder), 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? ''),
      )
    expect([...new Set(imported.filter((name) => !/^\.\.?\//.test(name)))].sort()).to.deep.equal(['re2js', 'unbash'])
  })
})
