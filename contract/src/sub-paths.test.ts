// The sub-paths hold what they promise: types without a file, constants without imports, a builder that is one small
// file.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { expect } from 'chai'
import { Type as Bundled } from '@mynah/contract/type'
import { Type } from './type.js'

const packed = new URL('./', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, Record<string, string>>
}

describe('the sub-paths of the package', () => {
  it('have no runtime file for types', () => {
    expect(Object.keys(manifest.exports['./types'] as object)).to.deep.equal(['types'])
  })

  it('keep the constants free of imports', () => {
    expect(readFileSync(new URL('wire.js', packed), 'utf8')).to.not.match(/\bimport\b|\brequire\(/)
  })

  it('include the schema builder as one small file without imports', () => {
    const bundle = new URL('type.bundle.js', packed)
    expect(existsSync(bundle)).to.equal(true)
    expect(statSync(bundle).size).to.be.below(64 * 1024)
    expect(readFileSync(bundle, 'utf8')).to.not.match(/\bimport\s*[({'"*]|from\s*['"]/)
  })

  it('build the same schemas as the library', () => {
    const build = (T: typeof Type) =>
      T.Object({
        a: T.String({ minLength: 1 }),
        b: T.Optional(T.Enum(['x', 'y'])),
        c: T.Record(T.String(), T.Union([T.Null(), T.Literal(1)])),
        d: T.Array(T.Integer({ default: 3 })),
        e: T.Unknown(),
        f: T.Boolean(),
        g: T.Number(),
      })
    expect(JSON.stringify(build(Bundled as typeof Type))).to.equal(JSON.stringify(build(Type)))
  })
})
