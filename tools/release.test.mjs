// Tests versions, order and changelog of a release, and the check of licences.
import { expect } from 'chai'
import { atVersion, inOrder, nextVersion, releasedChangelog } from './release.mjs'
import { publicPackages } from './packages.mjs'
import { closure, isFree } from './published.mjs'

const entry = (name, dependencies = {}, peerDependencies = {}) => ({
  folder: name,
  manifest: { name, dependencies, peerDependencies },
})

describe('a release', () => {
  it('has a version after the last', () => {
    expect(['patch', 'minor', 'major', '2.0.0'].map((wanted) => nextVersion('0.9.9', wanted))).to.deep.equal([
      '0.9.10',
      '0.10.0',
      '1.0.0',
      '2.0.0',
    ])
    for (const wanted of ['1.0', 'next', '1.0.0-rc.1'])
      expect(() => nextVersion('0.1.0', wanted), wanted).to.throw('is no version')
  })

  it('publishes each package after all that it needs', () => {
    expect(
      inOrder([entry('c', { b: '1' }), entry('b', {}, { a: '1' }), entry('a', { other: '1' })]).map(
        ({ folder }) => folder,
      ),
    ).to.deep.equal(['a', 'b', 'c'])
    expect(() => inOrder([entry('a', { b: '1' }), entry('b', { a: '1' })])).to.throw('a circle of packages: a → b → a')
    const order = inOrder(publicPackages()).map(({ manifest }) => manifest.name)
    expect(order.indexOf('@mynah/kernel')).to.be.lessThan(order.indexOf('@mynah/plugin-chat'))
    expect(order.indexOf('@mynah/plugin-chat')).to.be.lessThan(order.indexOf('mynah'))
    expect(order).to.have.length(publicPackages().length)
  })

  it('includes our own packages and no others', () => {
    expect(
      atVersion(
        { name: 'b', version: '0.1.0', dependencies: { a: '0.1.0', koa: '3.3.0' }, peerDependencies: { a: '^0.1.0' } },
        '0.2.0',
        new Set(['a', 'b']),
      ),
    ).to.deep.equal({
      name: 'b',
      version: '0.2.0',
      dependencies: { a: '0.2.0', koa: '3.3.0' },
      peerDependencies: { a: '^0.2.0' },
    })
  })

  it('moves the Unreleased section under its version, and is refused if the section is empty', () => {
    const { notes, text } = releasedChangelog(
      '# Changelog\n\n## Unreleased\n\n- New\n\n## 0.1.0 (2026-01-01)\n\n- Old\n',
      '0.2.0',
      '2026-02-02',
    )
    expect(notes).to.equal('- New')
    expect(text).to.equal(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-02)\n\n- New\n\n## 0.1.0 (2026-01-01)\n\n- Old\n',
    )
    expect(() => releasedChangelog(text, '0.3.0', '2026-03-03')).to.throw('says nothing')
    expect(() => releasedChangelog('# Changelog\n', '0.3.0', '2026-03-03')).to.throw('no part')
  })
})

describe('licences', () => {
  it('are accepted if they only require their notice', () => {
    for (const free of ['MIT', '(MIT OR CC0-1.0)', 'GPL-3.0 OR MIT', 'MIT AND ISC'])
      expect(isFree(free), free).to.equal(true)
    for (const other of ['GPL-3.0', 'MIT AND GPL-3.0', 'SEE LICENSE IN x', undefined, 'UNLICENSED'])
      expect(isFree(other), String(other)).to.equal(false)
  })

  it('are checked for mynah without database and models', () => {
    const names = closure(publicPackages(), 'mynah')
    expect(names)
      .to.include.members(['@mynah/kernel', '@mynah/plugin-chat', 'create-mynah'])
      .and.not.include('@mynah/plugin-database')
    expect(names.filter((name) => /plugin-(?:ai|agent|mcp)$/.test(name))).to.deep.equal([])
  })
})
