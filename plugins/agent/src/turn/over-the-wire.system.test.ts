import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { AnyPlugin } from '@mynah/kernel'
import ai from '@mynah/plugin-ai'
import { Models } from '@mynah/plugin-ai/api'
import chat from '@mynah/plugin-chat'
import { Chat } from '@mynah/plugin-chat/api'
import type { Content } from '@mynah/contract/types'
import { pdf } from '../documents/test/files.js'
import { ChatHost, until } from '../testing.js'

type Play = (response: ServerResponse, index: number) => void

const piece = (delta: object, finish: string | null = null): string => {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}

/** Begins an answer of the chat surface. */
function say(response: ServerResponse, ...texts: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of texts) response.write(piece({ content }))
}
const end = (response: ServerResponse, reason = 'stop'): void =>
  void response.end(`${piece({}, reason)}data: [DONE]\n\n`)
const drop = (response: ServerResponse): void => void setImmediate(() => response.destroy())
const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"no"}}')

describe('answers of model servers over the wire', () => {
  const servers: Server[] = []
  const hosts: ChatHost[] = []
  const bodies: { readonly messages: { role: string; content: unknown }[] }[] = []
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.stop()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    bodies.length = 0
  })

  async function serve(play: Play): Promise<string> {
    let asked = 0
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
        play(response, asked++)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }

  const start = (...plays: readonly Play[]): Promise<ChatHost> => startWith({}, ...plays)

  async function startWith(config: Record<string, unknown>, ...plays: readonly Play[]): Promise<ChatHost> {
    const providers: Record<string, object> = {}
    for (const [index, play] of plays.entries())
      providers[`p${index}`] = { sdk: 'openai-compatible', apiKey: 'k', baseUrl: await serve(play), models: ['m'] }
    const plugins = [{ plugin: ai as unknown as AnyPlugin, config: { providers } }]
    const host = await ChatHost.start({ chat: chat as unknown as AnyPlugin, plugins, config })
    hosts.push(host)
    await until(() => host.host.get(Models) !== undefined)
    return host
  }

  /** Says something, and lets time pass while the models are waited for. */
  async function ask(host: ChatHost, text: Content): Promise<string[]> {
    let over = false
    const answer = host.say(text).finally(() => {
      over = true
    })
    while (!over) {
      // Time passes only between a failed request and the next one, so that nothing else times out.
      const failed = host.log.filter(({ message }) => message.includes('asking it again')).length
      if (failed > 0 && failed === bodies.length) await host.clock.advance(250)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return answer
  }

  it('are gone on with by the next provider when the stream breaks', async () => {
    const host = await start(
      (response) => {
        say(response, 'The first half, ')
        drop(response)
      },
      (response) => {
        say(response, 'and the second.')
        end(response)
      },
    )
    expect(await ask(host, 'tell me')).to.deep.equal(['The first half, and the second.'])
    expect(bodies[1]?.messages.at(-2)).to.deep.equal({ role: 'assistant', content: 'The first half, ' })
  })

  it('are gone on with when the model reaches its limit', async () => {
    const host = await start((response, index) => {
      say(response, index === 0 ? 'One, ' : 'two.')
      end(response, index === 0 ? 'length' : 'stop')
    })
    expect(await ask(host, 'count')).to.deep.equal(['One, two.'])
  })

  it('end with a note when no provider can go on', async () => {
    const host = await start((response, index) => {
      if (index > 0) return refuse(response, 401)
      say(response, 'The first half, ')
      drop(response)
    })
    const [text] = await ask(host, 'tell me')
    expect(text).to.match(/^The first half,\n\n\(The answer breaks off here/)
  })

  it('are waited for where there is one provider, and it is busy', async () => {
    const host = await start((response, index) => {
      if (index === 0) return refuse(response, 429, { 'retry-after': '3' })
      if (index === 1) return refuse(response, 529)
      if (index === 2) return void response.destroy()
      say(response, '<thi', 'nk>hm</think>', '\n\nHere I am.')
      end(response)
    })
    expect(await ask(host, 'hello')).to.deep.equal(['Here I am.'])
    expect(bodies).to.have.length(4)
  })

  const THOUGHT = 'The user greets me. I should be friendly.\n'
  for (const [how, texts] of Object.entries({
    'in one piece': [`${THOUGHT}</think>\n\nHello there!`],
    'in pieces': [...`${THOUGHT}</think>\n\nHello there!`],
    'after the words before it were read': [THOUGHT, '</THINK>', '\n\nHello ', 'there!'],
    'with a beginning of another name': ['<thin', `king>${THOUGHT}</thinking>`, '\n\nHello there!'],
  }))
    it(`have no reasoning in their text whose end comes ${how}`, async () => {
      const host = await start((response) => {
        say(response, ...texts)
        end(response)
      })
      expect(await ask(host, 'hello')).to.deep.equal(['Hello there!'])
      await ask(host, 'again')
      expect(bodies[1]?.messages.find(({ role }) => role === 'assistant')).to.deep.include({
        content: 'Hello there!',
        reasoning_content: THOUGHT,
      })
    })

  it('are to roles in turn where a server wants them', async () => {
    const host = await startWith({ 'ai.trigger': { collectMs: 1_500 } }, (response) => {
      const roles = bodies.at(-1)?.messages.map(({ role }) => role) ?? []
      if (roles.some((role, index) => role === roles[index - 1]))
        return void response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":{"message":"Conversation roles must alternate user/assistant/user/assistant/..."}}')
      say(response, 'Fine.')
      end(response)
    })
    const hear = async (text: string): Promise<void> => {
      const messageId = await host.hear(text, 'owner')
      const stepsOf = () => host.host.get(Chat)?.traces({ limit: 1, messageId })[0]?.steps ?? []
      await until(() => stepsOf().some(({ stage }) => stage === 'turn'))
    }
    for (const answers of [1, 2]) {
      await hear('hello')
      await host.clock.advance(200)
      await hear('which plums are ripe?')
      await host.clock.advance(1_500)
      await until(() => host.texts.length === answers)
    }
    expect(host.texts).to.deep.equal(['Fine.', 'Fine.'])
    // Refused, asked in turn, and from then on at once.
    expect(bodies).to.have.length(3)
    expect(JSON.stringify(bodies[1]?.messages.at(-1)))
      .to.contain('hello')
      .and.contain('ripe')
  })

  it('are to documents that a person without a role sends, with a mark for each page', async () => {
    const host = await start((response) => {
      say(response, 'Plums.')
      end(response)
    })
    const data = { base64: pdf(['ten plums', 'a kite']).toString('base64'), name: 'list.pdf' }
    expect(await ask(host, [{ type: 'file', data }])).to.deep.equal(['Plums.'])
    expect(JSON.stringify(bodies[0])).to.include('[page 1 of 2]\\nten plums\\n\\n[page 2 of 2]\\na kite')
  })
})
