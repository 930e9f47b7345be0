import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { definePlugin, type AnyPlugin, type PluginEntry } from '@mynah/kernel'
import { Type } from '@mynah/contract/type'
import { Agent } from '@mynah/plugin-agent/api'
import { defineTool } from '@mynah/plugin-ai/api'
import { Database } from '@mynah/database-api'
import execSecurity from '@mynah/plugin-exec-security'
import { Approvals, askOwner } from '@mynah/plugin-exec-security/api'
import toolbox from '@mynah/plugin-toolbox'
import { both, byWorker, eachTest, results, said, until, type Running } from './support.js'

const plugins: PluginEntry[] = [
  {
    plugin: execSecurity as unknown as AnyPlugin,
    config: {
      'ai.agent.execSecurity': 'allowlist',
      'ai.agent.execApprovalMode': 'ask',
      'ai.agent.subagentExecApprovalMode': 'ask',
      'ai.agent.execPreset': 'readonly',
    },
  },
  { plugin: toolbox as unknown as AnyPlugin, config: { 'ai.toolbox': {} } },
]
const call = (name: string, input: object) => ({ calls: [{ name, input }] })
const touch = call('bash', { command: 'touch made.txt' })
const spawn = call('spawn_task', { task: 'make it', label: 'making' })
const defer = call('run_deferred_task', { task: 'make it', label: 'making' })

const pending = async ({ host }: Running): Promise<number> => (await host.host.get(Approvals)?.pending())?.length ?? 0

describe('stopping a turn', () => {
  const hosts = eachTest()
  const made = async ({ host }: Running): Promise<boolean> =>
    (await readdir(join(host.root, 'workspace')).catch((): string[] => [])).includes('made.txt')
  /** Nothing waits for the owner, nothing runs, and an approval that comes too late runs nothing. */
  async function expectOver(running: Running): Promise<void> {
    const { host, models } = running
    await until(async () => (await pending(running)) === 0 && host.host.get(Agent)?.turns().length === 0)
    const asked = models.requests.length
    const id = /\/approve (\w+)/.exec(host.to('owner').join())?.[1]
    if (id !== undefined) expect((await host.say(`/approve ${id}`, 'owner')).join()).to.include('withdrawn already')
    expect(await made(running)).to.equal(false)
    expect(models.requests).to.have.length(asked)
  }

  it('withdraws its approval requests', async () => {
    const running = await hosts.start(both([touch, 'never'], []), { plugins })
    await running.host.hear('make it', 'tess')
    await until(async () => (await pending(running)) === 1)
    await running.host.say('/stop', 'tess')
    await expectOver(running)
    expect(running.host.to('tess')).to.include('Stopped.')
  })

  it('ends a sub-agent that waits for the owner, with its request', async () => {
    const running = await hosts.start(both([spawn, 'never'], [touch, 'I wait', 'never']), { plugins })
    await running.host.hear('make it', 'tess')
    await until(async () => (await pending(running)) === 1 && running.models.requests.filter(byWorker).length === 2)
    await running.host.say('/stop', 'tess')
    await expectOver(running)
    expect(running.host.texts.join()).to.not.include('making')
  })

  it('ends a background sub-agent with its request after the turn has ended', async () => {
    const running = await hosts.start(both([defer, 'on its way'], [touch, 'I wait', 'never']), { plugins })
    expect(await running.host.say('make it', 'tess')).to.deep.equal(['on its way'])
    await until(async () => (await pending(running)) === 1)
    expect(await running.host.say('/stop', 'tess')).to.include('Stopped.')
    await expectOver(running)
    expect(running.host.texts.join()).to.not.include('making')
  })

  it('aborts the model request of a background sub-agent', async () => {
    const running = await hosts.start(both([defer, 'on its way'], [{ text: 'never', hold: new Promise(() => {}) }]))
    await running.host.say('make it', 'tess')
    await until(() => running.models.requests.some(byWorker))
    await running.host.say('/stop', 'tess')
    await expectOver(running)
  })

  it('ends everything after a reset', async () => {
    const running = await hosts.start(both([spawn, 'never'], [touch, 'I wait', 'never']), { plugins })
    await running.host.hear('make it', 'tess')
    await until(async () => (await pending(running)) === 1)
    await running.host.say('/reset', 'tess')
    await expectOver(running)
  })

  it('ends its tasks at the deadline and reports them', async () => {
    const running = await hosts.start(
      both([defer, { text: 'never', hold: new Promise(() => {}) }], [touch, 'I wait', 'never']),
      { plugins },
    )
    await running.host.hear('make it', 'tess')
    await until(async () => (await pending(running)) === 1)
    await running.host.clock.advance(121_000)
    await expectOver(running)
    await until(() => running.host.to('tess').includes('making: stopped.'))
  })

  it('ends its tasks from the console', async () => {
    const running = await hosts.start(both([spawn, 'never'], [touch, 'I wait', 'never']), { plugins })
    await running.host.hear('make it', 'tess')
    await until(async () => (await pending(running)) === 1)
    const agent = running.host.host.get(Agent) as Agent
    const turn = agent.turns().find(({ sessionKey }) => sessionKey.startsWith('test|'))
    expect(agent.stop(turn?.id ?? '')).to.equal(true)
    await expectOver(running)
  })

  it('is allowed for its own user only in a group', async () => {
    const group = { channel: { type: 'group', id: 'g' }, mentioned: true } as const
    const running = await hosts.start(both([defer, 'on its way'], [touch, 'I wait', 'done']), { plugins })
    await running.host.say('make it', 'tess', group)
    await until(async () => (await pending(running)) === 1)
    expect((await running.host.say('/stop', 'ann', group)).at(-1)).to.include('Nothing of yours')
    expect(await pending(running)).to.equal(1)
    await running.host.say('/stop', 'tess', group)
    await expectOver(running)
  })

  it('ends steering messages that a master has added', async () => {
    const running = await hosts.start(both([{ text: 'never', hold: new Promise(() => {}) }, 'never either'], []))
    await running.host.hear('make it', 'owner')
    await until(() => running.models.requests.length === 1)
    const added = running.host.hear('and that', 'owner')
    await added
    await until(() => running.host.host.get(Agent)?.turns().length === 1)
    await running.host.say('/stop', 'owner')
    await until(() => running.host.host.get(Agent)?.turns().length === 0)
    expect(running.models.requests).to.have.length(1)
  })
})

for (const how of ['crash', 'stop'] as const)
  describe(`A task that waits for the owner, after each ${how} of the host`, () => {
    const hosts = eachTest()
    const options = { plugins, database: true }
    const waits = async (running: Running): Promise<boolean> =>
      (
        await running.host.host
          .get(Database)
          ?.read((db) => db.query("SELECT 1 FROM agent_task WHERE state = 'waiting' AND ended_at IS NULL"))
      )?.length === 1
    const log = (running: Running): string[] =>
      running.host.log.map(({ message }) => message).filter((message) => message.startsWith('tasks of an earlier'))

    it('waits on, and goes on with the answer of the owner', async () => {
      let running = await hosts.start(both([defer, 'on its way'], [touch, 'I wait']), options)
      await running.host.say('make it', 'tess')
      await until(() => waits(running))
      for (let restart = 1; restart <= 5; restart++) {
        const root = await hosts[how](running)
        running = await hosts.start(both([], [touch, 'made']), { ...options, root })
        await until(() => log(running).length === 1)
        expect([await pending(running), log(running)]).to.deep.equal([
          1,
          ['tasks of an earlier start: 1 wait on, 0 interrupted, 0 results delivered'],
        ])
        expect(running.host.to('owner')).to.deep.equal([])
      }
      const [request] = (await running.host.host.get(Approvals)?.pending()) ?? []
      await running.host.say(`/approve ${request?.id}`, 'owner')
      await until(() => running.host.to('tess').length === 1)
      expect(running.host.to('tess')).to.deep.equal(['making:\nmade'])
      const workers = running.models.requests.filter(byWorker)
      expect(workers).to.have.length(2)
      expect(said(workers[0]).at(-1)).to.include('approved; run exactly that command again')
      // The level of the sandbox depends on the machine.
      expect(results(workers[1]).at(-1)).to.match(/^\[(?:no output|ran at level \w+)\]$/)
      expect(workers[0]?.tools?.map(({ name }) => name)).to.include('bash')
    })

    it('is a turn itself, which is no further attempt, though the plugin that asks stops before the agent', async () => {
      // The agent stops after it, and the plugin that asks does not wait for it.
      const slow = definePlugin({
        name: 'slow',
        needs: { database: Database, agent: Agent },
        setup(ctx) {
          ctx.onDispose('a slow stop', async () => {
            for (let read = 0; read < 100; read++) await ctx.database.read((db) => db.query('SELECT 1'))
          })
        },
      })
      const listed = { later: [slow as unknown as AnyPlugin, ...plugins], database: true }
      let running = await hosts.start(both([touch], []), listed)
      await running.host.hear('make it', 'tess')
      await until(async () => (await pending(running)) === 1)
      await until(() => running.host.host.get(Agent)?.turns()[0]?.state === 'waiting')
      // A stop before that leaves it to the next start.
      await until(() => running.host.to('tess').join().includes('This needs the owner'))
      for (let restart = 1; restart <= 4; restart++) {
        const root = await hosts[how](running)
        running = await hosts.start(both([touch, 'made'], []), { ...listed, root })
        await until(() => running.host.host.get(Agent)?.turns()[0]?.state === 'waiting')
        expect(await pending(running)).to.equal(1)
        expect(running.host.texts).to.deep.equal([])
      }
      const [request] = (await running.host.host.get(Approvals)?.pending()) ?? []
      await running.host.say(`/approve ${request?.id}`, 'owner')
      await until(() => running.host.to('tess').length === 1)
      expect(running.host.to('tess')).to.deep.equal(['made'])
    })

    it('waits on where its sub-agent was still at work after it had asked', async () => {
      const never = { text: 'never', hold: new Promise(() => {}) }
      let running = await hosts.start(both([defer, 'on its way'], [touch, never]), options)
      await running.host.say('make it', 'tess')
      await until(async () => (await pending(running)) === 1 && running.models.requests.filter(byWorker).length === 2)
      for (let restart = 1; restart <= 2; restart++) {
        let root: string | undefined
        void hosts[how](running).then((folder) => {
          root = folder
        })
        // A stop waits for turns that work.
        await until(async () => {
          await running.host.clock.advance(1_000)
          return root !== undefined
        })
        running = await hosts.start(both([], [touch, 'made']), { ...options, root: root ?? '' })
        await until(() => waits(running))
        expect(await pending(running)).to.equal(1)
        expect(running.host.texts).to.deep.equal([])
      }
      const [request] = (await running.host.host.get(Approvals)?.pending()) ?? []
      await running.host.say(`/approve ${request?.id}`, 'owner')
      await until(() => running.host.to('tess').length === 1)
      expect(running.host.to('tess')).to.deep.equal(['making:\nmade'])
      expect(said(running.models.requests.find(byWorker)).at(-1)).to.include('approved; run exactly that command again')
    })

    for (const [turns, first, later] of [
      ['of a turn that has ended', [defer, 'on its way'], []],
      ['of a turn that waits for it', [spawn], ['all is open']],
    ] as const)
      it(`asks once where a tool of its sub-agent waits for the owner itself: a task ${turns}`, async () => {
        const unlock = defineTool({
          name: 'unlock',
          description: 'unlocks the door',
          permanent: true,
          parameters: Type.Object({}),
          run: async (_input, asking) => {
            const about = { kind: 'bash', title: 'Unlock', text: 'unlock the door', reason: 'it is a lock' } as const
            return askOwner(running.host.host.get(Approvals) as Approvals, asking, about)
          },
        })
        const opened = call('unlock', {})
        const withDoor = { ...options, tools: [unlock], config: { 'ai.agent.workerBaseTools': ['unlock'] } }
        let running = await hosts.start(both([...first], [opened]), withDoor)
        await running.host.hear('open it', 'tess')
        await until(async () => (await pending(running)) === 1)
        const root = await hosts[how](running)
        running = await hosts.start(both([...later], [opened, 'it is open']), { ...withDoor, root })
        await until(() => waits(running))
        const [request] = (await running.host.host.get(Approvals)?.pending()) ?? []
        await running.host.say(`/approve ${request?.id}`, 'owner')
        await until(() => running.host.to('tess').length === 1)
        expect(running.host.to('tess')).to.deep.equal(later.length > 0 ? [...later] : ['making:\nit is open'])
        expect(results(running.models.requests.filter(byWorker).at(-1)).at(-1)).to.equal('approved')
        expect(await pending(running)).to.equal(0)
      })

    it('returns its result to the turn that waits for it', async () => {
      let running = await hosts.start(both([spawn], [touch, 'I wait']), options)
      await running.host.hear('make it', 'tess')
      await until(() => waits(running))
      for (let restart = 1; restart <= 3; restart++) {
        const root = await hosts[how](running)
        running = await hosts.start(both(['all is made'], [touch, 'made']), { ...options, root })
        await until(() => log(running).length === 1)
        await until(
          () =>
            running.host.host
              .get(Agent)
              ?.turns()
              .some(({ state }) => state === 'waiting') === true,
        )
      }
      const [request] = (await running.host.host.get(Approvals)?.pending()) ?? []
      await running.host.say(`/approve ${request?.id}`, 'owner')
      await until(() => running.host.to('tess').length === 1)
      expect(running.host.to('tess')).to.deep.equal(['all is made'])
      expect(results(running.models.requests.filter((one) => !byWorker(one)).at(-1))[0]).to.include('made')
    })
  })
