// Tests the content of published packages and their addresses.
import { expect } from 'chai'
import { completed, missingAddresses, withAddresses } from './manifests.mjs'
import { packageFaults, packedFiles, publicPackages } from './packages.mjs'

describe('published packages', () => {
  it('hold their builds and pages, and no tests', function () {
    this.timeout(60_000)
    const packages = publicPackages()
    const files = packedFiles(packages)
    expect(packages.length).to.be.greaterThan(10)
    expect(packages.flatMap((entry) => packageFaults(entry, files.get(entry.manifest.name)))).to.deep.equal([])
  })

  it('are refused with tests, with records of the compiler, or without a promised file', () => {
    const manifest = {
      name: 'a',
      license: 'MIT',
      publishConfig: { access: 'public' },
      engines: { node: '>=20.19' },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      bin: { a: './dist/cli.js' },
      description: 'A',
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
    for (const key of ['description', 'keywords'])
      expect(faults(good, { ...manifest, [key]: undefined }), key).to.have.length(1)
  })
})

describe('the addresses of the project', () => {
  const project = {
    homepage: 'https://a.test/p',
    bugs: 'https://a.test/p/issues',
    repository: 'git+https://a.test/p.git',
  }
  const link = 'See [errors](../docs/errors.md#list), [source](src/index.ts) and [page](https://b.test).'

  it('are in every manifest once the root has them', () => {
    const { homepage, bugs, repository } = completed({ name: 'a', version: '1.0.0' }, 'kernel', project)
    expect({ homepage, bugs, repository }).to.deep.equal({
      homepage: 'https://a.test/p/tree/main/kernel#readme',
      bugs: 'https://a.test/p/issues',
      repository: { type: 'git', url: 'git+https://a.test/p.git', directory: 'kernel' },
    })
    expect(missingAddresses(project)).to.deep.equal([])
    expect(withAddresses(link, 'kernel', 'https://a.test/p/blob/main/')).to.equal(
      'See [errors](https://a.test/p/blob/main/docs/errors.md#list), [source](src/index.ts) and [page](https://b.test).',
    )
  })

  it('are in no manifest before', () => {
    const empty = { homepage: '', bugs: '', repository: '' }
    expect(completed({ name: 'a', version: '1.0.0', ...project }, 'kernel', empty)).to.not.have.any.keys(
      Object.keys(empty),
    )
    expect(missingAddresses(empty)).to.have.length(3)
    expect(withAddresses(link, 'kernel', undefined)).to.equal(link)
  })
})
