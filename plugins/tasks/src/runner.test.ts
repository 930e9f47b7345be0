import { expect } from 'chai'
import type { Ref } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { Chat } from '@mynah/plugin-chat/api'
import type { Approvals } from '@mynah/plugin-exec-security/api'
import { Agent } from '@mynah/plugin-agent/api'
import { defineTool } from '@mynah/plugin-ai/api'
import { Database } from '@mynah/database-api'
import { MemoryTasks } from './memory-tasks.js'
import { TaskRecords } from './records.js'
import type { Task } from './types.js'
import { Tasks } from './runner.js'
import { both, byWorker, eachTest, results, said, until } from './test/support.js'

const spawn = (input: object) => ({ calls: [{ name: 'spawn_task', input }] })
const tool = (name: string, description: string, more: object = {}) =>
  defineTool({
    name,
    description,
    parameters: Type.Object({}),
    run: (_input, call) => `${name} for ${[...call.roles].join('+')}${call.subagent ? ' as a sub-agent' : ''}`,
    ...more,
  })

/** Returns a reference to a service that the host does not have. */
const absent = <T>(): Ref<T> => ({ current: undefined, declared: false, onChange: () => () => {} }) as unknown as Ref<T>

describe('Tasks', () => {
  const hosts = eachTest()

  it('runs a task as a sub-agent without the conversation, and returns its result to the turn', async () => {
    const { host, models } = await hosts.start(
      both([spawn({ task: 'count the birds', label: 'birds' }), 'there are three'], ['three birds']),
    )
    expect(await host.say('how many? my name is Ann-Sophie')).to.deep.equal(['there are three'])
    const worker = models.requests.find(byWorker)
    expect(said(worker).join()).to.include('count the birds').and.not.include('Ann-Sophie')
    expect(results(models.requests.at(-1))[0])
      .to.include('three birds')
      .and.match(/^<outside /)
  })

  it('traces the steps of sub-agents as parts of the calls that ask for them, with their durations', async () => {
    const dig = defineTool({
      name: 'dig',
      description: 'Digs',
      parameters: Type.Object({}),
      run: async () => {
        await running.host.clock.advance(500)
        return 'a bone'
      },
    })
    const running = await hosts.start(
      both(
        [
          {
            calls: [
              { name: 'spawn_task', input: { task: 'dig here' }, id: 'here' },
              { name: 'spawn_task', input: { task: 'think' }, id: 'think' },
            ],
          },
          'found',
        ],
        (request) => {
          if (!said(request).join().includes('dig here')) return 'thought'
          return results(request).length > 0 ? 'dug' : { calls: [{ name: 'dig', input: {} }] }
        },
      ),
      { tools: [dig], config: { 'ai.agent.workerBaseTools': ['dig'] } },
    )
    await running.host.say('where is it?')
    const [trace] = running.host.host.get(Chat)?.traces({ limit: 1 }) ?? []
    const steps = trace?.steps ?? []
    const call = (id: string) => steps.find((step) => step.name === 'spawn_task' && step.id?.endsWith(`/${id}`))
    const partsOf = (id: string | undefined) =>
      steps.filter(({ parent }) => parent === id).map(({ stage, name }) => `${stage} ${name}`)
    expect(partsOf(call('here')?.id)).to.have.members([
      'model script:scripted',
      'tool dig',
      'model script:scripted',
      'wait tasks',
    ])
    expect(partsOf(call('think')?.id)).to.have.members(['model script:scripted', 'wait tasks'])
    expect(partsOf(undefined)).to.include.members(['model script:scripted', 'tool spawn_task'])
    expect(steps.find(({ name }) => name === 'dig')).to.include({ durationMs: 500 })
    expect(call('here')).to.include({ durationMs: 500, waitedMs: 500 })
    expect(steps.every(({ stage, durationMs }) => stage !== 'model' || durationMs !== undefined)).to.equal(true)
  })

  it('offers workers their tools and matching ones, never the five forbidden ones', async () => {
    const tools = ['bash', 'read_file', 'extra', 'activate_skill', 'install_skill']
      .map((name) => tool(name, name))
      .concat(tool('weather', 'Tells the weather of a city'), tool('cook', 'Cooks soup'))
    const { host, models } = await hosts.start(both([spawn({ task: 'weather Oslo' }), 'sunny'], ['sunny']), {
      tools,
      config: { 'ai.agent.subagentTools': ['extra', 'spawn_task'] },
    })
    await host.say('weather?')
    expect(models.requests.find(byWorker)?.tools?.map(({ name }) => name)).to.deep.equal([
      'bash',
      'extra',
      'read_file',
      'weather',
    ])
  })

  it('gives workers the tools that are reserved for tasks', async () => {
    const tools = [tool('generate_image', 'Makes a picture', { deferred: true }), tool('dance', 'Dances')]
    const { host, models } = await hosts.start(
      both(
        [
          { calls: [{ name: 'tool_search', input: { query: 'makes a picture' } }] },
          spawn({ task: 'a kite', agent: 'draw' }),
          'drawn',
        ],
        ['drawn'],
      ),
      { tools },
    )
    await host.say('draw a picture of a kite')
    const offered = (index: number) => models.requests[index]?.tools?.map(({ name }) => name)
    for (const index of [0, 1]) expect(offered(index)).to.include('dance').and.not.include('generate_image')
    expect(said(models.requests[0])[0]).to.match(/## Deferred Tools\n.*: generate_image(\n|$)/)
    expect(results(models.requests[1])[0]).to.equal('generate_image: Makes a picture (by run_deferred_task)')
    expect(models.requests.find(byWorker)?.tools?.map(({ name }) => name)).to.include('generate_image')
  })

  it('refuses a forbidden tool that a worker calls by name', async () => {
    const { host, models } = await hosts.start(
      both([spawn({ task: 'dig' }), 'done'], [spawn({ task: 'deeper' }), 'no further']),
      { tools: [tool('bash', 'shell')] },
    )
    await host.say('go')
    const second = models.requests.filter(byWorker)[1]
    expect(results(second)[0]).to.include('not among those that may be used here')
  })

  it('runs a worker with the roles of the sender', async () => {
    const { host, models } = await hosts.start(
      both([spawn({ task: 'use bash' }), 'done'], [{ calls: [{ name: 'bash', input: {} }] }, 'used']),
      { tools: [tool('bash', 'shell', { requiredAnyRole: ['trusted'] })] },
    )
    await host.say('go', 'tess')
    expect(results(models.requests.filter(byWorker)[1])[0]).to.match(/^bash for .*trusted.* as a sub-agent$/)
    expect(results(models.requests.filter(byWorker)[1])[0]).to.not.include('master')
  })

  it('refuses a tool that the sender may not use', async () => {
    const { host, models } = await hosts.start(
      both([spawn({ task: 'use bash' }), 'done'], [{ calls: [{ name: 'bash', input: {} }] }, 'used']),
      { tools: [tool('bash', 'shell', { requiredAnyRole: ['trusted'] })] },
    )
    await host.say('go', 'ann')
    expect(results(models.requests.filter(byWorker)[1])[0]).to.include('needs one of trusted')
  })

  it('sends a result to the chat when the turn has stopped waiting', async () => {
    let finish = (): void => {}
    const held = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { host } = await hosts.start(
      both([spawn({ task: 'slow work', label: 'slow' }), 'I will tell you'], [{ text: 'finished', hold: held }]),
      { config: { 'ai.agent.subagentTurnWaitMs': 20_000 } },
    )
    const answer = host.say('go')
    await until(async () => {
      await host.clock.advance(1_000)
      return host.texts.length === 1
    })
    expect(await answer).to.deep.equal(['I will tell you'])
    finish()
    await until(() => host.texts.length === 2)
    expect(host.texts[1]).to.equal('slow:\nfinished')
  })

  it('sends the result of a deferred task to the chat', async () => {
    const { host, models } = await hosts.start(
      both(
        [
          {
            calls: [
              { name: 'run_deferred_task', input: { task: 'use the odd one', label: 'odd', tools: ['odd_one'] } },
            ],
          },
          'on its way',
        ],
        ['**odd** it is'],
      ),
      { tools: [tool('odd_one', 'Something rare')] },
    )
    await host.say('go')
    await until(() => host.texts.length === 2)
    expect([...host.texts].sort()).to.deep.equal(['odd:\nodd it is', 'on its way'])
    expect(models.requests.find(byWorker)?.tools?.map(({ name }) => name)).to.include('odd_one')
  })

  it('returns a failure to the turn', async () => {
    const { host, models } = await hosts.start(both([spawn({ task: 'fail' }), 'it failed'], [{ error: 'auth' }]))
    expect(await host.say('go')).to.deep.equal(['it failed'])
    expect(results(models.requests.at(-1))[0]).to.include('this failed')
  })

  it('stops a task with the turn that waits for it', async () => {
    const { host, models } = await hosts.start(
      both([spawn({ task: 'forever' }), 'never'], [{ text: 'never', hold: new Promise(() => {}) }]),
    )
    const answer = host.say('go')
    await until(() => models.requests.some(byWorker))
    await host.hear('/stop')
    await answer
    expect(host.texts.join()).to.not.include('forever')
  })

  it('uses the configured base tools and rounds', async () => {
    const tools = ['dig', 'fly'].map((name) =>
      defineTool({ name, description: name, parameters: Type.Object({}), run: () => `${name} ${Math.random()}` }),
    )
    const digs = { calls: [{ name: 'dig', input: {} }] }
    const { host, models } = await hosts.start(
      both([spawn({ task: 'think' }), 'ok'], (request) => (request.toolChoice === 'none' ? 'enough' : digs)),
      { tools, config: { 'ai.agent.workerBaseTools': ['dig'], 'ai.agent.maxSubagentIterations': 3 } },
    )
    await host.say('go')
    const workers = models.requests.filter(byWorker)
    expect(workers).to.have.length(3)
    expect(workers[0]?.tools?.map(({ name }) => name)).to.deep.equal(['dig'])
  })

  it('runs a task as any configured agent', async () => {
    const { host, models } = await hosts.start(both([spawn({ task: 'x', agent: 'coder' }), 'ok'], ['coded']), {
      agent: { 'ai.agents': { coder: { model: 'scripted' } } },
    })
    await host.say('go')
    expect(results(models.requests.at(-1))[0]).to.include('coded')
  })

  it('refuses an unknown agent and lists the known ones', async () => {
    const { host, models } = await hosts.start(both([spawn({ task: 'x', agent: 'unknown' }), 'no'], []))
    await host.say('go')
    expect(results(models.requests.at(-1))[0]).to.include('There is no agent "unknown"')
  })
})

describe('The end of a task', () => {
  const hosts = eachTest()

  for (const fault of ['refused', 'taken'] as const) {
    it(`is kept, stored later and delivered where the store has ${fault} it without an answer`, async () => {
      const call = { name: 'run_deferred_task', input: { task: 'count', label: 'birds' } }
      const { host } = await hosts.start(both([{ calls: [call] }, 'on its way'], ['three birds']), { database: true })
      const store = host.host.get(Database) as Database
      const tx = store.tx.bind(store)
      const gone = new WireError('not_ready', 'The database is not available')
      let isOver = false
      store.tx = async (fn) => {
        let isEnd = false
        const result = await tx(async (db) => {
          const before = await db.count(TaskRecords, { ended_at: { $ne: null } })
          const done = await fn(db)
          isEnd = !isOver && (await db.count(TaskRecords, { ended_at: { $ne: null } })) > before
          if (!isEnd) return done
          isOver = true
          if (fault === 'refused') throw gone
          return done
        })
        if (isEnd) throw gone
        return result
      }
      await host.hear('go')
      await until(async () => {
        await host.clock.advance(1_000)
        return host.texts.length === 2
      })
      expect(isOver).to.equal(true)
      expect([...host.texts].sort()).to.deep.equal(['birds:\nthree birds', 'on its way'])
      await until(async () => {
        const rows = await store.read((db) => db.find(TaskRecords, {}))
        return rows.length === 1 && rows[0]?.state === 'done' && rows[0].delivered_at !== null
      })
    })
  }
})

describe('Tasks.recover', () => {
  const hosts = eachTest()
  const never = new Promise(() => {})

  it('reports an interrupted task to the waiting turn, without a second run', async () => {
    const first = await hosts.start(both([spawn({ task: 'long', label: 'long' })], [{ text: 'never', hold: never }]), {
      database: true,
    })
    await first.host.hear('go')
    await until(() => first.models.requests.some(byWorker))
    const root = await hosts.crash(first)
    const second = await hosts.start(both(['I see, it was interrupted'], []), { database: true, root })
    await until(() => second.host.texts.includes('I see, it was interrupted'))
    expect(second.models.requests.filter(byWorker)).to.deep.equal([])
    expect(results(second.models.requests[0])[0]).to.include('the host stopped while this ran')
    await second.host.clock.advance(120_000)
    expect(second.host.texts).to.deep.equal(['I see, it was interrupted'])
  })

  it('reports an interrupted task to a turn that asks before the recovery', async () => {
    const { host } = await hosts.start(both([], []))
    const store = new MemoryTasks()
    const left: Task = {
      id: 'left',
      session: 's',
      turn: 't',
      label: 'long',
      agent: 'main',
      prompt: 'long',
      origin: {},
      roles: ['user'],
      state: 'running',
      result: null,
      waited: true,
      requests: [],
      asked: [],
      round: 1,
      worker: { tools: [], system: '', maxSteps: 1 },
      createdAt: 1,
      endedAt: null,
      deliveredAt: null,
    }
    await store.add(left)
    const agent = host.host.get(Agent) as Agent
    const tasks = new Tasks({
      agent,
      chat: absent<Chat>(),
      approvals: absent<Approvals>(),
      store,
      clock: host.clock,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    })
    expect(await tasks.start({ ...left, state: 'queued', createdAt: 2 })).to.include({
      state: 'interrupted',
      waited: true,
    })
    expect((await store.get('left'))?.endedAt).to.equal(host.clock.now())
  })

  it('notifies the chat at once when the waiting turn is not resumed', async () => {
    const first = await hosts.start(both([spawn({ task: 'long', label: 'long' })], [{ text: 'never', hold: never }]), {
      database: true,
    })
    await first.host.hear('go')
    await until(() => first.models.requests.some(byWorker))
    await first.host.host.get(Database)?.tx((db) => db.query('UPDATE agent_turn SET starts = 9, waiting = NULL'))
    const root = await hosts.crash(first)
    const second = await hosts.start(both([], []), { database: true, root })
    await until(() => second.host.texts.length === 2)
    expect(second.host.texts)
      .to.include('long: the host stopped while this ran; it was not started again.')
      .and.to.satisfy((texts: string[]) => texts.some((text) => text.includes('restarted')))
  })

  it('notifies the chat about a task without a waiting turn', async () => {
    const first = await hosts.start(
      both(
        [{ calls: [{ name: 'run_deferred_task', input: { task: 'long', label: 'long' } }] }, 'on its way'],
        [{ text: 'never', hold: never }],
      ),
      { database: true },
    )
    await first.host.say('go')
    await until(() => first.models.requests.some(byWorker))
    const root = await hosts.crash(first)
    const second = await hosts.start(both([], []), { database: true, root })
    await until(() => second.host.texts.length === 1)
    expect(second.host.texts).to.deep.equal(['long: the host stopped while this ran; it was not started again.'])
  })
})
