// Plans and runs with the real npm and a registry of this machine.
import { expect } from 'chai'
import { readdir, readFile, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { isWireError } from '@mynah/contract'
import type { PackageRun } from '@mynah/contract/types'
import { until } from '@mynah/kernel/testing'
import type { Version } from '../../test/registry.js'
import { PackageProject, pluginVersion } from '../../test/package-project.js'
import { describePlan } from './describe-plan.js'
import { PackageEngine } from './engine.js'
import { foldersOf } from './folders.js'
import { readJournal } from './journal.js'

const CANARY = 'npm-token-canary-5c0ffee1'
const SCRIPTS = { scripts: { postinstall: `node -e "require('fs').writeFileSync('built', 'yes')"` } }

describe('PackageEngine', function () {
  this.timeout(240_000)
  let project: PackageProject
  let engine: PackageEngine
  const warnings: string[] = []
  const open = async (installed: readonly Version[] = []): Promise<void> => {
    project = await PackageProject.create({ installed })
    engine = new PackageEngine(project.folder, { warn: (line) => void warnings.push(line) })
  }
  const apply = async (planId: string, scripts: readonly string[] = []): Promise<PackageRun> =>
    engine.ended(engine.apply(planId, { by: 'test', scripts }))
  const failure = async (work: Promise<unknown>): Promise<{ code: string; message: string }> => {
    try {
      await work
    } catch (error) {
      if (isWireError(error)) return { code: error.code, message: error.message }
      throw error
    }
    throw new Error('it did not fail')
  }
  const leftOver = async (): Promise<string[]> => {
    const { packages, staged, plans } = foldersOf(project.folder)
    if (!existsSync(packages)) return []
    const inside = await Promise.all([staged, plans].map((folder) => (existsSync(folder) ? readdir(folder) : [])))
    return inside.flat()
  }
  beforeEach(() => void warnings.splice(0))
  afterEach(async () => {
    await engine.close()
    expect(await leftOver()).to.deep.equal([])
    await project.remove()
  })

  it('adds a plugin with a peer on the host, and puts the packages of before back', async () => {
    await open()
    const before = await project.read('package.json')
    const plan = await engine.plan({ add: ['mynah-plugin-dice@^1.0.0'] })
    expect(plan).to.deep.include({ action: 'add', takesEffect: 'live', refusals: [] })
    expect(plan.changes).to.have.length(1)
    expect(plan.changes[0]).to.deep.include({
      name: 'mynah-plugin-dice',
      to: '1.0.0',
      asked: true,
      licence: 'MIT',
      bytes: 4096,
      provenance: 'none',
    })
    expect(await project.version('mynah-plugin-dice'), 'a plan changes nothing').to.equal(undefined)
    const states: string[] = []
    engine.listen(({ state }) => states.push(state))
    expect(await apply(plan.planId)).to.include({ state: 'done', by: 'test', done: 1, of: 1 })
    expect(Array.from(new Set(states))).to.deep.equal(['planned', 'fetching', 'staged', 'swapping', 'done'])
    expect(await project.version('mynah-plugin-dice')).to.equal('1.0.0')
    expect(JSON.parse(await project.read('package.json'))).to.deep.include({
      dependencies: { mynah: '0.1.0', 'mynah-plugin-dice': '1.0.0' },
    })
    expect((await stat(foldersOf(project.folder).packages)).mode & 0o077).to.equal(0)

    expect(engine.runs(10).rollback).to.equal(true)
    const back = await engine.rollback()
    expect(back.changes).to.have.length(1)
    expect(back.changes[0]).to.include({ name: 'mynah-plugin-dice', from: '1.0.0' })
    await apply(back.planId)
    expect(await project.version('mynah-plugin-dice')).to.equal(undefined)
    expect(await project.read('package.json')).to.equal(before)
    expect(engine.runs(10).runs.map(({ action, state }) => `${action} ${state}`)).to.deep.equal([
      'rollback done',
      'add done',
    ])
  })

  it('updates and removes', async () => {
    await open([pluginVersion('mynah-plugin-dice', '1.0.0')])
    project.registry.publish(pluginVersion('mynah-plugin-dice', '1.1.0'))
    const plan = await engine.plan({ update: ['mynah-plugin-dice'] })
    expect(plan.changes[0]).to.include({ from: '1.0.0', to: '1.1.0' })
    expect(plan.takesEffect).to.equal('live')
    expect(plan.reasons).to.deep.equal([])
    await apply(plan.planId)
    expect(await project.version('mynah-plugin-dice')).to.equal('1.1.0')
    expect(readJournal(foldersOf(project.folder))).to.equal(undefined)
    const removal = await engine.plan({ remove: ['mynah-plugin-dice'] })
    expect(removal).to.deep.include({ action: 'remove', takesEffect: 'live' })
    await apply(removal.planId)
    expect(await project.version('mynah-plugin-dice')).to.equal(undefined)
    expect((await failure(engine.plan({ remove: ['mynah-plugin-dice'] }))).code).to.equal('not_found')
  })

  it('shows what a changelog adds since the installed version, within limits', async () => {
    const first = '# Changelog\n\n## 1.0.0\n\n- It rolls\n'
    const added = '## 1.2.0\n\n- **Faster** <img src=x>\n\n## 1.1.0\n\n- Ten sides'
    const many = Array.from({ length: 1_000 }, (_, index) => `- Change ${index} of a long release`).join('\n')
    const huge = `- ${'x'.repeat(200)}\n`.repeat(20_000)
    const logged = (name: string, version: string, changelog?: string): Version => {
      const { manifest, files } = pluginVersion(`mynah-plugin-${name}`, version)
      return { manifest, files: { ...files, ...(changelog === undefined ? {} : { 'CHANGELOG.md': changelog }) } }
    }
    const names = ['dice', 'bare', 'long', 'huge']
    await open(names.map((name) => logged(name, '1.0.0', name === 'bare' ? undefined : first)))
    const { registry } = project
    registry.publish(logged('dice', '1.1.0', first.replace('## 1.0.0', '## 1.1.0\n\n- Ten sides\n\n## 1.0.0')))
    registry.publish(logged('dice', '1.2.0', first.replace('## 1.0.0', `${added}\n\n## 1.0.0`)))
    registry.publish(logged('bare', '1.2.0'))
    registry.publish(logged('long', '1.2.0', `${first}${many}\n`))
    registry.publish(logged('huge', '1.2.0', `${first}${huge}`))
    const plan = await engine.plan({ update: names.map((name) => `mynah-plugin-${name}`) })
    expect(plan.refusals).to.deep.equal([])
    const of = (name: string) => plan.changes.find((change) => change.name === `mynah-plugin-${name}`)?.changelog
    expect(of('dice')).to.deep.equal({ text: added })
    expect(of('bare')).to.deep.equal({ missing: 'none in the package' })
    expect(of('long')?.text)
      .to.have.length(4_001)
      .and.to.match(/^- Change 0 of a long release\n.*…$/s)
    expect(of('huge')?.text, 'too large to be compared').to.equal(undefined)
    expect(of('huge')?.missing).to.match(/^not read: /)
    const lines = describePlan(plan)
    expect(lines.map((line) => line.trim())).to.include.members(['changelog:', '- **Faster** <img src=x>'])
    expect(lines.some((line) => line.endsWith('changelog: none in the package'))).to.equal(true)
    expect(lines.length, 'a long changelog is cut').to.be.below(120)
  })

  it('runs an install script only when it is confirmed', async () => {
    await open()
    project.registry.publish(pluginVersion('mynah-plugin-built', '1.0.0', SCRIPTS))
    const plan = await engine.plan({ add: ['mynah-plugin-built'] })
    expect(plan.changes[0]).to.include({ script: true })
    for (const scripts of [[], ['mynah-plugin-built@2.0.0'], ['mynah-plugin-dice@1.0.0']])
      expect(() => engine.apply(plan.planId, { by: 'test', scripts })).to.throw('not confirmed')
    expect(await apply(plan.planId, ['mynah-plugin-built@1.0.0'])).to.include({ state: 'done' })
    expect(await project.read('node_modules/mynah-plugin-built/built')).to.equal('yes')
    expect(JSON.parse(await project.read('package.json'))).to.have.deep.property('allowScripts', {
      'mynah-plugin-built@1.0.0': true,
    })
  })

  it('refuses what does not fit the host, and names the version that does', async () => {
    await open()
    project.registry.publish(pluginVersion('mynah-plugin-dice', '2.0.0', { peerDependencies: { mynah: '^2.0.0' } }))
    const plan = await engine.plan({ add: ['mynah-plugin-dice'] })
    expect(plan.refusals.join('\n')).to.contain('the newest version that fits is mynah-plugin-dice@1.0.0')
    expect(() => engine.apply(plan.planId, { by: 'test' })).to.throw(/fit/)
    await project.write('.npmrc', `${await project.read('.npmrc')}legacy-peer-deps=true\n`)
    const hidden = await engine.plan({ add: ['mynah-plugin-dice'] })
    expect(hidden.refusals[0]).to.contain('needs mynah ^2.0.0, and 0.1.0 is installed here')
    project.registry.publish({
      manifest: { name: 'mynah-plugin-own', version: '1.0.0', dependencies: { mynah: '0.2.0' } },
    })
    project.registry.publish({ manifest: { name: 'mynah', version: '0.2.0' } })
    const second = await engine.plan({ add: ['mynah-plugin-own'] })
    expect(second.refusals[0]).to.contain('mynah 0.2.0 would be a second copy')
  })

  it('tells what the registry says: signatures, advisories, what it contributes', async () => {
    await open()
    const { registry } = project
    registry.publish(pluginVersion('mynah-plugin-cards', '1.0.0', { mynah: { contributes: { commands: ['deal'] } } }))
    registry.advise('mynah-plugin-cards', { severity: 'high', title: 'It peeks', vulnerable_versions: '<2' })
    expect((await engine.plan({ add: ['mynah-plugin-cards'] })).changes[0]?.signature).to.contain('not signed')
    registry.sign()
    const plan = await engine.plan({ add: ['mynah-plugin-cards'] })
    expect(plan.changes[0]).to.deep.include({
      signature: 'verified',
      advisories: [{ severity: 'high', title: 'It peeks' }],
    })
    expect(plan.contributes).to.deep.equal({ 'mynah-plugin-cards': { commands: ['deal'] } })
    expect(plan.advisories).to.equal('checked')
  })

  it('refuses bytes that differ from those of the plan', async () => {
    await open()
    const plan = await engine.plan({ add: ['mynah-plugin-dice'] })
    project.registry.tamper('mynah-plugin-dice', '1.0.0')
    const run = await apply(plan.planId)
    expect(run).to.include({ state: 'refused' })
    expect(run.message).to.contain('not what was planned')
    expect(await project.version('mynah-plugin-dice')).to.equal(undefined)
  })

  it('refuses a plan of manifests that have changed since then', async () => {
    await open()
    const plan = await engine.plan({ add: ['mynah-plugin-dice'] })
    const other = JSON.stringify({ ...JSON.parse(await project.read('package.json')), description: 'mine' })
    await project.write('package.json', other)
    expect(await apply(plan.planId)).to.include({ state: 'refused' })
    expect(await project.read('package.json')).to.equal(other)
  })

  it('leaves the project as it is when the registry does not know or answer', async () => {
    await open()
    const before = await project.read('package-lock.json')
    expect((await failure(engine.plan({ add: ['mynah-plugin-none'] }))).code).to.equal('not_found')
    expect((await failure(engine.plan({ add: ['mynah-plugin-dice@^9'] }))).code).to.equal('not_found')
    const plan = await engine.plan({ add: ['mynah-plugin-dice'] })
    project.registry.isDown = true
    const run = await apply(plan.planId)
    expect(run.state).to.equal('failed')
    expect(run.message).to.contain('does not answer')
    expect((await failure(engine.plan({ add: ['mynah-plugin-cards'] }))).code).to.equal('upstream_unavailable')
    expect(await project.read('package-lock.json')).to.equal(before)
  })

  it('never shows a token', async () => {
    await open()
    const { registry } = project
    const { host, pathname } = new URL(registry.url)
    await project.write('.npmrc', `${await project.read('.npmrc')}//${host}${pathname}:_authToken=${CANARY}\n`)
    registry.token = CANARY
    const good = await engine.plan({ add: ['mynah-plugin-dice'] })
    registry.token = 'another'
    const shown = [JSON.stringify(good), (await failure(engine.plan({ add: ['mynah-plugin-cards'] }))).message]
    const run = await apply(good.planId)
    shown.push(JSON.stringify(run), await readFile(foldersOf(project.folder).runs, 'utf8'), warnings.join('\n'))
    expect(run.state).to.equal('refused')
    expect(run.message).to.contain('refuses the token')
    for (const text of shown) expect(text).not.to.contain(CANARY)
    expect(shown.join('\n')).not.to.contain(project.folder)
  })

  it('cancels while it fetches, and carries out one run after another', async () => {
    await open()
    project.registry.publish(pluginVersion('mynah-plugin-cards', '1.0.0'))
    const [dice, cards] = [
      await engine.plan({ add: ['mynah-plugin-dice'] }),
      await engine.plan({ add: ['mynah-plugin-cards'] }),
    ]
    let fetching = false
    const held = new Promise<void>(() => {})
    project.registry.beforeTarball = () => {
      fetching = true
      return held
    }
    const runId = engine.apply(dice.planId, { by: 'one' })
    const second = engine.apply(cards.planId, { by: 'two' })
    await until(
      () => fetching,
      () => 'until npm fetches',
    )
    project.registry.beforeTarball = async () => {}
    engine.cancel(runId)
    expect(await engine.ended(second)).to.include({ state: 'done', by: 'two' })
    expect(engine.runs(10).runs.find((run) => run.runId === runId)?.state).to.equal('cancelled')
    expect(() => engine.cancel(runId)).to.throw('cannot be cancelled')
    expect(() => engine.cancel('none')).to.throw('no such run')
    expect(await project.version('mynah-plugin-dice')).to.equal(undefined)
    expect(await project.version('mynah-plugin-cards')).to.equal('1.0.0')
  })

  it('lets one of two plans for the same packages through', async () => {
    await open()
    project.registry.publish(pluginVersion('mynah-plugin-cards', '1.0.0'))
    const other = new PackageEngine(project.folder, { warn: (line) => void warnings.push(line) })
    const [dice, cards] = await Promise.all([
      engine.plan({ add: ['mynah-plugin-dice'] }),
      other.plan({ add: ['mynah-plugin-cards'] }),
    ])
    const runs = await Promise.all([
      apply(dice.planId),
      other.ended(other.apply(cards.planId, { by: 'another person' })),
    ])
    expect(runs.map(({ state }) => state).sort()).to.deep.equal(['done', 'refused'])
    expect(runs.find(({ state }) => state === 'refused')?.message).to.contain('has changed meanwhile')
    const { dependencies } = JSON.parse(await project.read('package.json')) as { dependencies: object }
    expect(Object.keys(dependencies)).to.have.length(2)
  })

  it('refuses names that npm would take as something else, and unknown plans', async () => {
    await open()
    for (const text of ['../x', 'file:../x', '--prefix=/', 'https://x.example/a.tgz', 'a/b', 'x@file:..', 'X Y', 'x@'])
      expect((await failure(engine.plan({ add: [text] }))).code, text).to.equal('invalid_request')
    expect((await failure(engine.plan({}))).code).to.equal('invalid_request')
    expect((await failure(engine.plan({ add: ['a'], remove: ['b'] }))).code).to.equal('invalid_request')
    expect(() => engine.apply('none', { by: 'test' })).to.throw('unknown or too old')
    await engine.rollback().then(
      () => expect.fail('nothing is kept'),
      (error: unknown) => expect(isWireError(error) && error.code).to.equal('conflict'),
    )
  })

  for (const [what, name, text] of [
    ['workspaces', 'package.json', '{"workspaces":["x"]}'],
    ['a file', 'package.json', '{"dependencies":{"x":"file:../x"}}'],
    ['a link', 'package.json', '{"dependencies":{"x":"link:../x"}}'],
    ['a repository', 'package.json', '{"dependencies":{"x":"someone/x#main"}}'],
    ['pnpm', 'pnpm-lock.yaml', ''],
    ['yarn', 'yarn.lock', ''],
  ] as const)
    it(`names the command for a project with ${what}`, async () => {
      await open()
      await project.write(name, text)
      const plan = await engine.plan({ add: ['mynah-plugin-dice'] })
      expect(plan.refusals).to.have.length(1)
      expect(plan.command).to.equal('npm install mynah-plugin-dice')
    })
})
