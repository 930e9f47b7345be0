import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { defineTool, KeptResults, toolResult } from '@mynah/plugin-ai/api'
import { eachTest, said, type Rig } from '../test/support.js'

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')

describe('LongResults', () => {
  const rigs = eachTest()
  const outputs: Readonly<Record<string, unknown>> = {
    text: lines(6_000),
    json: Array.from({ length: 20_000 }, (_, index) => index),
    parts: toolResult([
      { type: 'text', text: lines(3_000) },
      { type: 'image', data: 'aGk=', mediaType: 'image/png' },
      { type: 'text', text: 'the end' },
    ]),
    error: toolResult(lines(3_000), { isError: true }),
    short: lines(1_900),
  }
  const tools = Object.entries(outputs).map(([name, output]) =>
    defineTool({ name, description: name, parameters: Type.Object({}), run: () => output }),
  )
  const later = defineTool({
    name: 'later',
    description: 'later',
    parameters: Type.Object({}),
    run: async () => lines(3_000),
  })

  const start = (kept: string[], keep: (text: string) => Promise<string | undefined>) => {
    const store = definePlugin({
      name: 'test-results',
      provides: [KeptResults],
      setup: (ctx) =>
        void ctx.provide(KeptResults, {
          keep: (text) => {
            kept.push(text)
            return keep(text)
          },
        }),
    })
    const calls = [...Object.keys(outputs), 'later'].map((name) => ({ name, input: {} }))
    return rigs.start([{ calls }, 'done'], {
      tools: [...tools, later],
      plugins: [store as unknown as AnyPlugin],
    })
  }
  const results = (rig: Rig): string[] => (said(rig.models.requests[1]).at(-1) ?? '').split('|').map((text) => text)

  it('shows both ends of long results of any tool, and stores the whole', async () => {
    const kept: string[] = []
    const rig = await start(kept, async () => '.results/x.txt')
    await rig.say('go')
    const shown = results(rig)
    expect(shown).to.have.length(6)
    for (const result of [...shown.slice(0, 4), shown[5]])
      expect(result).to.include('left out; all of it: read_file .results/x.txt …]')
    expect(shown[0]).to.include('line 1\n').and.include('\nline 6000')
    expect(shown[2]).to.include('the end').and.include('(image)')
    expect(shown[4]).to.equal(`result ${lines(1_900)}`)
    expect(kept).to.include.members([lines(6_000), JSON.stringify(outputs['json']), `${lines(3_000)}\nthe end`])
  })

  it('shows both ends where nothing is stored, or that fails', async () => {
    const kept: string[] = []
    const rig = await start(kept, (text) =>
      text.startsWith('[') ? Promise.reject(new Error('disk full')) : Promise.resolve(undefined),
    )
    await rig.say('go')
    for (const result of results(rig).slice(0, 4))
      expect(result)
        .to.match(/lines left out …\]/)
        .and.not.include('read_file')
    expect(rig.log.some(({ message }) => message.includes('disk full'))).to.equal(true)
  })
})
