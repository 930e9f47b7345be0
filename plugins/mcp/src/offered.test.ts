import { expect } from 'chai'
import type { AnyPlugin } from '@mynah/kernel'
import type { ToolCall, ToolResult } from '@mynah/plugin-ai/api'
import toolbox from '@mynah/plugin-toolbox'
import { eachTest, odd, type Rig } from './test/support.js'

const shown = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')

describe('Offered with long results', () => {
  const rigs = eachTest()
  const plugins = [{ plugin: toolbox as unknown as AnyPlugin, config: { 'ai.toolbox': {} } }]
  const run = async (rig: Rig, name: string, input: object, roles: readonly string[]): Promise<string> => {
    const call = {
      signal: new AbortController().signal,
      progress() {},
      turn: 'turn1',
      id: 'call/1',
      roles: new Set(roles),
      log: { warn() {} },
    } as unknown as ToolCall
    const result = await rig.tool(name).run(input as never, call)
    return typeof result === 'string' ? result : shown(result as ToolResult)
  }
  const lines = Array.from({ length: 6_000 }, (_, index) => `line ${index + 1}`).join('\n')
  const long = { content: [{ type: 'text', text: lines }] }

  it('stores the complete text for read_file', async () => {
    const rig = await rigs.start({ odd: odd() }, { plugins })
    await rig.connected('odd')
    const text = await run(rig, 'odd__odd', long, ['user', 'trusted'])
    expect(text).to.include('line 2000').and.not.include('line 2001\n')
    const path = /read_file (\S+?)\]/.exec(text)?.[1] ?? ''
    expect(path).to.match(/^\.results\/turn1\//)
    expect(await run(rig, 'read_file', { path, offset: 5_999, limit: 1 }, ['trusted'])).to.include('line 5999')
  })

  it('only cuts them without read_file, without a store, or when they are short', async () => {
    const rig = await rigs.start({ odd: odd() }, { plugins })
    await rig.connected('odd')
    expect(await run(rig, 'odd__odd', long, ['user']))
      .to.include('characters left out')
      .and.not.include('read_file')
    expect(await run(rig, 'odd__odd', { content: [{ type: 'text', text: 'short' }] }, ['trusted']))
      .to.include('short')
      .and.not.include('read_file')
    const alone = await rigs.start({ odd: odd() })
    await alone.connected('odd')
    expect(await run(alone, 'odd__odd', long, ['trusted']))
      .to.include('characters left out')
      .and.not.include('read_file')
  })
})

describe('Offered with roles', () => {
  const rigs = eachTest()
  const tools = [
    { name: 'silent' },
    { name: 'reads', annotations: { readOnlyHint: true } },
    { name: 'adds', annotations: { readOnlyHint: false, destructiveHint: false } },
    { name: 'writes', annotations: { readOnlyHint: false } },
    { name: 'destroys', annotations: { readOnlyHint: true, destructiveHint: true } },
  ]
  const rolesIn = (rig: Rig) =>
    Object.fromEntries(tools.map(({ name }) => [name, rig.tool(`odd__${name}`).requiredAnyRole]))
  const trusted = ['trusted', 'master']

  it('asks for trusted or master, whatever a server says of its tools', async () => {
    const rig = await rigs.start({ odd: odd({ tools }) })
    await rig.connected('odd')
    const all = { silent: trusted, reads: trusted, adds: trusted, writes: trusted, destroys: trusted }
    expect(rolesIn(rig)).to.deep.equal(all)
  })

  it('takes the configured roles at once, but opens no tools that say that they change things', async () => {
    const rig = await rigs.start({ odd: odd({ tools }) })
    await rig.connected('odd')
    await rig.configure({ odd: odd({ tools }, { roles: ['user'] }) })
    const open = { silent: undefined, reads: undefined, adds: undefined }
    expect(rolesIn(rig)).to.deep.equal({ ...open, writes: trusted, destroys: trusted })
    await rig.configure({ odd: odd({ tools }, { roles: ['master'] }) })
    expect(new Set(Object.values(rolesIn(rig)).map(String))).to.deep.equal(new Set(['master']))
  })
})
