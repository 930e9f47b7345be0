import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Agent, registerAIHook } from '@mynah/plugin-agent/api'
import { calling, eachTest, put, results, said, skill, until } from './test/support.js'

const head = (running: { models: { requests: readonly unknown[] } }, index = 0): string =>
  said(running.models.requests[index] as never)[0] ?? ''

describe('skills', () => {
  const hosts = eachTest()

  it('are listed by name up to the limit, best matches first', async () => {
    const files = Object.fromEntries(
      ['alpha', 'beta', 'gamma']
        .map((name) => [`skills/${name}/SKILL.md`, skill(name, `Is about ${name}`)])
        .concat([['skills/tea/SKILL.md', skill('brew-tea', 'Brews green tea')]]),
    )
    const running = await hosts.start(['ok'], { files, agent: { maxSkills: 2 } })
    await running.host.say('how do I make tea?')
    expect(head(running)).to.match(/## Skills\n.*\n- alpha: Is about alpha\n- brew-tea: Brews green tea(\n\n|$)/)
  })

  it('stay available to an agent that keeps only orchestration tools', async () => {
    const running = await hosts.start(
      [{ calls: [{ name: 'tool_search', input: { query: 'instructions of a skill greets' } }] }, 'found', 'used'],
      {
        agent: { toolSearch: true },
        files: {
          'skills/bake/SKILL.md': skill('bake', 'Bakes'),
          'tools/greet.tool.md': '---\nname: greet\ndescription: Greets\n---\nHello.',
        },
      },
    )
    await running.host.say('bake', 'owner')
    const offered = (index: number) => running.models.requests[index]?.tools?.map(({ name }) => name) ?? []
    expect(offered(0)).to.not.include('activate_skill')
    expect(results(running.models.requests[1])[0]).to.include('greet: Greets (by run_deferred_task)')
    expect(offered(1)).to.include('activate_skill').and.not.include('greet')
  })

  it('are listed once before the first message that they match', async () => {
    const files = {
      'skills/tea/SKILL.md': skill('brew-tea', 'Brews green tea'),
      'skills/ski/SKILL.md': skill('skiing', 'Goes down mountains'),
    }
    const running = await hosts.start(['ok', 'ok', 'ok'], { files, agent: { maxSkills: 1 } })
    await running.host.say('tea')
    await running.host.say('mountains')
    await running.host.say('mountains again')
    const users = said(running.models.requests[2]).filter((line) => line.startsWith('user'))
    expect(users.map((line) => line.includes('skiing'))).to.deep.equal([false, true, false])
  })

  it('are passed to agent:bootstrap hooks together with all tools', async () => {
    const heard: { readonly skills: readonly string[]; readonly tools: readonly string[] }[] = []
    const undo = registerAIHook('agent:bootstrap', (told) => {
      heard.push(told)
    })
    await hosts.start(['hi'], {
      files: {
        'skills/bake/SKILL.md': '---\nname: bake\ndescription: Bakes\n---\nMix.',
        'tools/greet.tool.md': '---\nname: greet\ndescription: Greets\n---\nHello.',
      },
    })
    await until(() => heard.length === 1)
    undo()
    expect(heard[0]?.skills).to.deep.equal(['bake'])
    expect(heard[0]?.tools).to.include.members(['activate_skill', 'greet', 'ask_user'])
  })

  it('return their instructions', async () => {
    const { host, models } = await hosts.start(calling('activate_skill', { name: 'tea' }), {
      files: {
        'skills/tea/SKILL.md': skill('tea', 'Brews', 'Boil water.\n\n## Quick Actions\n- steep\n\n## More\nSip.'),
      },
    })
    await host.say('tea')
    expect(results(models.requests[1])).to.deep.equal(['Boil water.\n\n## Quick Actions\n- steep\n\n## More\nSip.'])
  })

  it('show a small model their quick actions first, cut to its limit', async () => {
    const body = `Long story. ${'word '.repeat(600)}\n\n## Quick Actions\n- steep\n\n## More\nSip.`
    const { host, models } = await hosts.start(calling('activate_skill', { name: 'tea' }), {
      files: { 'skills/tea/SKILL.md': skill('tea', 'Brews', body) },
      agent: { modelSizeHint: 'small' },
    })
    await host.say('tea')
    const [text = ''] = results(models.requests[1])
    expect(text)
      .to.match(/^## Quick Actions\n- steep\n/)
      .and.match(/\[… cut: \d+ characters in all\]$/)
    expect(text).to.have.length.within(1_400, 1_500)
  })

  it('are suggested by similar names for an unknown one', async () => {
    const { host, models } = await hosts.start(calling('activate_skill', { name: 'green tea' }), {
      files: { 'skills/tea/SKILL.md': skill('brew-tea', 'Brews') },
    })
    await host.say('tea')
    expect(results(models.requests[1])).to.deep.equal(['There is no skill "green tea". Like it: brew-tea.'])
  })

  it('that are malformed are reported with the reason, and the others keep working', async () => {
    const running = await hosts.start(['ok'], {
      files: {
        'skills/a/SKILL.md': 'no header',
        'skills/b/SKILL.md': '---\nname: [b\n---\nx',
        'skills/c/SKILL.md': '---\nname: c\ndescription: 3\n---\nx',
        'skills/d/SKILL.md': '---\nname: &a d\ndescription: *a\n---\nx',
        'skills/good/SKILL.md': skill('good', 'Works'),
        'skills/twin/SKILL.md': skill('good', 'Is the same'),
        'skills/README.md': 'not a skill',
      },
    })
    await running.host.say('hi')
    expect(head(running)).to.include('- good: Works').and.not.include('Is the same')
    const told = running.host.log
      .filter(({ level, name }) => level === 'warn' && name === 'skills')
      .map(({ message }) => message)
    expect(told).to.have.length(5)
    expect(told.join('\n'))
      .to.match(/a.SKILL\.md: line 1: /)
      .and.match(/b.SKILL\.md: line \d: /)
      .and.match(/c.SKILL\.md: description: a text is expected/)
      .and.match(/aliases/)
      .and.match(/"good" is declared in good.SKILL\.md already/)
  })

  it('are added, changed and removed while the host runs', async () => {
    const running = await hosts.start(() => 'ok')
    const { host } = running
    let asked = 0
    const seen = async (): Promise<string> => {
      await host.say('/reset', 'owner')
      await host.say('tea', 'owner')
      return head(running, asked++)
    }
    expect(await seen()).to.not.include('## Skills')
    await put(host.root, 'skills/tea/SKILL.md', skill('tea', 'Brews green tea'))
    await until(async () => (await seen()).includes('Brews green tea'))
    await put(host.root, 'skills/tea/SKILL.md', 'half')
    await until(() => host.log.some(({ message }) => message.includes('tea/SKILL.md: line 1')))
    expect(await seen()).to.include('Brews green tea')
    await put(host.root, 'skills/tea/SKILL.md', skill('tea', 'Brews black tea'))
    await until(async () => (await seen()).includes('Brews black tea'))
    await rm(join(host.root, 'skills/tea'), { recursive: true })
    await until(async () => !(await seen()).includes('## Skills'))
  })
})

describe('tools of files', () => {
  const hosts = eachTest()
  const header =
    'name: greet\ndescription: Greets\nparameters:\n  who: { type: string, description: Whom, required: true }\n  times: { type: integer }'

  it('fill their template once, and do not fill inserted values', async () => {
    const { host, models } = await hosts.start(calling('greet', { who: '{{times}} $& Ann', times: 2 }), {
      files: { 'tools/greet.tool.md': `---\n${header}\n---\nHello {{who}}, {{ times }} times{{nothing}}!` },
    })
    await host.say('hi')
    expect(results(models.requests[1])).to.deep.equal(['Hello {{times}} $& Ann, 2 times!'])
    expect(models.requests[0]?.tools?.find(({ name }) => name === 'greet')?.parameters).to.deep.equal({
      type: 'object',
      properties: { who: { type: 'string', description: 'Whom' }, times: { type: 'integer' } },
      required: ['who'],
    })
  })

  it('have their parameters read as those of other tools, and name what cannot be read', async () => {
    const tool = (name: string, parameters: string) =>
      `---\nname: ${name}\ndescription: Greets\nparameters: ${parameters}\n---\nHello {{who}}`
    const { host, models } = await hosts.start(calling('odd', { who: null, tags: ['a'], times: 2 }), {
      files: {
        'tools/odd.tool.md': tool(
          'odd',
          '{ who: { type: STRING, nullable: true, required: yes }, tags: { type: list, items: str }, times: int, kind: { enum: [] } }',
        ),
        'tools/whole.tool.md': tool(
          'whole',
          '{ type: object, properties: { who: { type: string } }, required: [who] }',
        ),
        'tools/none.tool.md': tool('none', ''),
        'tools/person.tool.md': tool('person', '{ who: { type: Person } }'),
        'tools/list.tool.md': tool('list', '{ type: array }'),
        'tools/text.tool.md': tool('text', 'who'),
      },
    })
    await host.say('hi')
    expect(results(models.requests[1])).to.deep.equal(['Hello null'])
    const parameters = (name: string) => models.requests[0]?.tools?.find((each) => each.name === name)?.parameters
    expect(parameters('odd')).to.deep.equal({
      type: 'object',
      properties: {
        who: { type: ['string', 'null'] },
        tags: { type: 'array', items: { type: 'string' } },
        times: { type: 'integer' },
        kind: { type: 'string' },
      },
      required: ['who'],
    })
    expect(parameters('whole')).to.deep.include({ properties: { who: { type: 'string' } }, required: ['who'] })
    expect(parameters('none')).to.deep.equal({ type: 'object', properties: {} })
    const told = host.log.filter(({ level }) => level === 'warn').map(({ message }) => message)
    expect(told.join('\n'))
      .to.match(/person\.tool\.md: parameters\.who\.type is "Person", which is not a type/)
      .and.match(/list\.tool\.md: parameters: it must be the JSON Schema of an object/)
      .and.match(/text\.tool\.md: parameters is not an object/)
  })

  it('run their handler', async () => {
    const { host, models } = await hosts.start(calling('greet', { who: 'Ann' }), {
      files: {
        'tools/greet.tool.md': `---\n${header}\nhandler: ./greet.mjs\n---\n`,
        'tools/greet.mjs': 'export default ({ who }, call) => `${who} by ${call.origin.user}`',
      },
    })
    await host.say('hi', 'tess')
    expect(results(models.requests[1])).to.deep.equal(['Ann by tess'])
  })

  it('reject a handler outside of their folder, and require the roles that they name', async () => {
    const { host, models } = await hosts.start(calling('greet', { who: 'Ann' }), {
      files: {
        'tools/out.tool.md': '---\nname: out\ndescription: Out\nhandler: ../../out.mjs\n---\n',
        'out.mjs': 'export default () => 1',
        'tools/greet.tool.md': `---\n${header}\nroles: [master]\n---\nhi`,
      },
    })
    await host.say('hi', 'ann')
    expect(results(models.requests[1])[0]).to.include('needs one of master')
    expect(models.requests[0]?.tools?.some(({ name }) => name === 'out')).to.equal(false)
    expect(host.log.some(({ message }) => message.includes('out.tool.md: handler'))).to.equal(true)
  })
})

describe('rounds of an agent that can activate skills', () => {
  const hosts = eachTest()

  for (const [what, agent, rounds] of [
    ['by default', {}, 18],
    ['as configured', { maxIterations: 4 }, 7],
    [
      'as the model’s harness says',
      { maxIterations: 4, modelHarness: { models: { scripted: { maxIterations: 2 } } } },
      5,
    ],
  ] as const) {
    it(`are three more than those ${what}`, async () => {
      const { host, models } = await hosts.start(
        (request, index) =>
          request.toolChoice === 'none'
            ? 'enough'
            : { calls: [{ name: 'activate_skill', input: { name: `none-${index}` } }] },
        { agent },
      )
      expect(await host.say('go on and on')).to.deep.equal(['enough'])
      expect(models.requests).to.have.length(rounds)
    })
  }
})

describe('presets of files', () => {
  const hosts = eachTest()

  it('are agents with their own prompt', async () => {
    const { host, models } = await hosts.start(['arr'], {
      files: {
        'agents/pirate.agent.md': '---\nname: pirate\ndescription: Talks so\nmaxIterations: 3\n---\nYou are a pirate.',
      },
    })
    const answer = await host.host.get(Agent)?.ask({ text: 'hello', agent: 'pirate' })
    expect(answer?.text).to.equal('arr')
    expect(said(models.requests[0])[0]).to.match(/^system: You are a pirate\./)
  })
})
