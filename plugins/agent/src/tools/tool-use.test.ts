import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { eachTest, until, type Rig } from '../test/support.js'
import { ToolUse } from './tool-use.js'

const owner = { sender: { id: 'owner', name: 'Owner' }, channel: { type: 'private', id: 'owner' } } as const
const tool = (name: string, description = name) =>
  defineTool({ name, description, parameters: Type.Object({}), effect: 'read', run: () => `${name} ran` })
const offered = (rig: Rig, at = -1): string[] => rig.models.requests.at(at)?.tools?.map(({ name }) => name) ?? []

describe('ToolUse', () => {
  const rigs = eachTest()
  const many = Array.from({ length: 20 }, (_, index) => tool(`echo${index}`, 'says it'))
  const polka = defineTool({
    name: 'polka',
    description: 'polka',
    source: 'dances',
    parameters: Type.Object({}),
    run: () => 'ran',
  })
  const dancing = () => rigs.start([{ calls: [{ name: 'polka', input: {} }] }, 'ok'], { tools: [...many, polka] })
  const fileOf = (rig: Rig): string => join(rig.data, 'tool-use.json')

  it('is there again after a stop', async () => {
    const rig = await dancing()
    await rig.say('polka!', owner)
    expect(await readFile(fileOf(rig), 'utf8').catch(() => 'none')).to.equal('none')
    await rig.stop(true)
    const next = await rigs.start(['ok'], { tools: [...many, polka], data: rig.data })
    await next.say('hello', owner)
    expect(offered(next)).to.include('polka')
  })

  it('is in its file ten minutes later, for a start after a crash', async () => {
    const rig = await dancing()
    await rig.say('polka!', owner)
    await rig.clock.advance(10 * 60_000)
    await until(async () => (await readFile(fileOf(rig), 'utf8').catch(() => '')).includes('polka'))
    const data = await mkdtemp(join(tmpdir(), 'mynah-tool-use-'))
    await copyFile(fileOf(rig), join(data, 'tool-use.json'))
    const next = await rigs.start(['ok'], { tools: [...many, polka], data })
    await next.say('hello', owner)
    expect(offered(next)).to.include('polka')
  })

  it('begins again where its file has something else', async () => {
    for (const content of ['no JSON', '{"users":{"x":"polka"},"all":[1,{"a":2}]}', '[]', '{"all":null}']) {
      const data = await mkdtemp(join(tmpdir(), 'mynah-tool-use-'))
      await writeFile(join(data, 'tool-use.json'), content)
      const rig = await rigs.start(['ok'], { tools: [...many, polka], data })
      await rig.say('hello', owner)
      expect(offered(rig), content).to.not.include('polka')
    }
  })

  it('has the calls of this start before those of the file', () => {
    const use = new ToolUse()
    use.add('ann', 'b')
    use.restore({ users: { ann: ['a', 'b', 'c'], bob: ['d'] }, all: ['c', 'd'] })
    use.add('ann', 'e')
    expect(use.lately('ann')).to.deep.equal(['e', 'b', 'c', 'a', 'd'])
  })
})
