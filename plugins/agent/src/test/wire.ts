// The agent with the plugin `ai` and scripted model servers: requests and answers go over the wire.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AnyPlugin } from '@mynah/kernel'
import ai from '@mynah/plugin-ai'
import { Models } from '@mynah/plugin-ai/api'
import chat from '@mynah/plugin-chat'
import { Chat } from '@mynah/plugin-chat/api'
import { ChatHost, eachTest, until, type ChatHostOptions } from '../testing.js'

/** A request as the server got it. */
export interface Body {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown; readonly tool_calls?: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly temperature?: number
  readonly max_tokens?: number
}
/** An answer: a text, calls of tools, or the tokens that the request is said to have had. */
interface Answer {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
  readonly inputTokens?: number
  /** A refusal: with a status, or without one within the stream, after the text. */
  readonly refusal?: { readonly status?: number | undefined; readonly body: string }
  /** The answer ends when this resolves. */
  readonly hold?: Promise<unknown>
}
export type Play = (body: Body, index: number) => string | Answer

const SUMMARY = 'Write a summary by which the assistant can go on'
/** Returns whether a request asks for a summary of the conversation. */
export const isSummary = ({ messages }: Body): boolean => JSON.stringify(messages).includes(SUMMARY)

/** Returns the texts of a request's messages but that of the system, each with its role. */
export const saidIn = (body: Body | undefined): string[] =>
  (body?.messages ?? []).flatMap(({ role, content }) => (role === 'system' ? [] : [`${role}: ${plain(content)}`]))

const plain = (content: unknown): string =>
  Array.isArray(content)
    ? (content as { readonly text?: string }[]).map((part) => part.text ?? '').join('|')
    : String(content ?? '')

/** Returns the names of the tools that a request offers. */
export const offeredIn = (body: Body | undefined): string[] => (body?.tools ?? []).map(({ function: { name } }) => name)

function framesOf({ text: words = '', calls = [], inputTokens = 10, refusal }: Answer): string {
  const frame = (fields: object): string =>
    `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`
  const chunk = (delta: object, reason: string | null = null): string =>
    frame({ choices: [{ index: 0, delta, finish_reason: reason }] })
  const made = calls.map(({ name, input }, index) => ({
    index,
    id: `call${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  if (refusal) return `${chunk({ role: 'assistant', content: words })}data: ${refusal.body}\n\n`
  return [
    chunk({ role: 'assistant', content: words }),
    ...(made.length ? [chunk({ tool_calls: made })] : []),
    chunk({}, made.length ? 'tool_calls' : 'stop'),
    frame({ choices: [], usage: { prompt_tokens: inputTokens, completion_tokens: 5, total_tokens: inputTokens + 5 } }),
    'data: [DONE]\n\n',
  ].join('')
}

export interface WireOptions {
  /** Claims of the agent. */
  readonly config?: Record<string, unknown>
  /** The models of each provider. Default: `m` of the provider `p`. */
  readonly providers?: Readonly<Record<string, readonly string[]>>
  /** Further keys of each provider. */
  readonly provider?: Record<string, unknown>
  readonly plugins?: ChatHostOptions['plugins']
}

export class Wire {
  readonly host: ChatHost
  readonly bodies: Body[]
  readonly #server: Server

  private constructor(host: ChatHost, server: Server, bodies: Body[]) {
    this.host = host
    this.#server = server
    this.bodies = bodies
  }

  static async start(
    play: Play,
    { config = {}, providers = { p: ['m'] }, provider, plugins = [] }: WireOptions = {},
  ): Promise<Wire> {
    const bodies: Body[] = []
    const server = createServer(async (request, response) => {
      const body = JSON.parse(await text(request)) as Body
      const answer = play(body, bodies.push(body) - 1)
      const whole = typeof answer === 'string' ? { text: answer } : answer
      await whole.hold
      const { status, body: reason = '' } = whole.refusal ?? {}
      if (status !== undefined)
        return void response.writeHead(status, { 'content-type': 'application/json' }).end(reason)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf(whole))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const made = Object.entries(providers).map(([alias, models]) => [
      alias,
      { sdk: 'openai-compatible', apiKey: 'k', baseUrl, models, ...provider },
    ])
    const host = await ChatHost.start({
      chat: chat as unknown as AnyPlugin,
      config,
      plugins: [
        ...plugins,
        { plugin: ai as unknown as AnyPlugin, config: { providers: Object.fromEntries(made) as object } },
      ],
    })
    await until(() => host.host.get(Models) !== undefined)
    return new Wire(host, server, bodies)
  }

  /** The address of the server, as providers have it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  /** The requests of turns, without those for summaries. */
  get turns(): Body[] {
    return this.bodies.filter((body) => !isSummary(body))
  }
  get summaries(): Body[] {
    return this.bodies.filter(isSummary)
  }

  /** Returns the outcomes of the steps of a message. */
  steps(messageId: string): (string | undefined)[] {
    const [trace] = this.host.host.get(Chat)?.traces({ limit: 1, messageId }) ?? []
    return (trace?.steps ?? []).map(({ outcome }) => outcome)
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

/** Starts hosts with their servers for one test, and stops them after it. */
export function eachWire(): { start(play: Play, options?: WireOptions): Promise<Wire> } {
  const running: Wire[] = []
  const hosts = eachTest(Wire.start.bind(Wire))
  afterEach(async () => {
    for (const wire of running.splice(0)) await wire.close()
  })
  return {
    async start(play, options) {
      const wire = await hosts.start(play, options)
      running.push(wire)
      return wire
    },
  }
}
