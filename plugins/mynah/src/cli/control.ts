// Commands reach the running host through a socket in the data directory, which only its owner can open.
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { messageOf, type LogRecord } from '@mynah/kernel'
import type { LiveUpdate } from './packages/live-packages.js'
import type { ConfigurationResult, HostFacts, PushOrder, ReloadResult, StatusReport } from './protocol.js'
import { socketPath } from './socket-path.js'

/** A request of a command. `ping` returns the process id. */
export interface ControlRequest {
  readonly do: 'reload' | 'restart' | 'status' | 'token' | 'ping' | 'configuration' | 'packages' | 'support'
  readonly push?: PushOrder
}
export type ControlAnswer =
  | {
      readonly pid: number
      readonly result?: ReloadResult
      readonly report?: StatusReport | undefined
      /** The token of the running host. The socket is open to its owner alone. */
      readonly token?: string | undefined
      readonly configuration?: ConfigurationResult | undefined
      readonly update?: LiveUpdate | undefined
      readonly facts?: HostFacts | undefined
      /** Warnings and errors of the supervisor. */
      readonly supervisor?: readonly LogRecord[]
    }
  | { readonly error: string }

const MAX_REQUEST = 65_536
/** The facts for a report have a hundred lines of the log with their stacks. */
const MAX_ANSWER = 4_194_304
const ANSWER_TIMEOUT_MS = 60_000

/** Answers commands for one data directory. */
export class Control {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(handle: (request: ControlRequest) => Promise<ControlAnswer>) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      // The client has disconnected.
      socket.on('error', () => socket.destroy())
      void lineOf(socket, MAX_REQUEST)
        .then(async (line) => handle(JSON.parse(line) as ControlRequest))
        .catch((error: unknown): ControlAnswer => ({ error: messageOf(error) }))
        .then((answer) => socket.end(`${JSON.stringify(answer)}\n`))
    })
  }

  /** Listens. Replaces the socket of a killed host. Returns `undefined` if another host is running. */
  static async open(
    data: string,
    handle: (request: ControlRequest) => Promise<ControlAnswer>,
  ): Promise<Control | undefined> {
    await mkdir(data, { recursive: true })
    const path = socketPath(data, 'control')
    if (await ask(data, { do: 'ping' })) return undefined
    await rm(path, { force: true })
    const control = new Control(handle)
    await new Promise<void>((resolve, reject) => control.#server.once('error', reject).listen(path, resolve))
    if (process.platform !== 'win32') await chmod(path, 0o600)
    // The socket must not keep the process alive after the host has ended.
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

/** Sends a request to the host of a data directory. Returns `undefined` if none is running. */
export async function ask(data: string, request: ControlRequest): Promise<ControlAnswer | undefined> {
  const socket = createConnection(socketPath(data, 'control'))
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK' || code === 'ENOTDIR') return undefined
    throw error
  }
  socket.setTimeout(ANSWER_TIMEOUT_MS, () =>
    socket.destroy(new Error(`the host did not answer within ${ANSWER_TIMEOUT_MS / 1000} s`)),
  )
  socket.write(`${JSON.stringify(request)}\n`)
  return JSON.parse(await lineOf(socket, MAX_ANSWER)) as ControlAnswer
}

/** Resolves with the first line that arrives. */
function lineOf(socket: Socket, longest: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > longest) reject(new Error('the line is too long'))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed before an answer')))
  })
}
