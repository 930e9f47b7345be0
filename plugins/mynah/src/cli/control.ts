// How a command reaches the host that runs: a socket in the data directory, for whoever may write there and nobody else.
import { createHash } from 'node:crypto'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join, relative } from 'node:path'
import { messageOf } from '@mynah/kernel'
import type { Reloaded } from './protocol.js'

/** What a command may ask; `ping` tells who runs. */
export interface ControlRequest {
  readonly do: 'reload' | 'ping'
}
export type ControlAnswer = { readonly pid: number; readonly result?: Reloaded } | { readonly error: string }

/** Longer paths are cut by the operating system. */
const MAX_PATH = 100
const MAX_LINE = 65_536
const PATIENCE_MS = 60_000

/** Where the socket of a data directory is; in the folder for temporary files where its own path is too long. */
function socketOf(data: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\mynah-${digest(data)}`
  const own = join(data, 'control')
  const near = relative(process.cwd(), own)
  const shortest = near.length < own.length ? near : own
  return Buffer.byteLength(shortest) <= MAX_PATH ? shortest : join(tmpdir(), `mynah-${userInfo().uid}-${digest(data)}`)
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** Answers commands for one data directory until it is closed. */
export class Control {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(handle: (request: ControlRequest) => Promise<ControlAnswer>) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      // Whoever asked has gone: there is nobody to tell.
      socket.on('error', () => socket.destroy())
      void lineOf(socket)
        .then(async (line) => handle(JSON.parse(line) as ControlRequest))
        .catch((error: unknown): ControlAnswer => ({ error: messageOf(error) }))
        .then((answer) => socket.end(`${JSON.stringify(answer)}\n`))
    })
  }

  /** Listens; what a killed host left behind is taken over, and where another host runs there is none. */
  static async open(
    data: string,
    handle: (request: ControlRequest) => Promise<ControlAnswer>,
  ): Promise<Control | undefined> {
    await mkdir(data, { recursive: true })
    const path = socketOf(data)
    if (await ask(data, { do: 'ping' })) return undefined
    await rm(path, { force: true })
    const control = new Control(handle)
    await new Promise<void>((resolve, reject) => control.#server.once('error', reject).listen(path, resolve))
    if (process.platform !== 'win32') await chmod(path, 0o600)
    // It must not keep a process alive whose host has ended.
    control.#server.unref()
    return control
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      for (const socket of this.#sockets) socket.destroy()
    })
  }
}

/** Asks the host of a data directory; `undefined` where none runs. */
export async function ask(data: string, request: ControlRequest): Promise<ControlAnswer | undefined> {
  const socket = createConnection(socketOf(data))
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK' || code === 'ENOTDIR') return undefined
    throw error
  }
  socket.setTimeout(PATIENCE_MS, () =>
    socket.destroy(new Error(`the host did not answer within ${PATIENCE_MS / 1000} s`)),
  )
  socket.write(`${JSON.stringify(request)}\n`)
  return JSON.parse(await lineOf(socket)) as ControlAnswer
}

/** The first line that arrives. */
function lineOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > MAX_LINE) reject(new Error('a line that does not end'))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed before an answer')))
  })
}
