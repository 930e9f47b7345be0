// The commands and methods that change packages, with the real host, the real npm and a registry of this machine.
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'
import type { PackagePlan, PackageRun } from '@mynah/contract/types'
import { Bench } from '../../test/cli.js'
import type { Version } from '../../test/registry.js'
import { installedVersion, PackageProject, pluginVersion } from '../../test/package-project.js'

const DICE = 'mynah-plugin-dice'
const TOKEN = 'full-token-of-package-tests'
const DEMO = 'demo-token-of-package-tests'
const SECRET = 'secret-of-the-dice-0815'

/** Packages that are not made for Mynah: how each is imported, and what it says. */
const OTHERS = [
  ['ms', "import use from 'ms'", "use('2 days')", '172800000'],
  ['bytes', "import use from 'bytes'", "use('1kb')", '1024'],
  ['escape-html', "import use from 'escape-html'", "use('<b>')", '&lt;b&gt;'],
  ['semver', "import { inc } from 'semver'", "inc('1.2.3', 'minor')", '1.3.0'],
  ['content-type', "import use from 'content-type'", "use.parse('a/b; c=d').parameters.c", 'd'],
] as const

/** Returns a plugin of a few lines around a package. */
function wrapped([name, imports, use]: (typeof OTHERS)[number], version: string, library: string): Version {
  const plugin = pluginVersion(`mynah-plugin-${name}`, version, { dependencies: { [name]: library } })
  const setup = `setup(ctx) { ctx.log.info('${version} says ' + ${use}) }`
  return { ...plugin, files: { 'index.js': `${imports}\nexport default { name: '${name}', ${setup} }\n` } }
}

describe('packages of a host', function () {
  this.timeout(240_000)
  let project: PackageProject
  let bench: Bench
  const open = async (config: string, installed = [pluginVersion(DICE, '1.0.0')]): Promise<void> => {
    project = await PackageProject.create({ installed })
    await project.write('mynah.config.yml', config)
    bench = Bench.at(project.folder)
  }
  afterEach(async () => {
    await bench.remove()
    await project.remove()
  })

  it('change by command, once the plan is confirmed', async () => {
    await open('plugins: []\n', [])
    const asked = await bench.run(`add ${DICE}`)
    expect(asked.code, asked.err).to.equal(4)
    expect(asked.out).to.contain(`add     ${DICE} 1.0.0`).and.to.contain('takes effect at once')
    expect(asked.err).to.contain('nothing was changed').and.to.contain('--yes')
    expect(await project.version(DICE)).to.equal(undefined)
    const added = await bench.run(`add ${DICE} --yes --json`)
    expect(added.code, added.err).to.equal(0)
    expect(JSON.parse(added.out)).to.have.nested.property('run.state', 'done')
    expect(added.err).to.contain(`add "- ${DICE}" to plugins`)
    const listed = await bench.run('packages')
    expect(listed.out)
      .to.contain(`${DICE} 1.0.0`)
      .and.to.match(/UTC {2}add mynah-plugin-dice@1\.0\.0: done/)
    expect((await bench.run('rollback --yes')).code).to.equal(0)
    expect(await project.version(DICE)).to.equal(undefined)
  })

  it('are refused with exit code 4, and a wrong command line with 64', async () => {
    await open('plugins: []\n')
    project.registry.publish(pluginVersion('mynah-plugin-late', '1.0.0', { peerDependencies: { mynah: '^7' } }))
    const refused = await bench.run('add mynah-plugin-late --yes')
    expect(refused.code).to.equal(4)
    expect(refused.out).to.contain('refused: ')
    expect((await bench.run('add ../x')).code).to.equal(64)
    expect((await bench.run('add')).code).to.equal(64)
    expect((await bench.run('remove mynah-plugin-none --yes')).code).to.equal(4)
    expect((await bench.run('rollback --yes')).code).to.equal(4)
  })

  it('take effect while the host runs, and go back if it no longer starts', async () => {
    await open('plugins: [dice]\n')
    await project.write('.env', `DICE_TOKEN=${SECRET}\n`)
    const running = bench.start('start')
    await running.shows(/runs 1\.0\.0/)
    await running.shows(/plugins are up/)
    project.registry.publish(pluginVersion(DICE, '1.1.0'))
    const updated = await bench.run('update --yes')
    expect(updated.code, updated.err).to.equal(0)
    expect(updated.err).to.contain('done').and.not.contain('starts again')
    await running.shows(/runs 1\.1\.0/)
    const failing = pluginVersion(DICE, '1.1.5')
    const words = '`it has no key at ${process.cwd()}/keys, ${process.env.DICE_TOKEN}`'
    const setup = `setup() { throw new Error(${words}) }`
    project.registry.publish({ ...failing, files: { 'index.js': `export default { name: 'dice', ${setup} }\n` } })
    const failed = await bench.run('update --yes')
    expect(failed.err).to.contain('dice does not start with what is installed: it has no key at ')
    expect(failed.err).not.to.contain(project.folder).and.not.contain(SECRET)
    const noted = await project.read('data/packages/runs.jsonl')
    expect(noted).to.contain('it has no key at ').and.not.contain(project.folder).and.not.contain(SECRET)
    await running.shows(/runs 1\.1\.0/)
    expect((await bench.run('rollback --yes')).code).to.equal(0)
    expect(running.out.match(/plugins are up/g)).to.have.length(1)
    const broken = pluginVersion(DICE, '1.2.0')
    project.registry.publish({ ...broken, files: { 'index.js': 'process.exit(1)\n' } })
    expect((await bench.run('update --yes')).code).to.equal(0)
    await running.shows(/did not start twice with new packages; those of before are back/)
    await running.shows(/plugins are up/, 2)
    expect(await project.version(DICE)).to.equal('1.1.0')
    expect((await bench.run('packages')).out).to.contain('rolled-back')
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('may be packages of others, in a plugin of a few lines each', async () => {
    await open(`plugins: [${OTHERS.map(([name]) => name).join(', ')}]\n`, [])
    for (const other of OTHERS) {
      const library = installedVersion(other[0])
      project.registry.publish(library)
      project.registry.publish(wrapped(other, '1.0.0', library.manifest.version))
    }
    const names = OTHERS.map(([name]) => `mynah-plugin-${name}`)
    const added = await bench.run(`add ${names.join(' ')} --yes`)
    expect(added.code, added.err).to.equal(0)
    const says = (version: string, text: string): RegExp => new RegExp(`${version} says ${text}`)
    const running = bench.start('start')
    for (const [, , , text] of OTHERS) await running.shows(says('1.0.0', text))
    await running.shows(/plugins are up/)
    const [first] = OTHERS
    project.registry.publish(wrapped(first, '1.1.0', installedVersion(first[0]).manifest.version))
    expect((await bench.run('update mynah-plugin-ms --yes')).code).to.equal(0)
    await running.shows(says('1.1.0', first[3]))
    expect((await bench.run('rollback --yes')).code).to.equal(0)
    await running.shows(says('1.0.0', first[3]), 2)
    expect(running.out.match(/plugins are up/g)).to.have.length(1)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('change over RPC while the host runs, and a new plugin runs without a restart', async () => {
    const port = await freePort()
    await open(
      [
        'plugins: [http-core, console-rpc, events, management, marketplace, workspace]',
        `http: { port: ${port}, token: "${TOKEN}", tokens: [{ token: "${DEMO}", scope: demo, name: visitor }] }`,
        'marketplace: { allow: ["mynah-plugin-d*", "mynah-plugin-built"], scripts: never }\n',
      ].join('\n'),
      [],
    )
    const running = bench.start('start')
    const call = async (type: string, params: object = {}, token = TOKEN) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/console/request`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...params, type, requestId: 1 }),
      })
      return { status: response.status, ...((await response.json()) as { data: never; code?: string }) }
    }
    await running.shows(/plugins are up/)
    const planned = async (params: object): Promise<PackagePlan> => (await call('packages:plan', params)).data
    const ended = async (runId: string): Promise<PackageRun> => {
      let found: PackageRun | undefined
      await until(
        async () => {
          const { runs } = (await call('packages:runs', {})).data as { runs: PackageRun[] }
          found = runs.find((run) => run.runId === runId)
          return found !== undefined && ['done', 'failed', 'refused', 'cancelled'].includes(found.state)
        },
        () => `the end of the run, which is ${found?.state ?? 'unknown'}`,
      )
      return found as PackageRun
    }
    expect((await call('packages:plan', { add: [DICE] }, DEMO)).status).to.equal(403)
    project.registry.publish(pluginVersion('other', '1.0.0'))
    expect((await planned({ add: ['other'] })).refusals).to.deep.equal(['marketplace.allow does not name other'])
    project.registry.publish(pluginVersion('mynah-plugin-built', '1.0.0', { scripts: { install: 'true' } }))
    const built = await planned({ add: ['mynah-plugin-built'] })
    expect(built.refusals[0]).to.contain('marketplace.scripts is "never"')
    const scripts = ['mynah-plugin-built@1.0.0']
    expect((await call('packages:apply', { planId: built.planId, scripts })).code).to.equal('forbidden')

    const { planId } = await planned({ add: [DICE] })
    const { runId } = (await call('packages:apply', { planId })).data as { runId: string }
    expect(await ended(runId)).to.include({ state: 'done', action: 'add' })
    await until(
      async () => (await project.read('mynah.config.yml')).includes('enabled: false'),
      () => 'the entry of the new plugin',
    )
    expect(running.out).not.to.contain('runs 1.0.0')
    expect((await call('config:enable', { plugins: ['dice'] })).status).to.equal(200)
    await running.shows(/runs 1\.0\.0/)
    expect((await call('packages:cancel', { runId })).code).to.equal('conflict')
    expect(running.out.match(/plugins are up/g)).to.have.length(1)

    const removal = await planned({ remove: [DICE] })
    const removed = (await call('packages:apply', { planId: removal.planId })).data as { runId: string }
    expect(await ended(removed.runId)).to.include({ state: 'done' })
    await until(
      async () => !(await project.read('mynah.config.yml')).includes('dice'),
      () => 'the end of the entry',
    )
    expect(await running.signal('SIGTERM')).to.equal(0)
  })
})
