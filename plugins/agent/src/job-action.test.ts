import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool, ModelError } from '@mynah/plugin-ai/api'
import cron from '@mynah/plugin-cron'
import { Jobs, type Creator, type NewJob } from '@mynah/plugin-cron/api'
import type { AnyPlugin } from '@mynah/kernel'
import { eachTest, said, until, type Rig } from './test/support.js'

const plugins = [cron as unknown as AnyPlugin]
const owner: Creator = {
  kind: 'chat',
  adapter: 'test',
  endpoint: 'one',
  channel: { type: 'private', id: 'owner' },
  user: 'owner',
}
const job = (more: Partial<NewJob> = {}): NewJob => ({
  trigger: { kind: 'im' },
  action: { kind: 'agent', prompt: 'look at the sky' },
  notify: { channel: 'im', platform: 'test', endpointId: 'one', sceneId: 'owner', scope: 'private' },
  creator: owner,
  ...more,
})
const jobsOf = (rig: Rig): Jobs => rig.host.get(Jobs) as Jobs
const stateOf = (rig: Rig, id: string): string | undefined => jobsOf(rig).get(id)?.recent.at(-1)?.state

async function run(rig: Rig, id: string): Promise<void> {
  const before = jobsOf(rig).get(id)?.recent.length ?? 0
  await jobsOf(rig).run(id)
  await until(() => (jobsOf(rig).get(id)?.recent.length ?? 0) > before)
}

for (const database of [true, false]) {
  describe(`agentJobs: a job (${database ? 'database' : 'memory'})`, () => {
    const tests = eachTest()

    it('answers in the chat of its results, and remembers its own runs', async () => {
      const rig = await tests.start((_, index) => `answer ${index + 1}`, { database, plugins })
      const { id } = await jobsOf(rig).add(job())
      await run(rig, id)
      await run(rig, id)
      expect(rig.sent.map(({ target, message }) => [target.type, target.id, message.text])).to.deep.equal([
        ['private', 'owner', 'answer 1'],
        ['private', 'owner', 'answer 2'],
      ])
      expect(
        said(rig.models.requests[1])
          .filter((line) => !line.startsWith('system'))
          .join('\n'),
      ).to.include('assistant: answer 1')
      expect(rig.models.requests[1]?.session).to.equal(`job|${id}`)
    })

    it('sends nothing when all is well', async () => {
      const rig = await tests.start([' HEARTBEAT_OK\n'], { database, plugins })
      const { id } = await jobsOf(rig).add(job())
      await run(rig, id)
      expect([stateOf(rig, id), rig.sent]).to.deep.equal(['ok', []])
    })

    it('continues after a transient failure, without running its tools again', async () => {
      let runs = 0
      const once = defineTool({
        name: 'post',
        description: 'Posts',
        parameters: Type.Object({}),
        run: () => `posted ${++runs}`,
      })
      const rig = await tests.start(
        (_, index) => {
          if (index === 0) return { calls: [{ name: 'post', input: {} }] }
          if (index === 1) throw new ModelError('network', 'not reached')
          return 'all done'
        },
        { database, plugins, tools: [once] },
      )
      const { id } = await jobsOf(rig).add(job())
      await jobsOf(rig).run(id)
      await until(() => rig.models.requests.length === 2 && rig.agent.turns().length === 0)
      await until(async () => {
        // A turn that runs has deadlines on this clock.
        if (rig.agent.turns().length === 0) await rig.clock.advance(30_000)
        return stateOf(rig, id) === 'ok'
      })
      expect([runs, rig.texts]).to.deep.equal([1, ['all done']])
      expect(said(rig.models.requests[2]).join('\n')).to.include('posted 1')
    })

    it('is not tried again when the provider refuses the key', async () => {
      const rig = await tests.start(
        () => {
          throw new ModelError('auth', 'the key is refused')
        },
        { database, plugins },
      )
      const { id } = await jobsOf(rig).add(job())
      await run(rig, id)
      expect(jobsOf(rig).get(id)?.state).to.include({ lastStatus: 'error', lastError: 'the key is refused' })
      expect(rig.models.requests).to.have.length(1)
    })

    it('has the rights of its creator', async () => {
      const seen: string[][] = []
      const look = defineTool({
        name: 'look',
        description: 'Looks',
        parameters: Type.Object({}),
        requiredAnyRole: ['master'],
        run: (_, { roles }) => {
          seen.push([...roles].sort())
          return 'seen'
        },
      })
      const rig = await tests.start(
        (_, index) => (index % 2 === 0 ? { calls: [{ name: 'look', input: {} }] } : 'looked'),
        { database, plugins, tools: [look] },
      )
      for (const creator of [
        owner,
        { ...owner, user: 'somebody' },
        { kind: 'console' },
        { kind: 'event', source: 'door' },
      ] as Creator[]) {
        const { id } = await jobsOf(rig).add(job({ creator, notify: { channel: 'silent' } }))
        await run(rig, id)
      }
      expect(seen).to.deep.equal([
        ['master', 'user'],
        ['master', 'trusted', 'user'],
      ])
    })

    it('ends its turn when the job is paused', async () => {
      let signal: AbortSignal | undefined
      const look = defineTool({
        name: 'look',
        description: 'Looks',
        parameters: Type.Object({}),
        run: (_, call) => {
          signal = call.signal
          return new Promise<string>(() => {})
        },
      })
      const rig = await tests.start([{ calls: [{ name: 'look', input: {} }] }], { database, plugins, tools: [look] })
      const { id } = await jobsOf(rig).add(job())
      await jobsOf(rig).run(id)
      await until(() => signal !== undefined)
      await jobsOf(rig).setEnabled(id, false)
      await until(() => stateOf(rig, id) === 'interrupted' && rig.agent.turns().length === 0)
      expect([signal?.aborted, rig.sent]).to.deep.equal([true, []])
    })

    it('is skipped when its agent does not exist', async () => {
      const rig = await tests.start([], { database, plugins })
      const { id } = await jobsOf(rig).add(job({ action: { kind: 'agent', prompt: 'x', agent: 'absent' } }))
      await run(rig, id)
      expect(jobsOf(rig).get(id)?.state).to.include({ lastStatus: 'skipped', lastError: 'there is no agent "absent"' })
    })
  })
}
