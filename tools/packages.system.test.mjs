// Tests the content of published packages and their addresses.
import { expect } from 'chai'
import { completed, missingAddresses, withAddresses } from './manifests.mjs'
import { packageFaults, packedFiles, publicPackages } from './packages.mjs'
import { closure } from './published.mjs'

describe('published packages', () => {
  it('hold their builds and pages, and no tests', async function () {
    this.timeout(60_000)
    const packages = publicPackages()
    const files = packedFiles(packages)
    expect(packages.length).to.be.greaterThan(10)
    const faults = await Promise.all(packages.map((entry) => packageFaults(entry, files.get(entry.manifest.name))))
    expect(faults.flat()).to.deep.equal([])
  })

  it('are refused with tests, with records of the compiler, or without a promised file', async () => {
    const [entry] = publicPackages().filter(({ manifest }) => manifest.name === 'mynah')
    const { files, bytes } = packedFiles([entry]).get('mynah')
    const faults = (changed, manifest = entry.manifest) =>
      packageFaults({ ...entry, manifest }, { files: changed, bytes })
    for (const path of ['dist/test/cli.js', 'dist/cli/arguments.system.test.js', 'dist/.tsbuildinfo'])
      expect(await faults([...files, path]), path).to.deep.equal([`mynah: needless files: ${path} is not needed`])
    for (const path of ['README.md', 'LICENSE', 'dist/index.d.ts', 'bin/mynah.js'])
      expect(await faults(files.filter((file) => file !== path)), path).to.have.length(1)
    const { manifest } = entry
    for (const changed of [
      { license: 'ISC' },
      { publishConfig: undefined },
      { engines: undefined },
      { description: undefined },
      { keywords: undefined },
      { dependencies: { ...manifest.dependencies, '@mynah/kernel': '0.0.1' } },
      { scripts: { postinstall: 'node -e 0' } },
    ])
      expect(await faults(files, { ...manifest, ...changed }), JSON.stringify(changed)).to.have.length(1)
  })
})

describe('the packages that a plugin installs', () => {
  const DATABASE = '@mynah/plugin-database'
  const packages = publicPackages()
  const manifests = new Map(packages.map(({ manifest }) => [manifest.name, manifest]))
  /** Returns the dependencies and required peers of a package and of all of ours that it installs. */
  const installs = (name) =>
    closure(packages, name, { peers: true }).flatMap((one) => {
      const { dependencies, peerDependencies, peerDependenciesMeta } = manifests.get(one)
      return Object.keys({ ...dependencies, ...peerDependencies }).filter(
        (needed) => dependencies?.[needed] || !peerDependenciesMeta?.[needed]?.optional,
      )
    })

  it('include SQLite only with the database, and with what cannot work without it', () => {
    const names = [...manifests.keys()]
    const compiling = names.filter((name) => installs(name).some((one) => ['sqlite3', 'typeorm'].includes(one)))
    expect(compiling).to.have.members([DATABASE, '@mynah/plugin-inbox'])
  })

  it('name the database where it would help, for doctor', () => {
    const using = packages.filter(({ manifest }) => manifest.peerDependencies?.['@mynah/database-api'])
    // MCP keeps its decisions in a file of the data folder. Knowledge does not start without the database, and says so.
    const others = [DATABASE, '@mynah/plugin-mcp', '@mynah/plugin-knowledge']
    const helped = using.filter(({ manifest }) => !others.includes(manifest.name))
    expect(helped.length).to.be.greaterThan(5)
    for (const { manifest } of helped) expect(manifest.mynah?.optional?.database, manifest.name).to.match(/^keeps /)
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
