import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { promptSections } from './api.js'
import { eachTest, said } from './test/support.js'

describe('ModelHarness', () => {
  const rigs = eachTest()
  const tool = (name: string, run: () => unknown = () => name) =>
    defineTool({ name, description: `does ${name}`, parameters: Type.Object({}), run })

  for (const [model, size] of [
    [{ id: 'llama3.1:8b' }, 'small'],
    [{ id: 'gemma3:270m' }, 'small'],
    [{ id: 'gemma-3n-e4b-it' }, 'small'],
    [{ id: 'mistral:latest', billions: 7 }, 'small'],
    [{ id: 'qwen2.5-14b' }, 'medium'],
    [{ id: 'qwen3:latest', billions: 32 }, 'medium'],
    [{ id: 'llama3.3:70b' }, 'large'],
    [{ id: 'mixtral-8x7b' }, 'large'],
    [{ id: 'gpt-5' }, 'large'],
    [{ id: 'qwen-turbo-1m' }, 'large'],
  ] as const) {
    const parameters = 'billions' in model ? ` of ${model.billions} billion parameters` : ''
    it(`has the size ${size} for ${model.id}${parameters}`, async () => {
      const sizes: string[] = []
      const rig = await rigs.start(() => 'ok', {
        models: [{ score: 50, capabilities: { toolCalling: true }, ...model }],
        setup: (ctx) =>
          void ctx.contribute(promptSections, {
            id: 'test.size',
            position: 'system',
            order: 1,
            title: 'Size',
            render: (context) => {
              sizes.push(context.size)
              return undefined
            },
          }),
      })
      await rig.say('hello')
      expect(sizes).to.deep.equal([size])
    })
  }

  it('asks a model with the settings of its harness', async () => {
    const rig = await rigs.start(() => 'ok', {
      tools: [tool('one'), tool('two')],
      config: {
        'ai.agent': {
          modelHarness: {
            models: {
              scripted: {
                temperature: 0.3,
                parallelToolCalls: false,
                providerOptions: { script: { effort: 'low' } },
                disabledTools: ['one'],
              },
            },
          },
        },
      },
    })
    await rig.say('hello')
    const { temperature, parallelToolCalls, providerOptions, tools } = rig.models.requests[0] ?? {}
    expect({ temperature, parallelToolCalls, providerOptions }).to.deep.equal({
      temperature: 0.3,
      parallelToolCalls: false,
      providerOptions: { script: { effort: 'low' } },
    })
    expect(tools?.map(({ name }) => name))
      .to.include('two')
      .and.not.include('one')
  })

  it('runs the configured rounds of tools, and then answers', async () => {
    const rig = await rigs.start(
      (request) => (request.toolChoice === 'none' ? 'enough' : { calls: [{ name: 'one', input: {} }] }),
      { tools: [tool('one', () => Math.random())], config: { 'ai.agent': { maxIterations: 4 } } },
    )
    expect(await rig.say('go')).to.deep.equal(['enough'])
    expect(rig.models.requests).to.have.length(4)
  })

  it('finds the configured number of tools by one search', async () => {
    const rig = await rigs.start([{ calls: [{ name: 'tool_search', input: { query: 'does' } }] }, 'ok'], {
      tools: [tool('one'), tool('two'), tool('three')],
      config: { 'ai.agent': { deferredToolMaxResults: 2 } },
    })
    await rig.say('go')
    expect(said(rig.models.requests[1]).at(-1)?.split('\n')).to.have.length(2)
  })
})
