import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { registerAIHook } from '@mynah/plugin-agent/api'
import { calling, eachTest, newRoot, results, said, until } from './test/support.js'

describe('bootstrap files', () => {
  const hosts = eachTest()

  it('are in the system prompt in order, without missing ones', async () => {
    const root = await newRoot()
    await writeFile(join(root, 'SOUL.md'), 'You are a magpie.')
    await writeFile(join(root, 'TOOLS.md'), 'Never shout.')
    const { host, models } = await hosts.start(['hi'], { root })
    await host.say('hello')
    expect(said(models.requests[0])[0])
      .to.match(/## Your character\nYou are a magpie\.\n\n## Rules of tools\nNever shout\./)
      .and.not.include('How you work')
  })

  it('are cut to 8, 16 and 8 KB, and MEMORY to the rest of 40', async () => {
    const root = await newRoot()
    for (const [file, letter] of [
      ['SOUL.md', 's'],
      ['AGENTS.md', 'a'],
      ['TOOLS.md', 't'],
      ['data/memory/MEMORY.md', 'm'],
    ] as const) {
      await mkdir(join(root, 'data/memory'), { recursive: true })
      await writeFile(join(root, file), `${letter.repeat(99)}\n`.repeat(300))
    }
    const { host, models } = await hosts.start(['hi'], { root })
    await host.say('hello', 'owner')
    const [head = ''] = said(models.requests[0])
    expect(['s', 'a', 't', 'm'].map((letter) => head.match(new RegExp(`${letter}{99}`, 'g'))?.length)).to.deep.equal([
      81, 163, 81, 84,
    ])
    expect(head.match(/\[… cut\]/g)).to.have.length(3)
  })

  it('are listed in /context with their sizes, as is the memory', async () => {
    const root = await newRoot()
    await mkdir(join(root, 'data/memory'), { recursive: true })
    await writeFile(join(root, 'SOUL.md'), '  You are a magpie.\n\n## Sounds\nChatter.\n')
    await writeFile(join(root, 'TOOLS.md'), `${'t'.repeat(99)}\n`.repeat(100))
    await writeFile(join(root, 'data/memory/MEMORY.md'), '- Tom has a bicycle\n')
    const { host } = await hosts.start(
      [{ calls: [{ name: 'remember', input: { text: 'It rains', where: 'today' } }] }, 'noted', 'wet'],
      { root },
    )
    await host.say('hello', 'owner')
    await host.say('and now?', 'owner')
    const lines = (await host.say('/context', 'owner')).join('\n').split('\n')
    expect(lines).to.include.members([
      '    SOUL.md: 40 bytes raw, 37 injected',
      '    TOOLS.md: 10,000 bytes raw, 8,109 injected, cut',
      '    MEMORY.md: 20 bytes raw, 19 injected',
    ])
    // A heading inside a file is no section.
    expect(lines.filter((line) => line.includes('Sounds'))).to.deep.equal([])
    expect(lines.at(-1)).to.match(/^ {2}\d{4}-\d\d-\d\d\.md: 11 bytes raw, 10 injected$/)
    await host.say('hello')
    expect((await host.say('/context')).join())
      .to.include('SOUL.md: 40')
      .and.not.include('MEMORY.md')
  })

  it('are reloaded by /context clear, which keeps the conversation', async () => {
    const root = await newRoot()
    await writeFile(join(root, 'SOUL.md'), 'You are a magpie.')
    const { host, models } = await hosts.start(['hi', 'ho'], { root })
    await host.say('hello', 'owner')
    await writeFile(join(root, 'SOUL.md'), 'You are a crow.')
    expect((await host.say('/context clear', 'owner')).join()).to.include('read again')
    await host.say('and now?', 'owner')
    expect(said(models.requests[1])[0]).to.include('You are a crow.').and.not.include('magpie')
    expect(said(models.requests[1]).slice(1).join()).to.include('hello').and.include('assistant: hi')
  })

  it('are passed to listeners of agent:bootstrap', async () => {
    const root = await newRoot()
    await writeFile(join(root, 'SOUL.md'), 'You are a magpie.')
    const heard: (readonly string[])[] = []
    const undo = registerAIHook('agent:bootstrap', ({ files }) => {
      heard.push(files)
    })
    await hosts.start(['hi'], { root })
    await until(() => heard.length === 1)
    undo()
    expect(heard).to.deep.equal([['SOUL.md']])
  })

  it('are changed by masters only, from the next conversation on', async () => {
    const { host, models } = await hosts.start((_request, index) =>
      index === 0 || index === 2
        ? { calls: [{ name: 'update_guide', input: { action: 'append', text: 'Answer in rhyme.' } }] }
        : 'done',
    )
    await host.say('rhyme', 'ann')
    expect(results(models.requests[1])[0]).to.include('needs one of master')
    await host.say('rhyme', 'owner')
    expect(await readFile(join(host.root, 'AGENTS.md'), 'utf8')).to.equal('Answer in rhyme.\n')
    await host.say('and?', 'owner')
    expect(said(models.requests[4])[0]).to.not.include('rhyme.')
    await host.say('/reset', 'owner')
    await host.say('and now?', 'owner')
    expect(said(models.requests.at(-1))[0]).to.include('Answer in rhyme.')
  })
})

describe('memory', () => {
  const hosts = eachTest()

  it('stores notes of the owner in files and in the next system prompt', async () => {
    const first = await hosts.start(calling('remember', { text: 'The red bicycle\nis Tom’s' }))
    await first.host.say('remember it', 'owner')
    const root = await hosts.stop(first)
    expect(await readFile(join(root, 'data/memory/MEMORY.md'), 'utf8')).to.equal('- The red bicycle is Tom’s\n')
    const { host, models } = await hosts.start(['hi', 'hi'], { root })
    await host.say('hello', 'owner')
    expect(said(models.requests[0])[0]).to.include('## Memory\n- The red bicycle')
    await host.say('hello', 'ann')
    expect(said(models.requests[1]).join()).to.not.include('bicycle')
  })

  it('refuses other users and groups', async () => {
    for (const [user, more] of [
      ['ann', {}],
      ['tess', {}],
      ['owner', { channel: { type: 'group', id: 'g' }, mentioned: true }],
    ] as const) {
      for (const [name, input] of [
        ['remember', { text: 'x' }],
        ['recall', { query: 'x' }],
      ] as const) {
        const { host, models } = await hosts.start(calling(name, input))
        await host.say('go', user, more)
        expect(results(models.requests[1])[0], `${user} ${name}`).to.include('belongs to the owner')
        expect(await readdir(join(host.root, 'data')).catch((): string[] => [])).to.not.include('memory')
      }
    }
  })

  it('is open to all users if configured', async () => {
    const { host, models } = await hosts.start(calling('remember', { text: 'x' }), {
      config: { 'ai.memory': { scope: 'all' } },
    })
    await host.say('go', 'ann')
    expect(results(models.requests[1])).to.deep.equal(['It is remembered.'])
  })

  it('is searched by words over all days, also in Chinese', async () => {
    const root = await newRoot()
    await mkdir(join(root, 'data/memory'), { recursive: true })
    await writeFile(join(root, 'data/memory/MEMORY.md'), '- The cat is called Miso\n- 张伟的生日是五月三日\n')
    await writeFile(join(root, 'data/memory/2026-01-02.md'), '- Bought a kettle in Oslo\n')
    await writeFile(join(root, 'data/memory/secret.txt'), 'a kettle of elsewhere')
    const { host, models } = await hosts.start(
      (_request, index) =>
        [
          {
            calls: [
              { name: 'recall', input: { query: '生日' } },
              { name: 'recall', input: { query: 'which kettle did I buy' } },
              { name: 'recall', input: { query: 'zebra' } },
            ],
          },
          'done',
        ][index] ?? '',
      { root },
    )
    await host.say('go', 'owner')
    const [birthday, kettle, zebra] = results(models.requests[1])
    expect(birthday).to.include('MEMORY: 张伟的生日是五月三日').and.not.include('Miso')
    expect(kettle).to.include('2026-01-02: Bought a kettle in Oslo').and.not.include('elsewhere')
    expect(zebra).to.equal('Nothing like that was remembered.')
  })

  it('sends the notes of today once, and again after they have grown', async () => {
    const { host, models } = await hosts.start((_request, index) =>
      index === 1 ? { calls: [{ name: 'remember', input: { text: 'tea at four', where: 'today' } }] } : 'ok',
    )
    await host.say('one', 'owner')
    await host.say('two', 'owner')
    await host.say('three', 'owner')
    await host.say('four', 'owner')
    const lines = said(models.requests.at(-1)).filter((line) => line.startsWith('user'))
    expect(lines.map((line) => line.includes('tea at four'))).to.deep.equal([false, false, true, false])
  })

  it('is stored on a configured server, and in files while the server is unavailable', async () => {
    const kept: unknown[] = []
    const store = defineTool({
      name: 'brain__store',
      description: 'Stores',
      parameters: Type.Object({ tags: Type.Optional(Type.String()), content: Type.String() }),
      run: (input) => {
        kept.push(input)
        return 'stored there'
      },
    })
    const config = { 'ai.memoryMcp': { server: 'brain', recall: 'find', remember: 'store' } }
    const there = await hosts.start(calling('remember', { text: 'blue' }), { tools: [store], config })
    await there.host.say('go', 'owner')
    expect(results(there.models.requests[1])).to.deep.equal(['stored there'])
    expect(kept).to.deep.equal([{ content: 'blue' }])
    const away = await hosts.start(calling('remember', { text: 'blue' }), { config })
    await away.host.say('go', 'owner')
    expect(await readFile(join(away.host.root, 'data/memory/MEMORY.md'), 'utf8')).to.equal('- blue\n')
  })

  it('stores notes before a summary, only for the conversation of the owner', async () => {
    for (const [user, noted] of [
      ['owner', true],
      ['tess', false],
    ] as const) {
      const { host, models } = await hosts.start((request) => {
        const [line = ''] = said(request)
        if (line.includes('should be known on other days')) return '- The launch is on Friday\n- NONE'
        if (line.includes('Write a summary')) return 'short'
        return `answer ${'long '.repeat(200)}`
      })
      for (const text of ['a', 'b', 'c', 'd']) await host.say(text, user)
      await host.say('/compact', user)
      const files = await readdir(join(host.root, 'data/memory')).catch((): string[] => [])
      expect(files, user).to.have.length(noted ? 1 : 0)
      if (noted)
        expect(await readFile(join(host.root, 'data/memory', files[0] as string), 'utf8')).to.equal(
          '- The launch is on Friday\n',
        )
      expect(models.requests.some((request) => said(request)[0]?.includes('Write a summary'))).to.equal(true)
    }
  })
})

describe('a profile', () => {
  const hosts = eachTest()
  const profile = (input: object) => ({ calls: [{ name: 'user_profile', input }] })

  for (const database of [false, true]) {
    it(`belongs to one user and is sent after a change${database ? ', also after a restart' : ''}`, async () => {
      let one = await hosts.start(
        (_request, index) => (index === 0 ? profile({ action: 'set', key: 'language', value: 'Norwegian' }) : 'ok'),
        { database },
      )
      await one.host.say('I speak Norwegian', 'ann')
      if (database) one = await hosts.start(['ok', 'ok', 'ok'], { database, root: await hosts.stop(one) })
      await one.host.say('hello', 'ann')
      expect(said(one.models.requests.at(-1)).at(-1)).to.include('language: Norwegian')
      await one.host.say('hello again', 'ann')
      expect(said(one.models.requests.at(-1)).at(-1)).to.not.include('Norwegian')
      await one.host.say('hello', 'tess')
      expect(said(one.models.requests.at(-1)).join()).to.not.include('Norwegian')
    })
  }

  it('limits and deletes entries', async () => {
    const inputs = [
      ...Array.from({ length: 51 }, (_, index) => ({ action: 'set', key: `k${index}`, value: 'v' })),
      { action: 'delete', key: 'k0' },
      { action: 'get', key: 'k1' },
      { action: 'set', key: 'x' },
    ]
    const { host, models } = await hosts.start(
      (_request, index) => (index === 0 ? { calls: inputs.map((input) => ({ name: 'user_profile', input })) } : 'ok'),
      { database: true },
    )
    await host.say('go')
    const told = results(models.requests[1])
    expect(told.filter((text) => text.includes('There are 50 entries already'))).to.have.length(1)
    expect(told.slice(51)).to.deep.equal(['k0 is forgotten', 'k1: v', 'value is missing'])
  })
})
