import { expect } from 'chai'
import { toolCallsOf } from '../api/messages.js'
import { defineTool } from '../api/tools.js'
import { call, echo, loopOver, results, run, said } from '../test/loop-support.js'

describe('agentLoop', () => {
  it('ends with the answer', async () => {
    const { end, events } = await run(['Hello there.'])
    expect(end).to.deep.include({ reason: 'answer', text: 'Hello there.', steps: 1 })
    expect(end.messages).to.deep.equal([
      { role: 'assistant', content: [{ type: 'text', text: 'Hello there.' }], model: 'script:scripted' },
    ])
    expect(events.map(({ type }) => type)).to.deep.equal(['step', 'model', 'text', 'text', 'assistant', 'end'])
  })

  it('runs tools and asks again, until it answers', async () => {
    const { end, models, ...rest } = await run(
      [
        { text: 'Looking. ', calls: [call('echo', { text: 'a' }), call('echo', { text: 'b' })] },
        { calls: [call('echo', { text: 'c' })] },
        'Done.',
      ],
      { tools: [echo] },
    )
    expect(end).to.deep.include({ reason: 'answer', text: 'Done.', steps: 3 })
    expect(results(rest).map(([, output]) => output)).to.deep.equal(['a', 'b', 'c'])
    expect(end.messages.map(({ role }) => role)).to.deep.equal(['assistant', 'tool', 'assistant', 'tool', 'assistant'])
    expect(end.usage).to.deep.equal({ input: 30, cachedInput: 0, output: 15 })
    // Each request extends the one before.
    models.requests.reduce((before, next) => {
      expect(next.messages.slice(0, before.messages.length)).to.deep.equal(before.messages)
      expect(next.tools).to.deep.equal(before.tools)
      return next
    })
  })

  it('launches no call before its consumer has taken the answer', async () => {
    let ran = 0
    const tool = defineTool({
      name: 'count',
      description: 'Counts',
      parameters: { type: 'object' },
      run: () => String(++ran),
    })
    const { loop } = loopOver([{ calls: [call('count', {})] }, 'Done.'], { tools: [tool] })
    for await (const event of loop) {
      if (event.type === 'assistant' && toolCallsOf(event.message).length) {
        await new Promise((resolve) => setImmediate(resolve))
        expect(ran).to.equal(0)
      }
    }
    expect(ran).to.equal(1)
  })

  it('sends results in the order of their calls', async () => {
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time',
      parameters: { type: 'object' },
      run: () => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve('slow')))),
    })
    const { end, events } = await run(
      [{ calls: [call('slow', {}, '1'), call('echo', { text: 'fast' }, '2')] }, 'Done.'],
      { tools: [slow, echo] },
    )
    expect(results({ events }).map(([name]) => name)).to.deep.equal(['echo', 'slow'])
    const [, tool] = end.messages
    expect(tool?.role === 'tool' && tool.content.map(({ id }) => id)).to.deep.equal(['1', '2'])
  })

  it('limits how many calls run at once', async () => {
    let running = 0
    let most = 0
    const tool = defineTool({
      name: 'busy',
      description: 'Is busy',
      parameters: { type: 'object' },
      async run() {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      },
    })
    const calls = Array.from({ length: 6 }, () => call('busy', {}))
    await run([{ calls }, 'Done.'], { tools: [tool], parallel: 2 })
    expect(most).to.equal(2)
    most = 0
    await run([{ calls }, 'Done.'], { tools: [tool], parallel: 1 })
    expect(most).to.equal(1)
  })

  it('answers without tools at its last step, and leaves no call open', async () => {
    const script = (request: { toolChoice?: unknown }) =>
      request.toolChoice === 'none'
        ? { text: 'That is all.', calls: [call('echo', { text: 'more' })] }
        : { calls: [call('echo', { text: String(Math.random()) })] }
    const { end, models, events } = await run(script, { tools: [echo], maxSteps: 3 })
    expect(end).to.deep.include({ reason: 'max-steps', text: 'That is all.', steps: 3 })
    expect(models.requests.map(({ toolChoice }) => toolChoice)).to.deep.equal([undefined, undefined, 'none'])
    expect(models.requests[2]?.tools).to.deep.equal(models.requests[0]?.tools)
    expect(end.messages.flatMap((message) => toolCallsOf(message))).to.have.length(2)
    expect(results({ events })[1]?.[1]).to.contain('no more tools can be called')
  })

  it('has one step without tools', async () => {
    const { end, models } = await run([{ text: 'Answer.' }], { tools: [] })
    expect(end.reason).to.equal('answer')
    expect(models.requests[0]).not.to.have.property('tools')
  })

  it('takes tools that come and go between its steps', async () => {
    const set = {
      definitions: [{ name: 'echo', description: 'x', parameters: echo.parameters }],
      find: (name: string) => (name === 'echo' ? echo : undefined),
    }
    const { models } = await run([{ calls: [call('echo', { text: 'x' })] }, 'Done.'], { tools: set }, (event) => {
      if (event.type === 'tool-end')
        set.definitions = [...set.definitions, { name: 'later', description: 'x', parameters: { type: 'object' } }]
    })
    expect(models.requests.map(({ tools }) => tools?.length)).to.deep.equal([1, 2])
  })

  it('reports a removed tool, and suggests no other removed tool', async () => {
    const set = {
      definitions: [{ name: 'echo', description: 'x', parameters: echo.parameters }],
      find: () => undefined,
    }
    const { models } = await run([{ calls: [call('echo', { text: 'x' })] }, 'Done.'], { tools: set })
    expect(JSON.stringify(models.requests[1]?.messages.at(-1)))
      .to.include('There is no tool')
      .and.not.include('Did you mean')
  })

  it('lets its caller change the messages before a step', async () => {
    const { models } = await run([{ calls: [call('echo', { text: 'x' })] }, 'Done.'], {
      tools: [echo],
      request: { temperature: 0.5 },
      prepareStep: ({ index, messages }) =>
        index === 1 ? { messages: messages.slice(-1), request: { maxOutputTokens: 7 } } : undefined,
    })
    expect(models.requests[0]).to.deep.include({ temperature: 0.5 })
    expect(models.requests[1]).to.deep.include({ temperature: 0.5, maxOutputTokens: 7 })
    expect(models.requests[1]?.messages).to.have.length(1)
  })

  it('reports a cost only when every call has one', async () => {
    expect(
      (
        await run(
          [
            { calls: [call('echo', { text: 'x' })], usage: { cost: 1 } },
            { text: 'Done.', usage: { cost: 2 } },
          ],
          { tools: [echo] },
        )
      ).end.usage.cost,
    ).to.equal(3)
    expect(
      (await run([{ calls: [call('echo', { text: 'x' })] }, { text: 'Done.', usage: { cost: 2 } }], { tools: [echo] }))
        .end.usage,
    ).not.to.have.property('cost')
  })

  it('is a pure function of what it is given', async () => {
    const messages = Object.freeze(said('go'))
    const input = Object.freeze({ text: 'x' })
    const spoil = defineTool({
      name: 'spoil',
      description: 'x',
      parameters: { type: 'object', properties: { text: { type: 'string' }, more: { type: 'string', default: 'd' } } },
      run: (given) => {
        given['text'] = 'spoilt'
        return String(given['more'])
      },
    })
    const script = [{ calls: [call('spoil', input, 'id')] }, 'Done.']
    const first = await run(script, { tools: [spoil], messages })
    const second = await run(script, { tools: [spoil], messages })
    expect(second.end).to.deep.equal(first.end)
    expect(toolCallsOf(first.end.messages[0] as never)[0]?.input).to.deep.equal({ text: 'x' })
    expect(results(first)).to.deep.equal([['spoil', 'd', false]])
  })
})
