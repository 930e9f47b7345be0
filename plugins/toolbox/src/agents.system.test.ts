import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eachTest, results } from './test/support.js'

const agents = { ada: { match: { user: ['owner'] }, priority: 1 }, bob: { match: { user: ['owner'] } } }
const write = (path: string) => ({ calls: [{ name: 'write_file', input: { path, content: 'hers' } }] })
const read = (path: string) => ({ calls: [{ name: 'read_file', input: { path } }] })

describe('working folders of agents', () => {
  const hosts = eachTest()
  const newRoot = (): Promise<string> => mkdtemp(join(tmpdir(), 'mynah-agents-'))

  it('are below that of the others, are created with the first file, and are closed to each other', async () => {
    const root = await newRoot()
    const { host, models } = await hosts.start(
      [
        write('plan.txt'),
        'done',
        read('plan.txt'),
        read('../ada/plan.txt'),
        read(join(root, 'work/agents/ada/plan.txt')),
        { calls: [{ name: 'bash', input: { command: 'pwd' } }] },
        'done',
      ],
      { root, agents, toolbox: { root: 'work' } },
    )
    await host.say('ada, write', 'owner')
    expect(await readFile(join(root, 'work/agents/ada/plan.txt'), 'utf8')).to.equal('hers')
    await host.say('bob, read', 'owner')
    const [own, above, absolute, where] = results(models.requests.at(-1)).slice(-4)
    expect(own).to.include('There is no plan.txt')
    expect(above).to.include('leads out of the working folder')
    expect(absolute).to.include('leads out of the working folder')
    expect(where).to.match(/work\/agents\/bob$/m)
  })

  it('are refused where they are behind a link', async () => {
    const root = await newRoot()
    const outside = await newRoot()
    await writeFile(join(outside, 'notes.txt'), 'secret words')
    await mkdir(join(root, 'work/agents'), { recursive: true })
    await symlink(outside, join(root, 'work/agents/ada'))
    const { host, models } = await hosts.start(
      [read('notes.txt'), write('new.txt'), { calls: [{ name: 'bash', input: { command: 'cat notes.txt' } }] }, 'done'],
      { root, agents, toolbox: { root: 'work' } },
    )
    await host.say('ada, read', 'owner')
    const found = results(models.requests.at(-1))
    expect(found).to.have.length(3)
    for (const result of found) expect(result).to.include('Links are not followed').and.not.include('secret words')
  })
})
