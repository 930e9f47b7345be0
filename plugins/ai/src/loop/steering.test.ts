import { expect } from 'chai'
import { TestClock, until } from '@mynah/kernel/testing'
import type { LoopEvent, MessageQueue } from '../api/loop.js'
import type { UserMessage } from '../api/messages.js'
import { defineTool } from '../api/tools.js'
import { ModelError } from '../api/errors.js'
import { call, echo, gate, loopOver, results, run, said } from '../test/loop-support.js'

const queue = (mode?: MessageQueue['mode']): MessageQueue & { readonly waiting: UserMessage[] } => {
  const waiting: UserMessage[] = []
  return { waiting, next: () => waiting.shift(), ...(mode ? { mode } : {}) }
}
const says = (content: string): UserMessage => ({ role: 'user', content })
const roles = (messages: readonly { role: string; content: unknown }[]) =>
  messages.map(({ role, content }) => (role === 'user' ? content : role))

describe('agentLoop: steering, follow-ups and stopping', () => {
  it('skips calls that have not begun when a message comes, and adds it', async () => {
    const steering = queue()
    const ran: string[] = []
    const note = defineTool({
      name: 'note',
      description: 'Notes',
      parameters: { type: 'object', properties: { text: { type: 'string' } } },
      run: ({ text }) => {
        ran.push(String(text))
        if (text === 'a') steering.waiting.push(says('stop that'))
      },
    })
    const { end, events, models } = await run(
      [
        { calls: [call('note', { text: 'a' }), call('note', { text: 'b' }), call('note', { text: 'c' })] },
        'All right.',
      ],
      { tools: [note], parallel: 1, steering },
    )
    expect(ran).to.deep.equal(['a'])
    expect(results({ events }).map(([, output, isError]) => [isError, String(output).slice(0, 8)])).to.deep.equal([
      [false, 'Done.'],
      [true, 'Not run:'],
      [true, 'Not run:'],
    ])
    expect(roles(end.messages)).to.deep.equal(['assistant', 'tool', 'stop that', 'assistant'])
    expect(models.requests[1]?.messages.at(-1)).to.deep.equal(says('stop that'))
  })

  it('adds no message after calls that a stop has left without results', async () => {
    const steering = queue()
    const notes = queue()
    const abort = new AbortController()
    const stops = defineTool({
      name: 'stops',
      description: 'Stops the loop',
      parameters: { type: 'object' },
      run: () => {
        steering.waiting.push(says('and another thing'))
        notes.waiting.push(says('by the way'))
        abort.abort(new Error('the host stops'))
        return new Promise(() => {})
      },
    })
    const { end } = await run([{ calls: [call('stops', {})] }, 'never'], {
      tools: [stops],
      steering,
      notes,
      signal: abort.signal,
    })
    expect([end.reason, roles(end.messages)]).to.deep.equal(['aborted', ['assistant']])
    expect([steering.waiting, notes.waiting].map(({ length }) => length)).to.deep.equal([1, 1])
  })

  it('adds notes after the results of tools, which all run, and asks no further round for them', async () => {
    const notes = queue()
    const { end, events, models } = await run(
      [{ calls: [call('echo', { text: 'x' }), call('echo', { text: 'y' })] }, 'Done.'],
      { tools: [echo], notes, parallel: 1 },
      (event) => {
        if (event.type === 'tool-start' && notes.waiting.length === 0) notes.waiting.push(says('one'), says('two'))
        if (event.type === 'assistant' && event.reason === 'stop') notes.waiting.push(says('late'))
      },
    )
    expect(results({ events }).map(([, , isError]) => isError)).to.deep.equal([false, false])
    expect(roles(end.messages)).to.deep.equal(['assistant', 'tool', 'one', 'two', 'assistant'])
    expect(models.requests).to.have.length(2)
    expect(events.filter(({ type }) => type === 'note')).to.have.length(2)
  })

  it('takes steering one at a time, or all', async () => {
    for (const [mode, expected] of [
      ['one-at-a-time', ['assistant', 'tool', 'one', 'assistant', 'two', 'assistant']],
      ['all', ['assistant', 'tool', 'one', 'two', 'assistant']],
    ] as const) {
      const steering = queue(mode)
      const { end } = await run(
        [{ calls: [call('echo', { text: 'x' })] }, 'First.', 'Second.'],
        { tools: [echo], steering },
        (event) => event.type === 'tool-end' && steering.waiting.push(says('one'), says('two')),
      )
      expect(roles(end.messages), mode).to.deep.equal(expected)
    }
  })

  it('answers what comes late one at a time, or all at once', async () => {
    for (const [mode, expected] of [
      ['one-at-a-time', ['assistant', 'one', 'assistant', 'two', 'assistant', 'three', 'assistant']],
      ['all', ['assistant', 'one', 'two', 'three', 'assistant']],
    ] as const)
      for (const kind of ['steering', 'followUps'] as const) {
        const late = queue(mode)
        const { end } = await run(['First.', 'Second.', 'Third.', 'Fourth.'], { [kind]: late }, (event) => {
          if (event.type === 'assistant' && JSON.stringify(event.message).includes('First.'))
            late.waiting.push(...['one', 'two', 'three'].map(says))
        })
        expect(roles(end.messages), `${kind}, ${mode}`).to.deep.equal(expected)
      }
  })

  it('answers follow-ups afterwards, each with steps of its own', async () => {
    const followUps = queue()
    followUps.waiting.push(says('and then?'))
    const { end } = await run(['First.', { calls: [call('echo', { text: 'x' })] }, 'Second.'], {
      tools: [echo],
      followUps,
      maxSteps: 3,
    })
    expect(roles(end.messages)).to.deep.equal(['assistant', 'and then?', 'assistant', 'tool', 'assistant'])
    expect(end).to.deep.include({ reason: 'answer', text: 'Second.', steps: 3 })
  })

  it('runs tools before the first step, and gives their results to the model', async () => {
    const hangs = defineTool({
      name: 'hangs',
      description: 'Hangs',
      parameters: { type: 'object' },
      effect: 'read',
      timeout: 999_999,
      run: () => new Promise(() => {}),
    })
    const fails = defineTool({
      name: 'fails',
      description: 'Fails',
      parameters: { type: 'object' },
      effect: 'read',
      run: () => {
        throw new Error('no')
      },
    })
    const clock = new TestClock()
    const running = run(['Answer.'], {
      tools: [echo, hangs, fails],
      clock,
      preExecTimeout: 1_000,
      preExecute: [
        { name: 'hangs', input: {} },
        { name: 'echo', input: { text: 'rain' } },
        { name: 'fails', input: {} },
        { name: 'gone', input: {} },
      ],
    })
    await until(() => clock.pending > 0)
    await clock.advance(1_000)
    const { events, models } = await running
    const done = events.find((event) => event.type === 'pre-executed')
    expect(done?.type === 'pre-executed' && done.outcomes.map((outcome) => outcome.call.name)).to.deep.equal(['echo'])
    expect(models.requests[0]?.messages[1]?.content).to.deep.equal([
      { type: 'text', text: 'Known already, from tools:\n\n[echo]\nrain' },
      { type: 'text', text: 'go' },
    ])
    expect(done?.type === 'pre-executed' && done.message).to.deep.equal(models.requests[0]?.messages[1])
  })

  it('stops at once on an abort, and leaves open calls as they were', async () => {
    const abort = new AbortController()
    const begun = gate()
    let inner: AbortSignal | undefined
    const hangs = defineTool({
      name: 'hangs',
      description: 'Hangs',
      parameters: { type: 'object' },
      run: (_input, given) => {
        inner = given.signal
        begun.open()
        return new Promise(() => {})
      },
    })
    const running = run([{ calls: [call('echo', { text: 'x' }, '1'), call('hangs', {}, '2')] }, 'never'], {
      tools: [echo, hangs],
      signal: abort.signal,
    })
    await begun.promise
    await new Promise((resolve) => setImmediate(resolve))
    abort.abort(new Error('enough'))
    const { end, models } = await running
    expect(end.reason).to.equal('aborted')
    expect(inner?.aborted).to.equal(true)
    expect(models.requests).to.have.length(1)
    expect(end.messages.map(({ role }) => role)).to.deep.equal(['assistant', 'tool'])
    expect(end.messages[1]?.role === 'tool' && end.messages[1].content.map(({ id }) => id)).to.deep.equal(['1'])
  })

  it('stops while the model is silent, and before the first step', async () => {
    const abort = new AbortController()
    const { end } = await run(
      [{ text: 'never', hold: new Promise(() => {}) }],
      { signal: abort.signal },
      (event) => event.type === 'step' && setImmediate(() => abort.abort()),
    )
    expect(end).to.deep.include({ reason: 'aborted', text: '' })
    expect((await run(['never'], { signal: AbortSignal.abort() })).models.requests).to.have.length(0)
  })

  it('stops its tools when its consumer leaves', async () => {
    let signal: AbortSignal | undefined
    const hangs = defineTool({
      name: 'hangs',
      description: 'Hangs',
      parameters: { type: 'object' },
      run: (_input, given) => {
        signal = given.signal
        given.progress('begun')
        return new Promise(() => {})
      },
    })
    for await (const event of loopOver([{ calls: [call('hangs', {})] }], { tools: [hangs] }).loop)
      if (event.type === 'tool-progress') break
    expect(signal?.aborted).to.equal(true)
  })

  it('never throws, and ends with the failure', async () => {
    const failed = await run([{ error: 'overflow' }])
    expect(failed.end).to.deep.include({ reason: 'error' })
    expect(failed.end.error?.class).to.equal('overflow')
    expect((await run([{ error: 'refusal' }])).end.reason).to.equal('refusal')
    const broken = await run([{ text: 'so far', error: new ModelError('network', 'gone') }])
    expect(broken.end).to.deep.include({ reason: 'interrupted', text: 'so far' })
    expect(broken.end.error?.class).to.equal('network')
    const events: LoopEvent[] = []
    for await (const event of loopOver([], {
      stream: () => {
        throw new Error('not even a stream')
      },
    }).loop)
      events.push(event)
    expect(events.at(-1)).to.deep.include({ type: 'end', reason: 'error' })
  })

  describe('after a start', () => {
    const left = (...names: string[]) => [
      ...said('go'),
      {
        role: 'assistant' as const,
        content: names.map((name, index) => ({
          type: 'tool-call' as const,
          id: String(index),
          name,
          input: { text: name },
        })),
      },
    ]
    const act = (effect: 'once' | 'repeatable' | 'read', ran: string[]) =>
      defineTool({
        name: effect,
        description: 'Acts',
        parameters: { type: 'object' },
        effect,
        run: () => void ran.push(effect),
      })

    it('repeats calls without effects, and reports the others as unknown', async () => {
      const ran: string[] = []
      const { end, events } = await run(['Done.'], {
        messages: left('once', 'repeatable', 'read', 'gone'),
        tools: [act('once', ran), act('repeatable', ran), act('read', ran)],
      })
      expect(ran).to.deep.equal(['repeatable', 'read'])
      expect(end.reason).to.equal('answer')
      const outcome = new Map(results({ events }).map(([name, output]) => [name, String(output)]))
      expect(outcome.get('once')).to.contain('whether it happened is unknown')
      expect(outcome.get('gone')).to.contain('unknown')
    })

    it('runs calls that had begun also where a message waits, and adds it afterwards', async () => {
      const ran: string[] = []
      const steering = queue()
      steering.waiting.push(says('what of it?'))
      const { end } = await run(['Done.'], {
        messages: left('once', 'read'),
        tools: [act('once', ran), act('read', ran)],
        hadNotBegun: ({ name }) => name === 'once',
        steering,
      })
      expect(ran).to.deep.equal(['once', 'read'])
      expect(roles(end.messages)).to.deep.equal(['tool', 'what of it?', 'assistant'])
    })

    it('prefers the results of its caller', async () => {
      const ran: string[] = []
      const { events } = await run(['Done.'], {
        messages: left('read', 'once'),
        tools: [act('once', ran), act('read', ran)],
        settle: (given) =>
          given.name === 'once'
            ? { type: 'tool-result', id: given.id, name: given.name, output: 'it had happened' }
            : undefined,
      })
      expect(ran).to.deep.equal(['read'])
      expect(results({ events }).find(([name]) => name === 'once')?.[1]).to.equal('it had happened')
    })

    it('settles only calls without a result', async () => {
      const ran: string[] = []
      const messages = [
        ...left('read', 'repeatable'),
        { role: 'tool' as const, content: [{ type: 'tool-result' as const, id: '0', name: 'read', output: 'there' }] },
      ]
      await run(['Done.'], { messages, tools: [act('read', ran), act('repeatable', ran)] })
      expect(ran).to.deep.equal(['repeatable'])
    })
  })
})
