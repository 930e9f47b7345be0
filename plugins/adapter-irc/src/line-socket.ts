import { EventEmitter } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ClientOptions } from 'irc-framework'
import { decode } from './encoding.js'

/** Tags have up to 8191 bytes and the rest 512. Much longer lines are not IRC. */
const MAX_LINE_BYTES = 16_384
const KEEP_ALIVE_MS = 30_000
const OPEN_MS = 20_000
/** Time for the server to read a line, ms. */
const WRITE_MS = 30_000

/** Explains an error to the owner of the endpoint. */
function explained(error: Error & { code?: string }, tls: boolean): Error {
  if (tls && /wrong version number|packet length too long|before secure TLS connection/i.test(error.message))
    return new Error('There is no TLS at this port: set `tls: false` or another `port`', { cause: error })
  if (/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(error.code ?? ''))
    return new Error(`The certificate is not trusted (${error.code}): set \`ca\` to the one that signed it`, {
      cause: error,
    })
  return error
}

export class LineSocket extends EventEmitter {
  readonly #options: ClientOptions
  #socket: Socket | undefined
  #open = false
  #rest: Buffer[] = []
  #restBytes = 0
  #error: Error | undefined

  constructor(options: ClientOptions) {
    super()
    this.#options = options
  }

  connect(): void {
    const { host, port, tls, rejectUnauthorized, ca, ping_timeout } = this.#options
    this.disposeSocket()
    const socket = tls
      ? connectTls({
          host,
          port,
          rejectUnauthorized: rejectUnauthorized !== false,
          ...(ca === undefined ? {} : { ca }),
          ...(isIP(host) ? {} : { servername: host }),
        })
      : connect({ host, port })
    this.#socket = socket
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    socket.setNoDelay(true)
    const limit = Math.min(OPEN_MS, ping_timeout * 1000)
    let reached = false
    socket.once('connect', () => {
      reached = true
    })
    const timer = setTimeout(
      () =>
        socket.destroy(
          new Error(`No connection within ${limit / 1000} s${tls && reached ? ': is there TLS at this port?' : ''}`),
        ),
      limit,
    )
    socket.once('close', () => clearTimeout(timer))
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      this.#open = true
      this.emit('open')
    })
    socket.on('data', (data: Buffer) => this.#data(data))
    socket.on('error', (error) => {
      this.#error = explained(error, tls)
    })
    socket.once('close', () => {
      this.#open = false
      this.emit('close', this.#error ?? false)
    })
  }

  #data(data: Buffer): void {
    let start = 0
    for (;;) {
      const end = data.indexOf(0x0a, start)
      if (end < 0) break
      const line = Buffer.concat([...this.#rest, data.subarray(start, end)])
      this.#rest = []
      this.#restBytes = 0
      start = end + 1
      this.#line(decode(line.at(-1) === 0x0d ? line.subarray(0, -1) : line))
    }
    if (start === data.length) return
    this.#rest.push(data.subarray(start))
    this.#restBytes += data.length - start
    if (this.#restBytes > MAX_LINE_BYTES)
      this.#socket?.destroy(new Error(`The server sent a line of more than ${MAX_LINE_BYTES} bytes`))
  }

  /** Reports failures of listeners, which must not end the process. */
  #line(line: string): void {
    try {
      this.emit('line', line)
    } catch (error) {
      this.emit('extra', 'malformed', error)
    }
  }

  writeLine(line: string, done?: (error?: Error | null) => void): void {
    const socket = this.#socket
    if (socket && this.#open) {
      // A server that sends but does not read would keep the line, and those after it, for ever.
      const limit = Math.min(WRITE_MS, this.#options.ping_timeout * 1000)
      const timer = setTimeout(
        () => socket.destroy(new Error(`The server has not read a line for ${limit / 1000} s`)),
        limit,
      )
      socket.write(`${line}\r\n`, (error) => {
        clearTimeout(timer)
        done?.(error)
      })
    } else if (done) process.nextTick(done, new Error('The connection is closed'))
  }

  isConnected(): boolean {
    return this.#open
  }

  /** Called by the library, which would otherwise look for other encodings. */
  setEncoding(encoding: string): boolean {
    return encoding === 'utf8'
  }

  close(force?: boolean): void {
    if (force || !this.#open) this.#socket?.destroy()
    else this.#socket?.end()
  }

  /** Closes the socket at once. */
  disposeSocket(): void {
    const socket = this.#socket
    this.#socket = undefined
    this.#open = false
    if (!socket) return
    for (const event of ['connect', 'secureConnect', 'data']) socket.removeAllListeners(event)
    socket.destroy()
  }
}
