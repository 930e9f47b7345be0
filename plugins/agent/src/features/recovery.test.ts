import { rm } from 'node:fs/promises'
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { defineTool, isLeft, tools } from '@mynah/plugin-ai/api'
import { Database } from '@mynah/database-api'
import { TurnRecords } from '../session/tables.js'
import { crash, Rig, said, until, type Options, type Script } from '../test/support.js'

describe('recovery of turns', () => {
  const rigs: Rig[] = []
  let data: string | undefined
  afterEach(async () => {
    for (const rig of rigs.splice(0)) await rig.stop(true)
    if (data) await rm(data, { recursive: true, force: true })
    data = undefined
  })
  async function start(script: Script, options: Options = {}): Promise<Rig> {
    const rig = await new Rig(script).start({ database: true, ...options, ...(data === undefined ? {} : { data }) })
    data = rig.data
    rigs.push(rig)
    return rig
  }
  const never = new Promise(() => {})

  it('asks the model again after a restart in the middle of a request, and answers once', async () => {
    const first = await start([{ text: 'lost', hold: never }])
    await first.hear('hello', { id: 'm1' })
    await until(() => first.models.requests.length === 1)
    await crash(first)
    expect(first.texts).to.deep.equal([])
    const second = await start(['here I am'])
    await until(() => second.texts.length === 1)
    expect(second.texts).to.deep.equal(['here I am'])
    expect(said(second.models.requests[0]).at(-1)).to.include('hello')
    expect(said(second.models.requests[0])).to.deep.equal(said(first.models.requests[0]))
    await until(
      async () => (await second.host.get(Database)?.read((db) => db.count(TurnRecords, { state: 'done' }))) === 1,
    )
  })

  it('reports the unknown outcome of a tool that acts, and runs a tool again that only reads', async () => {
    const ran: string[] = []
    let hold = true
    const tool = (name: string, effect?: 'read') =>
      defineTool({
        name,
        description: name,
        parameters: Type.Object({}),
        ...(effect ? { effect } : {}),
        run: async () => {
          ran.push(name)
          if (hold) await never
          return `${name} done`
        },
      })
    const tools = [tool('acts'), tool('reads', 'read')]
    const first = await start(
      [
        {
          calls: [
            { name: 'acts', input: {} },
            { name: 'reads', input: {} },
          ],
        },
      ],
      { tools },
    )
    await first.hear('go')
    await until(() => ran.length === 2)
    await crash(first)
    hold = false
    const second = await start(['I looked'], { tools })
    await until(() => second.texts.length === 1)
    expect(ran).to.deep.equal(['acts', 'reads', 'reads'])
    const results = said(second.models.requests[0])
      .filter((line) => line.startsWith('tool'))
      .join()
    expect(results).to.include('whether it happened is unknown').and.include('reads done')
  })

  it('keeps waiting for an answer after a restart, without a second question', async () => {
    const first = await start([{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }])
    await first.hear('choose')
    await until(() => first.texts.length === 1)
    await crash(first)
    const second = await start(['Blue it is.'])
    await until(() => second.agent.turns().some(({ state }) => state === 'waiting'))
    await second.say('blue')
    await until(() => second.texts.length === 1)
    expect(second.texts).to.deep.equal(['Blue it is.'])
    expect(said(second.models.requests[0]).at(-1)).to.equal('tool: result blue')
  })

  it('runs waiting calls again, whatever their effect', async () => {
    const ran: string[] = []
    const tool = (name: string) =>
      defineTool({
        name,
        description: name,
        parameters: Type.Object({}),
        run: async (_, call) => {
          await call.wait('owner', name, () => (ran.includes(`${name} asked`) ? Promise.resolve() : never))
          ran.push(name)
          return `${name} done`
        },
      })
    const tools = [tool('opens'), tool('locks')]
    const first = await start(
      [
        {
          calls: [
            { name: 'opens', input: {} },
            { name: 'locks', input: {} },
          ],
        },
      ],
      { tools },
    )
    await first.hear('go')
    await until(
      async () =>
        (await first.host.get(Database)?.read((db) => db.find(TurnRecords, {})))?.some(
          ({ waiting }) => waiting?.includes('opens') && waiting.includes('locks'),
        ) === true,
    )
    await crash(first)
    ran.push('opens asked', 'locks asked')
    const second = await start(['both are done'], { tools })
    await until(() => second.texts.length === 1)
    expect(
      said(second.models.requests[0])
        .filter((line) => line.startsWith('tool'))
        .join(),
    )
      .to.include('opens done')
      .and.include('locks done')
  })

  it('rejects the answer of a turn that waits when the host stops, as one that goes on later', async () => {
    const asks = defineTool({
      name: 'asks',
      description: 'asks',
      parameters: Type.Object({}),
      run: (_, call) => call.wait('owner', 'o1', () => never.then(() => 'never')),
    })
    const rig = await start([{ calls: [{ name: 'asks', input: {} }] }], { tools: [asks] })
    const ended = rig.agent.ask({ text: 'go' }).catch((reason: unknown) => reason)
    await until(() => rig.agent.turns()[0]?.state === 'waiting')
    await crash(rig)
    expect(isLeft(await ended)).to.equal(true)
  })

  it('finds the tools of plugins that start slowly', async () => {
    let hold = true
    const tool = defineTool({
      name: 'looks',
      description: 'Looks',
      parameters: Type.Object({}),
      effect: 'read',
      run: async () => {
        if (hold) await never
        return 'seen'
      },
    })
    const slow = definePlugin({
      name: 'slow',
      async setup(ctx) {
        await new Promise((resolve) => setImmediate(() => setTimeout(resolve, 50)))
        ctx.contribute(tools, tool)
      },
    })
    const plugins = [slow as unknown as AnyPlugin]
    const first = await start([{ calls: [{ name: 'looks', input: {} }] }], { plugins })
    await first.hear('look')
    await until(() => first.steps.length > 0 && first.agent.turns().length === 1 && first.models.requests.length === 1)
    await until(
      async () =>
        (await first.host.get(Database)?.read((db) => db.find(TurnRecords, {})))?.[0]?.chain.includes('3') === true,
    )
    await crash(first)
    hold = false
    const second = await start(['I saw it'], { plugins })
    await until(() => second.texts.length === 1)
    expect(said(second.models.requests[0]).at(-1)).to.equal('tool: result seen')
  })

  it('gives up at the third start and notifies the user', async () => {
    for (let life = 0; life < 2; life++) {
      const rig = await start([{ text: '', hold: never }])
      if (life === 0) await rig.hear('hello')
      await until(() => rig.models.requests.length === 1)
      await crash(rig)
    }
    const third = await start(['never said', 'next'])
    await until(() => third.texts.length === 1)
    expect(third.texts[0]).to.include('restarted')
    expect(await third.say('again')).to.deep.equal(['never said'])
  })
})
