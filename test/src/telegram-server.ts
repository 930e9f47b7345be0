// A Bot API with one user, whose messages and files are scripted. Records the messages of the bot.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const USER = { id: 7, is_bot: false, first_name: 'Alice' }
const CHAT = { id: 7, type: 'private', first_name: 'Alice' }

export class TelegramServer {
  /** Texts that the bot has said. */
  readonly said: string[] = []
  /** Files by their path on the server; the id of each is its path without slashes. */
  readonly files = new Map<string, Buffer>()
  readonly #server: Server
  readonly #updates: object[] = []
  #next = 1
  #wake = (): void => {}

  private constructor() {
    this.#server = createServer(
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    )
  }

  static async start(): Promise<TelegramServer> {
    const server = new TelegramServer()
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Its user says something; a file that comes with it is kept under `path`. */
  say(message: object, path?: string, bytes?: Buffer): void {
    if (path !== undefined && bytes) this.files.set(path, bytes)
    this.#updates.push({
      update_id: this.#next,
      message: { message_id: this.#next++, date: Math.floor(Date.now() / 1000), chat: CHAT, from: USER, ...message },
    })
    this.#wake()
  }

  async #answer(
    method: string,
    payload: { offset?: number; timeout?: number; file_id?: string; text?: string },
  ): Promise<unknown> {
    switch (method) {
      case 'getMe':
        return { id: 1, is_bot: true, first_name: 'Bot', username: 'a_bot' }
      case 'getUpdates': {
        const { offset = 0, timeout = 0 } = payload
        const waiting = (): object[] =>
          this.#updates.filter((update) => (update as { update_id: number }).update_id >= offset)
        if (waiting().length === 0 && timeout > 0)
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        return waiting()
      }
      case 'getFile': {
        const path = [...this.files.keys()].find((known) => known.replaceAll('/', '') === payload.file_id)
        return path === undefined ? undefined : { file_id: payload.file_id, file_path: path }
      }
      case 'sendMessage':
      case 'editMessageText':
        this.said.push(payload.text ?? '')
        return { message_id: 1_000 + this.said.length, date: 1, chat: CHAT, text: payload.text }
      default:
        return true
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, first, , ...rest] = (request.url ?? '').split('/')
    if (first === 'file') {
      const bytes = this.files.get(rest.join('/'))
      return void response.writeHead(bytes ? 200 : 404).end(bytes)
    }
    const raw = await buffer(request)
    const method = (request.url ?? '').slice((request.url ?? '').lastIndexOf('/') + 1)
    const result = await this.#answer(method, raw.length ? (JSON.parse(raw.toString()) as object) : {})
    response
      .writeHead(result === undefined ? 400 : 200, { 'content-type': 'application/json' })
      .end(
        JSON.stringify(
          result === undefined
            ? { ok: false, error_code: 400, description: 'Bad Request: invalid file_id' }
            : { ok: true, result },
        ),
      )
  }

  async stop(): Promise<void> {
    this.#wake()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
