// The bots under examples/recipes, started by the real command line and talked to in the sandbox.
import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '@mynah/kernel/testing'
import { chat, startExample, type Example } from './example.js'

const RECIPES = fileURLToPath(new URL('../../../../examples/recipes', import.meta.url))
const GUIDE = fileURLToPath(new URL('../../../../docs/guides/agent.md', import.meta.url))
const MAX_LINES = 80

describe('recipes', () => {
  let example: Example | undefined
  afterEach(async () => {
    await example?.bench.remove()
    if (example) await rm(example.bench.folder, { recursive: true, force: true })
    example = undefined
  })

  /** Says something in a group of the sandbox, as Ada. */
  const sayIn = (group: string, content: string, endpointId = 'sandbox'): Promise<unknown> =>
    (example as Example).rpc('sandbox:send', {
      endpointId,
      channel: { type: 'group', id: group },
      sender: { id: 'ada', name: 'Ada' },
      content,
    })
  const hears = async (channel: object, text: string, endpointId = 'sandbox'): Promise<void> =>
    until(
      async () =>
        JSON.stringify(await (example as Example).rpc('sandbox:history', { endpointId, channel })).includes(text),
      `"${text}"`,
    )

  it('are short', () => {
    for (const folder of readdirSync(RECIPES, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
      for (const name of readdirSync(join(RECIPES, folder.name)).filter((file) => file.endsWith('.js')))
        expect(readFileSync(join(RECIPES, folder.name, name), 'utf8').split('\n').length, name).to.be.below(MAX_LINES)
  })

  it('moderator: warns of links, and tells the owner at the third', async () => {
    example = await startExample('recipes/moderator')
    const group = { type: 'group', id: 'g' }
    await sayIn('g', 'see https://docs.example.com/a')
    for (const count of [1, 2, 3]) {
      await sayIn('g', 'see http://spam.example/a')
      await hears(group, `Ada, please post no links here (${count} of 3).`)
    }
    await hears({ type: 'private', id: 'me' }, 'Ada posted 3 links.')
  })

  it('digest: tells what a group said', async () => {
    example = await startExample('recipes/digest')
    await chat(example, '/digest', /Nothing was said/)
    await sayIn('g', 'plums are blue')
    await chat(example, '/digest', /1 messages \(Ada: 1\)\. The longest: \\?"plums are blue/)
  })

  it('digest: tells the owner at its time', async () => {
    example = await startExample('recipes/digest', (config) => config.replace('0 8 * * *', '* * * * * *'))
    await hears({ type: 'private', id: 'me' }, 'Nothing was said.')
  })

  it('helpdesk: keeps tickets in a table', async () => {
    example = await startExample('recipes/helpdesk')
    await chat(example, '/ticket open The lamp is broken', /Ticket 1 is open/)
    await chat(example, '/ticket list', /1 visitor: The lamp is broken/)
    await chat(example, '/ticket close 1', /Ticket 1 is closed/)
    await chat(example, '/ticket close 1', /There is no open ticket 1/)
    await chat(example, '/ticket list', /No ticket is open/)
  })

  it('bridge: passes messages on with the name of who said them, in both directions', async () => {
    example = await startExample('recipes/bridge', (config) =>
      config.replace('adapter-irc, adapter-telegram', 'adapter-sandbox').replace(
        /^endpoints:[\s\S]*/m,
        `endpoints: [{ adapter: sandbox, id: one }, { adapter: sandbox, id: two }]
bridge:
  places: [{ adapter: sandbox, endpoint: one, id: a }, { adapter: sandbox, endpoint: two, id: b }]
`,
      ),
    )
    // In the sandbox a bot is in a group in which someone has spoken.
    await sayIn('b', 'is anyone here?', 'two')
    await sayIn('a', 'hello from one', 'one')
    await hears({ type: 'group', id: 'b' }, '<Ada> hello from one', 'two')
    await sayIn('b', 'hello from two', 'two')
    await hears({ type: 'group', id: 'a' }, '<Ada> hello from two', 'one')
  })

  it('shop: pays back what the owner approves, and tells who writes meanwhile', async () => {
    example = await startExample('recipes/shop', (config) =>
      config.replace('  - agent\n', '  - agent\n  - practice-model\n').replace(/^ai:[\s\S]*/m, ''),
    )
    const visitor = { type: 'private', id: 'visitor' }
    const owner = { type: 'private', id: 'me' }
    const say = (channel: { readonly id: string }, content: string): Promise<unknown> =>
      (example as Example).rpc('sandbox:send', {
        endpointId: 'sandbox',
        channel,
        sender: { id: channel.id, name: channel.id },
        content,
      })
    await say(visitor, 'use refund {"order": "A1"}')
    await hears(owner, 'Refund 300 cents for plums (A1)')
    await say(visitor, 'is anyone here?')
    await hears(visitor, 'An earlier request here still waits for the approval of the owner.')
    await say(owner, 'yes')
    await hears(visitor, '300 cents were paid back.')
    await say(visitor, 'use refund {"order": "A2"}')
    await hears(owner, 'Refund 450 cents for pears (A2)')
    await say(owner, 'no')
    await hears(visitor, 'Nothing was paid back: the request was denied.')
  })

  it('shop: is the code of the guide', () => {
    expect(readFileSync(GUIDE, 'utf8')).to.contain(readFileSync(join(RECIPES, 'shop/bot.js'), 'utf8'))
  })

  it('mcp-server: connects a server of its own', async () => {
    example = await startExample('recipes/mcp-server')
    await until(async () => {
      const { servers } = (await (example as Example).rpc('mcp:list')) as {
        servers: { connected: boolean; tools: { name: string }[] }[]
      }
      return servers[0]?.connected && servers[0].tools[0]?.name === 'price'
    }, 'the server')
  })
})
