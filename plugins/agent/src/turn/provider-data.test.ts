import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import ai from '@mynah/plugin-ai'
import { defineTool, Models, tools } from '@mynah/plugin-ai/api'
import chat from '@mynah/plugin-chat'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import { ChatHost, until } from '../testing.js'
import { isSummary, type Body } from '../test/wire.js'

const plain = (plugin: unknown) => plugin as AnyPlugin
const piece = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const SIGNATURE = { google: { thought_signature: 'SIG123' } }
const SIGNED =
  piece({
    role: 'assistant',
    content: null,
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'SEALED' }],
    tool_calls: [
      {
        index: 0,
        id: 'fc-1',
        type: 'function',
        function: { name: 'dice', arguments: '{"sides":6}' },
        extra_content: SIGNATURE,
      },
    ],
  }) +
  piece({}, 'tool_calls') +
  'data: [DONE]\n\n'
const said = (content: string): string => `${piece({ content })}${piece({}, 'stop')}data: [DONE]\n\n`

describe('data that a provider sends with an answer', () => {
  const bodies: Body[] = []
  let server: Server
  let host: ChatHost | undefined
  let root: string | undefined
  beforeEach(async () => {
    server = createServer(async (request, response) => {
      const body = JSON.parse(await text(request)) as Body
      bodies.push(body)
      const isRoll = JSON.stringify(body.messages.at(-1)).includes('please roll') && !isSummary(body)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(isRoll ? SIGNED : said(isSummary(body) ? 'They spoke of plums.' : 'Fine.'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    await host?.stop()
    host = undefined
    root = undefined
    bodies.length = 0
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  async function start(): Promise<ChatHost> {
    const provider = {
      sdk: 'openai-compatible',
      apiKey: 'k',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      models: ['m'],
    }
    const dice = definePlugin({
      name: 'dice',
      setup: (ctx) =>
        void ctx.contribute(
          tools,
          defineTool({
            name: 'dice',
            description: 'Rolls a die',
            effect: 'read',
            parameters: { type: 'object', properties: { sides: { type: 'number' } } },
            run: () => '4',
          }),
        ),
    })
    host = await ChatHost.start({
      chat: plain(chat),
      config: { 'ai.agents': { main: { model: 'p:m' } } },
      plugins: [
        plain(database),
        plain(inbox),
        { plugin: plain(ai), config: { providers: { p: provider, q: provider } } },
        plain(dice),
      ],
      ...(root === undefined ? {} : { root }),
    })
    root = host.root
    const running = host.host
    await until(() => running.get(Models) !== undefined)
    return host
  }
  const signed = () => bodies.at(-1)?.messages.find(({ tool_calls: calls }) => calls !== undefined)

  it('comes back with each request, over a restart and a summary, and to no other provider', async () => {
    const first = await start()
    for (const fruit of ['plums', 'pears', 'figs']) await first.say(`I like ${fruit}. `.repeat(50), 'owner')
    expect(await first.say('please roll', 'owner')).to.deep.equal(['Fine.'])
    const sent = JSON.stringify(signed())
    expect(JSON.parse(sent)).to.deep.include({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'SEALED' }] })
    expect(JSON.parse(sent).tool_calls[0]).to.deep.include({ id: 'fc-1', extra_content: SIGNATURE })
    await first.say('and now?', 'owner')
    expect(JSON.stringify(signed())).to.equal(sent)
    await first.stop(true)
    host = undefined

    const second = await start()
    await second.say('after the restart', 'owner')
    expect(JSON.stringify(bodies.at(-1)?.messages.at(-1))).to.contain('after the restart')
    expect(JSON.stringify(signed())).to.equal(sent)
    await second.say('/compact', 'owner')
    await second.say('after the summary', 'owner')
    expect(JSON.stringify(bodies.at(-1)))
      .to.contain('They spoke of plums.')
      .and.not.to.contain('I like figs')
    expect(JSON.stringify(signed())).to.equal(sent)

    await second.say('/model q:m', 'owner')
    await second.say('to another', 'owner')
    expect(JSON.stringify(bodies.at(-1)))
      .to.contain('fc-1')
      .and.not.to.contain('SIG123')
      .and.not.to.contain('SEALED')
    await second.say('/model p:m', 'owner')
    await second.say('back', 'owner')
    expect(JSON.stringify(signed())).to.equal(sent)
  })
})
