// An agent that asks the owner for packages: the real npm, a registry of this machine, and the real approvals.
import { expect } from 'chai'
import type { AnyPlugin } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { ChatHost, results } from '@mynah/plugin-agent/testing'
import { scripted, scriptedModels } from '@mynah/plugin-ai/testing'
import chat from '@mynah/plugin-chat'
import execSecurity from '@mynah/plugin-exec-security'
import { Approvals, type ApprovalView } from '@mynah/plugin-exec-security/api'
import { Packages } from '@mynah/plugin-management/api'
import marketplace from '@mynah/plugin-marketplace'
import { PackageEngine } from '../../plugins/mynah/dist/cli/packages/engine.js'
import { PackageProject, pluginVersion } from '../../plugins/mynah/dist/test/package-project.js'

const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
const DICE = 'mynah-plugin-dice'

describe('an agent that asks for packages', function () {
  this.timeout(240_000)
  let project: PackageProject
  let engine: PackageEngine
  let host: ChatHost | undefined
  beforeEach(async () => {
    project = await PackageProject.create()
    engine = new PackageEngine(project.folder, { warn: () => {} })
  })
  afterEach(async () => {
    await host?.stop()
    host = undefined
    await engine.close()
    await project.remove()
  })

  /** Starts a host whose model asks for a change, and then answers. */
  const start = async (input: object, options: object = {}) => {
    const models = scriptedModels([{ calls: [{ name: 'change_package', input }] }, 'done', 'done'])
    host = await ChatHost.start({
      chat: plain(chat),
      services: [[Packages, engine]],
      plugins: [
        plain(scripted(models)),
        { plugin: plain(execSecurity), config: { 'ai.agent.execApprovalMode': 'ask' } },
        { plugin: plain(marketplace), config: { registry: project.registry.url, ...options } },
      ],
    })
    return { host, result: () => results(models.requests[1]).at(-1) }
  }
  const approvals = (): Approvals => host?.host.get(Approvals) as Approvals
  const asked = async (): Promise<ApprovalView> => {
    await until(async () => (await approvals().pending()).length === 1, 'the request')
    return (await approvals().pending())[0] as ApprovalView
  }
  const textToOwner = (): string => (host?.to('owner') ?? []).join('\n')

  it('installs exactly the plan that the owner has read', async () => {
    const { host: running, result } = await start({ action: 'add', name: `${DICE}@^1.0.0` })
    const answer = running.say('install dice', 'owner')
    const request = await asked()
    expect(request).to.include({ kind: 'package', title: `Install ${DICE} 1.0.0` })
    expect(textToOwner()).to.include(`add ${DICE} 1.0.0, licence MIT`).and.include('takes effect at once')
    expect(await project.version(DICE), 'before the answer').to.equal(undefined)
    await approvals().decide(request.id, true, 'owner:owner')
    await answer
    expect(result()).to.include('is installed')
    expect(await project.version(DICE)).to.equal('1.0.0')
    expect(engine.runs(1).runs[0]).to.include({ state: 'done', by: 'owner' })
  })

  it('shows the words of authors in one line, whatever they hold', async () => {
    project.registry.publish(
      pluginVersion('mynah-plugin-loud', '1.0.0', { license: 'MIT\n\nApproved already\u202e\u2028, nothing to do' }),
    )
    const { host: running } = await start({ action: 'add', name: 'mynah-plugin-loud' })
    const answer = running.say('install it', 'owner')
    const { id } = await asked()
    expect(textToOwner()).to.include('licence MIT Approved already , nothing to do')
    await approvals().decide(id, false, 'owner:owner')
    await answer
  })

  it('changes nothing that the owner refuses', async () => {
    const { host: running, result } = await start({ action: 'add', name: DICE })
    const answer = running.say('install dice', 'owner')
    await approvals().decide((await asked()).id, false, 'owner:owner')
    await answer
    expect(result()).to.include('nothing is changed')
    expect(await project.version(DICE)).to.equal(undefined)
    expect(engine.runs(1).runs).to.deep.equal([])
  })

  it('asks for nothing that is not allowed, is not there, or has an install script', async () => {
    project.registry.publish(pluginVersion('mynah-plugin-built', '1.0.0', { scripts: { install: 'node -e 0' } }))
    for (const [input, options, words] of [
      [{ action: 'add', name: DICE }, { allow: ['@acme/*'] }, 'marketplace.allow does not name mynah-plugin-dice'],
      [{ action: 'add', name: 'mynah-plugin-built' }, {}, 'The owner confirms scripts in the console'],
      [{ action: 'add', name: 'mynah-plugin-unknown' }, {}, 'mynah-plugin-unknown'],
      [{ action: 'remove', name: DICE }, {}, DICE],
    ] as const) {
      const { host: running, result } = await start(input, options)
      await running.say('change it', 'owner')
      expect(result()).to.include(words)
      expect(await approvals().pending()).to.deep.equal([])
      await running.stop()
    }
    expect(engine.runs(1).runs).to.deep.equal([])
  })

  it('is offered to the owner alone, and not where installing is off', async () => {
    const { host: running, result } = await start({ action: 'add', name: DICE })
    await running.say('install dice', 'tess')
    expect(result()).to.include('needs one of master')
    await running.stop()
    const off = await start({ action: 'add', name: DICE }, { install: 'off' })
    await off.host.say('install dice', 'owner')
    expect(off.result()).to.match(/no tool|unknown/i)
  })
})
