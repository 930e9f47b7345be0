// A Bot API for the tests: a third-party server behind a front that adds what it lacks (offsets, held questions,
// failures, dying).
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { TelegramServer } from 'telegram-test-api/lib/telegramServer.js'
import type { InlineKeyboardButton, InlineKeyboardMarkup, Update } from 'grammy/types'
import { freePort } from '@mynah/kernel/testing'

export const TOKEN = '123456:test-token_AAA'

/** A call of the bot. */
export interface Called {
  readonly method: string
  readonly payload: Record<string, unknown>
  readonly raw: Buffer
}
/** An answer that replaces that of the third-party server. */
export interface Answer {
  readonly status?: number
  readonly result?: unknown
  readonly description?: string
  readonly parameters?: Record<string, unknown>
  /** Ends the connection in the middle of the answer. */
  readonly isCut?: boolean
}
type Behaviour = (call: Called) => Answer | undefined | Promise<Answer | undefined>

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export class BotApi {
  readonly #server: InstanceType<typeof TelegramServer>
  readonly #sockets: Server
  readonly #gone = new AbortController()
  #port = 0
  #pending: Update[] = []
  #last: Update | undefined
  #ownUpdate = 1_000_000
  #highestId = 0
  #waiting = new Set<() => void>()
  readonly #behaviours = new Map<string, Behaviour>()
  /** Calls since {@link record}. */
  calls: Called[] = []
  #recording = false
  /** Offsets of the questions for updates. */
  offsets: number[] = []
  /** Texts that the bot has sent. */
  readonly texts: string[] = []
  /** The buttons that the bot has shown last. */
  keyboard: readonly InlineKeyboardButton[] = []

  private constructor(port: number) {
    this.#server = new TelegramServer({ host: '127.0.0.1', port })
    this.#sockets = createServer((request, response) => void this.#serve(request, response))
  }

  /** With `keepsUpdates` the third-party server keeps the updates for clients that poll it directly. */
  static async start({ keepsUpdates = false } = {}): Promise<BotApi> {
    const api = new BotApi(await freePort())
    await api.#server.start()
    // Messages are removed, since the third-party server keeps them in memory for a minute.
    api.#server.on('AddedBotMessage', () => {
      for (const { message } of api.#server.storage.botMessages.splice(0)) {
        api.texts.push(String(message.text))
        const { inline_keyboard: rows } = (message.reply_markup ?? {}) as Partial<InlineKeyboardMarkup>
        if (rows) api.keyboard = rows.flat()
      }
    })
    if (!keepsUpdates)
      for (const event of ['AddedUserMessage', 'AddedUserCommand', 'AddedUserCallbackQuery'])
        api.#server.on(event, () => api.#pull())
    await api.restart()
    return api
  }

  /** Address of the front. */
  get root(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Address of the third-party server itself. */
  get thirdParty(): string {
    return this.#server.config.apiURL
  }

  /** Returns a user of the third-party server. */
  user(options: Record<string, unknown> = {}): ReturnType<InstanceType<typeof TelegramServer>['getClient']> {
    return this.#server.getClient(TOKEN, options)
  }

  /** Notes calls from now on. */
  record(): void {
    this.calls = []
    this.#recording = true
  }

  /** Lets the third-party server call `url` for what users say; the front adds the secret, which it leaves out. */
  forwardWebhook(url: string, secret: string): void {
    this.on('hook', async ({ raw }) => {
      const answered = await fetch(url, {
        method: 'POST',
        body: raw,
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      })
      return { status: answered.status, result: await answered.text() }
    })
    this.#server.setWebhook({ url: `${this.root}/hook` }, TOKEN)
  }

  /** Resolves when the third-party server is done with the next message. */
  counted(): Promise<void> {
    return this.#server.waitUserMessage()
  }

  called(method: string): Called[] {
    return this.calls.filter((call) => call.method === method)
  }

  /** Answers a method from now on, where `behaviour` gives an answer. */
  on(method: string, behaviour: Behaviour): void {
    this.#behaviours.set(method, behaviour)
  }

  /** Answers a method as before {@link BotApi.on}. */
  restore(method: string): void {
    this.#behaviours.delete(method)
  }

  /** Adds an update that the third-party server cannot make. */
  push(update: Omit<Update, 'update_id'>): void {
    this.#add({ update_id: this.#ownUpdate++, ...update } as Update)
  }

  /** Delivers the last update again, as though its acknowledgement had been lost. */
  redeliver(): void {
    if (!this.#last) throw new Error('nothing was delivered yet')
    this.#pending.unshift(this.#last)
    this.#forced = this.#last
    this.#wake()
  }

  #forced: Update | undefined

  /** The update that was added last. */
  get last(): Update | undefined {
    return this.#last
  }

  async kill(): Promise<void> {
    const closed = once(this.#sockets, 'close')
    this.#sockets.close()
    this.#sockets.closeAllConnections()
    await closed
  }

  async restart(): Promise<void> {
    this.#sockets.listen(this.#port, '127.0.0.1')
    await once(this.#sockets, 'listening')
    this.#port = (this.#sockets.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    this.#gone.abort()
    if (this.#sockets.listening) await this.kill()
    await this.#server.stop()
  }

  #pull(): void {
    for (const update of this.#server.getUpdates(TOKEN)) this.#add(update as unknown as Update)
    this.#server.storage.userMessages = []
  }

  #add(added: Update): void {
    // Ids grow, also where the third-party server gives one after an update of ours.
    const id = Math.max(added.update_id, this.#highestId + 1)
    this.#highestId = id
    const update = { ...added, update_id: id }
    this.#pending.push(update)
    this.#last = update
    this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const wake of waiting) wake()
  }

  /** As the Bot API has it: an offset confirms what is before it, and a question is held until there is an answer. */
  async #updates(
    { offset = 0, limit = 100, timeout = 0 }: { offset?: number; limit?: number; timeout?: number },
    gone: AbortSignal,
  ): Promise<Update[]> {
    if (this.#recording) this.offsets.push(offset)
    this.#pending = this.#pending.filter((update) => update.update_id >= offset || update === this.#forced)
    this.#forced = undefined
    const signal = AbortSignal.any([gone, this.#gone.signal])
    if (this.#pending.length === 0 && timeout > 0 && !signal.aborted) {
      const held = new AbortController()
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#waiting.add(resolve)
        }),
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
        wait(timeout * 1000, undefined, { signal: held.signal }).catch(() => undefined),
      ])
      held.abort()
    }
    return this.#pending.slice(0, limit)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    try {
      const raw = await bytesOf(request)
      const path = request.url ?? ''
      const method = path.slice(path.lastIndexOf('/') + 1)
      const payload =
        request.headers['content-type']?.startsWith('application/json') && raw.length
          ? (JSON.parse(raw.toString()) as Record<string, unknown>)
          : {}
      const call = { method: path.startsWith('/file/') ? 'file' : method, payload, raw }
      if (this.#recording) this.calls.push(call)
      const answer = await this.#behaviours.get(call.method)?.(call)
      if (answer && Buffer.isBuffer(answer.result)) {
        response.end(answer.result)
        return
      }
      if (answer) return this.#end(response, answer)
      if (method === 'setMyCommands') return this.#end(response, { result: true })
      if (method === 'getUpdates') return this.#end(response, { result: await this.#updates(payload, gone.signal) })
      const passed = await fetch(`${this.thirdParty}${path}`, {
        method: 'POST',
        body: raw,
        headers: { 'content-type': 'application/json' },
      })
      response.writeHead(passed.status, { 'content-type': 'application/json' }).end(await passed.text())
    } catch (error) {
      // The bot or this server closed the connection, so that an answer would not be read.
      response.destroy(error as Error)
    }
  }

  #end(response: ServerResponse, { status = 200, result, description, parameters, isCut }: Answer): void {
    if (isCut) {
      response.writeHead(status, { 'content-length': 1_000 }).write('{"ok":true,', () => response.socket?.end())
      return
    }
    const body =
      status === 200
        ? { ok: true, result }
        : { ok: false, error_code: status, description: description ?? 'failed', ...(parameters ? { parameters } : {}) }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}
