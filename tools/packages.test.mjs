// Published packages hold what is needed, and nothing else.
import { expect } from 'chai'
import { packageFaults, packedFiles, publicPackages } from './packages.mjs'

describe('published packages', () => {
  it('hold their builds and pages, and no tests', function () {
    this.timeout(60_000)
    const packages = publicPackages()
    const files = packedFiles(packages)
    expect(packages.length).to.be.greaterThan(10)
    expect(packages.flatMap((entry) => packageFaults(entry, files.get(entry.manifest.name)))).to.deep.equal([])
  })

  it('are refused with tests, records of the compiler, or without what they promise', () => {
    const manifest = {
      name: 'a',
      license: 'MIT',
      publishConfig: { access: 'public' },
      engines: { node: '>=20.19' },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      bin: { a: './dist/cli.js' },
      description: 'A',
      homepage: 'https://a.test',
      bugs: 'https://a.test',
      repository: 'a',
      keywords: ['a'],
    }
    const good = [
      'README.md',
      'LICENSE',
      'package.json',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/cli.js',
      'dist/testing.js',
    ]
    const faults = (files, changed = manifest) => packageFaults({ folder: 'nowhere', manifest: changed }, files)
    expect(faults(good)).to.deep.equal([])
    for (const path of [
      'dist/test/support.js',
      'dist/inner/test/a.d.ts',
      'dist/a.test.js.map',
      'dist/.tsbuildinfo',
      'data/http-token',
    ])
      expect(faults([...good, path]), path).to.deep.equal([`a: ${path} must not be packed`])
    for (const path of ['README.md', 'LICENSE', 'dist/index.d.ts', 'dist/cli.js'])
      expect(faults(good.filter((file) => file !== path)), path).to.have.length(1)
    expect(faults(good, { ...manifest, license: 'ISC', publishConfig: undefined, engines: undefined })).to.have.length(
      3,
    )
    for (const key of ['description', 'homepage', 'bugs', 'repository', 'keywords'])
      expect(faults(good, { ...manifest, [key]: undefined }), key).to.have.length(1)
  })
})
