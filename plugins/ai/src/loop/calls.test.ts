import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { defineTool, toolResult, type Tool } from '../api/tools.js'
import { checkOf } from './schemas.js'
import { call, echo, gate, results, run, type Script } from '../test/loop-support.js'

const tool = (name: string, body: () => unknown, more: Partial<Tool> = {}): Tool =>
  defineTool({ name, description: name, parameters: { type: 'object' }, run: body, ...more } as never)
const once = async (
  calls: ReturnType<typeof call>[],
  tools: readonly Tool[],
  more: object = {},
  end: Script extends readonly (infer T)[] ? T : never = 'Done.' as never,
) => results(await run([{ calls }, end], { tools, ...more }))[0]

describe('tool calls that fail', () => {
  it('names the mistake in the arguments', async () => {
    const wrong = async (input: unknown) => (await once([call('echo', input)], [echo]))?.[1]
    expect(await wrong({})).to.contain('text is required')
    expect(await wrong({ text: 5 })).to.contain('text must be string')
    expect(await wrong({ text: 'x', txet: 'y' })).to.contain('txet is not known')
    const nested = defineTool({
      name: 'nested',
      description: 'x',
      parameters: {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'object', properties: { kind: { enum: ['a', 'b'] } } } } },
      },
      run: () => 'ran',
    })
    expect((await once([call('nested', { list: [{}, { kind: 'c' }] })], [nested]))?.[1]).to.contain(
      'list[1].kind must be one of ["a","b"]',
    )
  })

  it('names the closest match of an unknown tool', async () => {
    const [, output, isError] = (await once([call('ecko', { text: 'x' })], [echo])) ?? []
    expect([isError, output]).to.deep.equal([true, 'There is no tool "ecko". Did you mean echo?'])
    expect((await once([call('x'.repeat(10_000), {})], [echo]))?.[1]).to.have.length.lessThan(300)
  })

  it('reports anything that a tool throws to the model', async () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error('inner')
        },
        getPrototypeOf() {
          throw new Error('inner')
        },
      },
    )
    for (const thrown of [new Error('broken'), 'text', undefined, null, Object.create(null), hostile]) {
      const outcome =
        (await once(
          [call('bad', {})],
          [
            tool('bad', () => {
              throw thrown
            }),
          ],
        )) ?? []
      expect(outcome[2]).to.equal(true)
      expect(outcome[1]).to.be.a('string')
      expect((await once([call('bad', {})], [tool('bad', () => Promise.reject(thrown))]))?.[2]).to.equal(true)
    }
    expect(
      (
        await once(
          [call('bad', {})],
          [
            tool('bad', () => {
              throw new Error('at /home/me/key')
            }),
          ],
          { redact: (text: string) => text.replace('/home/me', '…') },
        )
      )?.[1],
    ).to.equal('bad failed: at …/key')
  })

  it('takes anything that JSON can hold as a result', async () => {
    const given = async (value: unknown) => (await once([call('give', {})], [tool('give', () => value)]))?.[1]
    expect(await given({ a: [1] })).to.equal('{"a":[1]}')
    expect(await given(undefined)).to.equal('Done.')
    expect(await given('null \0 and \ud800 half')).to.equal('null \uFFFD and \uFFFD half')
    expect(
      await given(
        toolResult([
          { type: 'text', text: 'see' },
          { type: 'image', mediaType: 'image/png', data: 'aGk=' },
        ]),
      ),
    ).to.deep.equal([
      { type: 'text', text: 'see' },
      { type: 'image', mediaType: 'image/png', data: 'aGk=' },
    ])
    const circular: { self?: unknown } = {}
    circular.self = circular
    const [, output, isError] = (await once([call('give', {})], [tool('give', () => circular)])) ?? []
    expect(isError).to.equal(true)
    expect(output).to.contain('give failed')
    expect((await once([call('give', {})], [tool('give', () => 10n)]))?.[2]).to.equal(true)
  })

  it('cuts the middle out of a long result', async () => {
    const text = `begin ${'x'.repeat(500)} end`
    const output = String((await once([call('long', {})], [tool('long', () => text)], { maxResultChars: 100 }))?.[1])
    expect(output.length).to.be.lessThan(200)
    expect(output).to.match(/^begin x+\n\[… 410 characters left out …\]\nx+ end$/)
    const parts = (
      await once(
        [call('long', {})],
        [
          tool('long', () =>
            toolResult([
              { type: 'text', text },
              { type: 'text', text },
            ]),
          ),
        ],
        { maxResultChars: 100 },
      )
    )?.[1]
    expect(JSON.stringify(parts).length).to.be.lessThan(400)
  })

  it('answers arguments that could not be read', async () => {
    const [, output, isError] =
      results(
        await run([{ calls: [], text: '' }, 'x'], {
          tools: [echo],
          messages: [
            { role: 'user', content: 'go' },
            {
              role: 'assistant',
              content: [
                {
                  type: 'tool-call',
                  id: '1',
                  name: 'echo',
                  input: '{"te',
                  invalid: 'the arguments are not complete JSON',
                },
              ],
            },
          ],
        }),
      )[0] ?? []
    expect([isError, output]).to.deep.equal([
      true,
      'The arguments do not fit echo: the arguments are not complete JSON. Call it again with arguments that fit its schema.',
    ])
  })

  it('runs nothing of an answer that was cut off', async () => {
    let ran = false
    const outcome = await run([{ calls: [call('act', {})], reason: 'length' }, 'Done.'], {
      tools: [tool('act', () => (ran = true))],
    })
    expect(ran).to.equal(false)
    expect(results(outcome)[0]?.[1]).to.contain('length limit')
    expect(outcome.end.reason).to.equal('answer')
  })

  it('refuses calls that the tool set refuses', async () => {
    let ran = false
    const act = tool('act', () => (ran = true))
    const set = {
      definitions: [{ name: 'act', description: 'x', parameters: act.parameters }],
      find: () => act,
      refuse: () => 'Only masters may do this.',
    }
    expect(results(await run([{ calls: [call('act', {})] }, 'Done.'], { tools: set }))[0]).to.deep.equal([
      'act',
      'Only masters may do this.',
      true,
    ])
    expect(ran).to.equal(false)
  })

  it('stops a tool at its deadline, also one that does not listen', async () => {
    const clock = new TestClock()
    const begun = gate()
    let signal: AbortSignal | undefined
    const deaf = defineTool({
      name: 'deaf',
      description: 'x',
      parameters: { type: 'object' },
      run: (_input, given) => {
        signal = given.signal
        begun.open()
        return new Promise(() => {})
      },
    })
    const running = run([{ calls: [call('deaf', {})] }, 'Done.'], { tools: [deaf], clock, toolTimeout: 5_000 })
    await begun.promise
    await clock.advance(5_000)
    const outcome = await running
    expect(results(outcome)[0]?.[1]).to.contain('did not end within 5 s')
    expect(signal?.aborted).to.equal(true)
    expect(clock.pending).to.equal(0)
  })

  it('pauses the deadline of a call while it waits, and frees its slot', async () => {
    const clock = new TestClock()
    const approved = gate<string>()
    const waiting = gate()
    const other = gate()
    const asks = defineTool({
      name: 'asks',
      description: 'x',
      parameters: { type: 'object' },
      run: async (_input, given) => {
        const answer = given.wait('approval', '7', async () => {
          waiting.open()
          return approved.promise
        })
        return `it said ${await answer}`
      },
    })
    const running = run([{ calls: [call('asks', {}), call('next', {})] }, 'Done.'], {
      tools: [asks, tool('next', () => other.open())],
      clock,
      toolTimeout: 5_000,
      parallel: 1,
    })
    await waiting.promise
    await other.promise
    await clock.advance(3_600_000)
    approved.open('yes')
    const { events, end } = await running
    expect(end.reason).to.equal('answer')
    expect(
      events.filter((event) => event.type === 'tool-wait').map(({ kind, waitId, waiting: on }) => [kind, waitId, on]),
    ).to.deep.equal([
      ['approval', '7', true],
      ['approval', '7', false],
    ])
    const done = events.find((event) => event.type === 'tool-end' && event.call.name === 'asks')
    expect(done?.type === 'tool-end' && [done.result.output, done.waitedMs]).to.deep.equal(['it said yes', 3_600_000])
  })

  it('yields progress until the call is over', async () => {
    let late: (text: string) => void = () => {}
    const talks = defineTool({
      name: 'talks',
      description: 'x',
      parameters: { type: 'object' },
      run: (_input, { progress }) => {
        progress('half way')
        late = progress
        return 'ok'
      },
    })
    const { events } = await run(
      [{ calls: [call('talks', {})] }, 'Done.'],
      { tools: [talks] },
      (event) => event.type === 'tool-end' && late('too late'),
    )
    expect(events.filter((event) => event.type === 'tool-progress').map(({ text }) => text)).to.deep.equal(['half way'])
  })

  it('ends a call whose tool is removed', async () => {
    const gone = new AbortController()
    const hangs = tool('hangs', () => {
      setImmediate(() => gone.abort())
      return new Promise(() => {})
    })
    const set = {
      definitions: [{ name: 'hangs', description: 'x', parameters: hangs.parameters }],
      find: () => hangs,
      gone: () => gone.signal,
    }
    expect(results(await run([{ calls: [call('hangs', {})] }, 'Done.'], { tools: set }))[0]?.[1]).to.contain(
      'was removed while it ran',
    )
  })

  it('ends with a failure of its host, and stops running calls', async () => {
    const broken = (what: string) => (): never => {
      throw new Error(`${what} broke`)
    }
    let stopped = 0
    const late = defineTool({
      name: 'late',
      description: 'Never ends',
      parameters: { type: 'object' },
      run: (_, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            stopped++
            resolve('stopped')
          }),
        ),
    })
    await Promise.all([late, echo].map(({ parameters }) => checkOf(parameters)))
    const find = (name: string): Tool | undefined => [late, echo].find((each) => each.name === name)
    // The third call begins when the second has ended, while the first still runs.
    const script = [
      { calls: [call('late', {}), call('echo', { text: 'a' }), call('echo', { text: 'b' })] },
      'never said',
    ]
    let seen = 0
    const third = (what: string, at: number): (() => undefined) => {
      seen = 0
      return () => (++seen === at ? broken(what)() : undefined)
    }
    for (const [what, options] of [
      ['refusing', () => ({ tools: { definitions: [], find, refuse: third('refusing', 3) } })],
      ['going', () => ({ tools: { definitions: [], find, gone: third('going', 3) } })],
      [
        'steering',
        () => ({ tools: { definitions: [], find }, steering: { mode: 'all' as const, next: third('steering', 4) } }),
      ],
    ] as const) {
      const { end } = await run(script, { ...options(), parallel: 2, maxSteps: 3 })
      expect([end.reason, end.error?.message], what).to.deep.equal(['error', `The model failed: ${what} broke`])
    }
    expect(stopped).to.equal(3)
    const { end, ...told } = await run([{ calls: [call('nothing', {}), call('throws', {})] }, 'said'], {
      tools: [defineTool({ name: 'throws', description: 'Throws', parameters: { type: 'object' }, run: broken('it') })],
      redact: broken('making it safe'),
    })
    expect([end.reason, results(told).at(-1)]).to.deep.equal(['answer', ['throws', 'throws failed.', true]])
  })

  it('cannot ask a person outside a chat', async () => {
    const asks = defineTool({
      name: 'asks',
      description: 'x',
      parameters: { type: 'object' },
      run: (_input, given) => given.ask('Which?'),
    })
    expect((await once([call('asks', {})], [asks]))?.[1]).to.equal('asks failed: There is no person to ask')
  })

  it('warns a model that repeats itself, and then asks for an answer', async () => {
    const script: Script = (request) =>
      request.toolChoice === 'none' ? 'I give up.' : { calls: [call('echo', { text: 'same' })] }
    const { end, events } = await run(script, { tools: [echo], maxSteps: 50 })
    expect(end).to.deep.include({ reason: 'loop', text: 'I give up.', steps: 7 })
    const outputs = results({ events }).map(([, output]) => String(output))
    expect(outputs.map((output) => output.includes('same result several times'))).to.deep.equal([
      false,
      false,
      true,
      true,
      true,
      true,
    ])
    expect(outputs[5]).to.contain('no more tools can be called')
  })

  it('notices a circle of two calls, and allows results that change', async () => {
    const circle: Script = (request, index) =>
      request.toolChoice === 'none' ? 'Enough.' : { calls: [call('echo', index % 2 ? { text: 'b' } : { text: 'a' })] }
    expect((await run(circle, { tools: [echo], maxSteps: 50 })).end).to.deep.include({ reason: 'loop', steps: 12 })
    let count = 0
    const counter = tool('count', () => ++count)
    const polling: Script = (_request, index) => (index < 10 ? { calls: [call('count', {})] } : 'Ten.')
    expect((await run(polling, { tools: [counter], maxSteps: 50 })).end.reason).to.equal('answer')
  })
})
