// Support for tests: a service over real providers, a server that plays any provider, and a log that is kept.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock, type Clock, type Logger } from '@mynah/kernel'
import type { TestClock } from '@mynah/kernel/testing'
import type {
  BudgetExceeded,
  Candidate,
  Finish,
  ModelPart,
  ModelRequest,
  ModelStateChange,
  StreamOptions,
  UsageReport,
} from '../api/models.js'
import type { AiConfig, ProviderConfig } from '../config.js'
import { AiModels } from '../service.js'
import { createWeb } from '../web/web.js'

export interface Line {
  readonly level: string
  readonly message: string
}

/** Returns a logger that keeps its lines. */
export function keptLog(): Logger & { readonly lines: Line[] } {
  const lines: Line[] = []
  const write = (level: string) => (message: unknown) => void lines.push({ level, message: String(message) })
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') } as Logger & {
    lines: Line[]
  }
}

/** A service and all its notices. */
export interface TestService {
  readonly models: AiModels
  readonly log: ReturnType<typeof keptLog>
  readonly used: UsageReport[]
  readonly changes: ModelStateChange[]
  readonly exceeded: BudgetExceeded[]
}

export function serviceOf(
  providers: Record<string, ProviderConfig>,
  options: { clock?: Clock; data?: string; config?: Partial<AiConfig>; allowHosts?: string[] } = {},
): TestService {
  const log = keptLog()
  const used: UsageReport[] = []
  const changes: ModelStateChange[] = []
  const exceeded: BudgetExceeded[] = []
  const clock = options.clock ?? systemClock
  const models = new AiModels({
    config: { providers, ...options.config } as AiConfig,
    clock,
    log,
    web: createWeb({ allowHosts: () => options.allowHosts ?? [], clock }),
    data: options.data,
    used: (report) => void used.push(report),
    stateChanged: (change) => void changes.push(change),
    budgetExceeded: (what) => void exceeded.push(what),
    jitter: () => 0,
  })
  return { models, log, used, changes, exceeded }
}

/** Returns all parts of an answer. Throws the reason where a provider is waited for, because no time passes here. */
export async function partsOf(
  models: AiModels,
  request: string | ModelRequest,
  options: StreamOptions,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of models.stream(
    typeof request === 'string' ? { messages: [{ role: 'user', content: request }] } : request,
    options,
  )) {
    if (part.type === 'waiting' && part.reason) throw part.reason
    parts.push(part)
  }
  return parts
}

/** Returns all parts of an answer, and lets the clock of the service pass where it waits for a provider. */
export async function partsAfterWaits(
  models: AiModels,
  request: string | ModelRequest,
  options: StreamOptions,
  clock: TestClock,
): Promise<ModelPart[]> {
  const messages = typeof request === 'string' ? [{ role: 'user' as const, content: request }] : []
  const parts = models.stream(typeof request === 'string' ? { messages } : request, options)[Symbol.asyncIterator]()
  const all: ModelPart[] = []
  let next = parts.next()
  for (;;) {
    const { done, value } = await next
    if (done) return all
    all.push(value)
    next = parts.next()
    if (value.type === 'waiting') await clock.advance(value.ms)
  }
}

/** Returns the end of an answer. */
export async function answerOf(
  models: AiModels,
  request: string | ModelRequest,
  ...candidates: Candidate[]
): Promise<Finish> {
  const end = (await partsOf(models, request, { candidates })).at(-1)
  if (end?.type !== 'finish') throw new Error('no finish')
  return end
}

export const textIn = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** A body of any JSON. */
export interface AskedBody {
  readonly [field: string]: AskedBody
}

/** A request as the server below saw it. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: AskedBody
}

/** A server whose answers a test writes itself. */
export class PlayedServer {
  readonly asked: Asked[] = []
  /** Requests whose client has gone. */
  closed = 0
  readonly #server: Server
  #play: (response: ServerResponse, asked: Asked, index: number) => void | Promise<void>

  private constructor(
    server: Server,
    play: (response: ServerResponse, asked: Asked, index: number) => void | Promise<void>,
  ) {
    this.#server = server
    this.#play = play
  }

  static async start(
    play: (response: ServerResponse, asked: Asked, index: number) => void | Promise<void> = (response) =>
      void response.writeHead(404).end(),
  ): Promise<PlayedServer> {
    const server = createServer()
    const played = new PlayedServer(server, play)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        let body: unknown = text
        try {
          body = JSON.parse(text)
        } catch {
          // Whatever it is, the test looks at it.
        }
        const asked = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: body as AskedBody,
        }
        response.on('close', () => !response.writableEnded && played.closed++)
        void played.#play(response, asked, played.asked.push(asked) - 1)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A test that fails before it stops its server must not keep the process.
    server.unref()
    return played
  }

  play(play: (response: ServerResponse, asked: Asked, index: number) => void | Promise<void>): void {
    this.#play = play
    this.asked.length = 0
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** With the path that relays have. */
  get url(): string {
    return `${this.origin}/v1`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** One event of a stream of the chat surface. */
export const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  })}\n\n`

/** Returns a whole answer as a stream of the chat surface. */
export function streamed(
  response: ServerResponse,
  text: string,
  usage: object | null = { prompt_tokens: 10, completion_tokens: 5 },
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const word of text.split(/(?<= )/)) response.write(chunk({ content: word }))
  response.write(chunk({}, 'stop', usage ? { usage } : {}))
  response.end('data: [DONE]\n\n')
}

/** Returns what plays `play` for the first request, and refuses the key of all others, so that no model goes on. */
export const playOnce =
  (play: (response: ServerResponse) => void) =>
  (response: ServerResponse, _asked: Asked, index: number): void =>
    index === 0 ? play(response) : refused(response, 401, { message: 'no' })

/** Begins an answer of the chat surface, and drops the connection. */
export function brokenOff(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk({ content: text }))
  setImmediate(() => response.destroy())
}

/** Returns an answer of the chat surface that reached the limit of its output. */
export function cutAtLength(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk({ content: text }))
  response.write(chunk({}, 'length', { usage: { prompt_tokens: 10, completion_tokens: 5 } }))
  response.end('data: [DONE]\n\n')
}

/** Returns a refusal in the form of the chat surface. */
export function refused(
  response: ServerResponse,
  status: number,
  error: object | string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof error === 'string' ? error : JSON.stringify({ error }))
}

/** Writes `block` again and again, as fast as it is taken, until the client goes. */
export function flood(response: ServerResponse, block: string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

/** Two servers for each test of a suite: the first is for it to play, the second answers. */
export function useTwoServers(): { readonly first: PlayedServer; readonly second: PlayedServer } {
  let first: PlayedServer
  let second: PlayedServer
  beforeEach(async () => {
    first = await PlayedServer.start()
    second = await PlayedServer.start((response) => streamed(response, 'from the second'))
  })
  afterEach(() => Promise.all([first.stop(), second.stop()]))
  return {
    get first() {
      return first
    },
    get second() {
      return second
    },
  }
}
