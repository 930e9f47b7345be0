import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { SerialQueue } from '@mynah/kernel/util'
import { gitChange, type GitChange } from './git-command.js'

/** A command of git that the door lets in. */
export interface GitCall extends GitChange {
  /** The words after `git`. */
  readonly words: readonly string[]
  /** The folder that it is started in. */
  readonly cwd: string
  /** Variables with the author and the time of commits. */
  readonly env: Readonly<Record<string, string>>
}

/** Where git reads and writes, and when it ends. */
export interface GitStreams {
  readonly input: Socket | undefined
  readonly signal: AbortSignal
  /** @param stream 1 for output, 2 for errors */
  write(stream: 1 | 2, bytes: Buffer): void
}

/** The other side of the door. */
export interface GitHost {
  /** Returns why git may not change the repository of a folder, or undefined. An empty reason goes without saying. */
  problem(call: GitCall): Promise<string | undefined>
  /** Runs git and returns its exit code. */
  run(call: GitCall, streams: GitStreams): Promise<number>
}

const MAX_WORDS_BYTES = 1024 * 1024
const LENGTH_BYTES = 4
const MAX_CONNECTIONS = 32
/** Output that a client does not read. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** A client has this long to say what it wants. */
const ASK_MS = 30_000
const VARIABLE = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/

/**
 * The way of one command to its repositories: a socket at which {@link gitShim} asks for commands of git. Those that
 * change the repository, and nothing else, run one after the other in a process of the host's, with the repository
 * open. The client can be any program of the command.
 */
export class GitDoor {
  readonly path: string
  readonly #host: GitHost
  readonly #server: Server
  readonly #closed = new AbortController()
  readonly #queue = new SerialQueue()
  readonly #calls = new Set<Promise<void>>()

  private constructor(path: string, host: GitHost) {
    this.path = path
    this.#host = host
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      const call = this.#serve(client).catch(() => void client.destroy())
      this.#calls.add(call)
      void call.finally(() => this.#calls.delete(call))
    })
    this.#server.maxConnections = MAX_CONNECTIONS
  }

  /** @param path where the socket is made */
  static async open(path: string, host: GitHost): Promise<GitDoor> {
    const door = new GitDoor(path, host)
    await once(door.#server.listen(path), 'listening')
    // Without free descriptors a connection cannot be accepted, and the next one may be.
    door.#server.on('error', () => undefined)
    await chmod(path, 0o600)
    return door
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    this.#closed.abort()
    this.#server.close()
    await Promise.all(this.#calls)
    await rm(this.path, { force: true })
  }

  async #serve(client: Socket): Promise<void> {
    const gone = new AbortController()
    client.on('error', () => client.destroy())
    client.once('close', () => gone.abort())
    const signal = AbortSignal.any([this.#closed.signal, gone.signal])
    signal.addEventListener('abort', () => client.destroy(), { once: true })
    if (signal.aborted) return void client.destroy()
    const asked = await readWords(client)
    const call = asked && callOf(asked)
    const problem = call ? await this.#host.problem(call) : ''
    if (!call || problem !== undefined) return void send(client, 'l', problem ? `mynah: ${problem}\n` : '').end()
    await this.#queue.run(async () => {
      if (signal.aborted) return
      // The folders may be others by now.
      const now = await this.#host.problem(call)
      if (now !== undefined) return void send(client, 'l', now ? `mynah: ${now}\n` : '').end()
      send(client, 'r', call.readsInput ? 'i' : '')
      // Its end is only seen by who reads.
      if (!call.readsInput) client.on('end', () => gone.abort()).resume()
      const code = await this.#host.run(call, {
        input: call.readsInput ? client : undefined,
        signal,
        write: (stream, bytes) => void send(client, stream === 1 ? '1' : '2', bytes),
      })
      send(client, 'x', String(code)).end()
    })
  }
}

interface Asked {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

function callOf({ cwd, env, words }: Asked): GitCall | undefined {
  const change = gitChange(words, cwd)
  return change && { ...change, words, cwd, env }
}

/** Reads what a client asks for, or returns undefined if that is no request. */
async function readWords(client: Socket): Promise<Asked | undefined> {
  const timer = setTimeout(() => client.destroy(), ASK_MS)
  const fields = (await readMessage(client))?.toString('utf8').split('\0')
  clearTimeout(timer)
  if (fields === undefined) return undefined
  const [cwd = '', count = '', ...rest] = fields
  const pairs = rest.slice(0, Number(count)).map((text) => text.split(/=(.*)/s, 2) as [string, string])
  return {
    cwd,
    env: Object.fromEntries(pairs.filter(([name]) => VARIABLE.test(name))),
    words: rest.slice(Number(count)),
  }
}

/** Reads a length and as many bytes, and no more. Returns undefined at an end before, or for another length. */
function readMessage(client: Socket): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    const done = (message?: Buffer): void => {
      client.pause().off('data', take).off('end', gone).off('close', gone)
      resolve(message)
    }
    const gone = (): void => done()
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length < LENGTH_BYTES) return
      const end = LENGTH_BYTES + bytes.readUInt32BE(0)
      if (end === LENGTH_BYTES || end > MAX_WORDS_BYTES) return done()
      if (bytes.length < end) return
      done(bytes.subarray(LENGTH_BYTES, end))
      if (bytes.length > end) client.unshift(bytes.subarray(end))
    }
    client.on('data', take).on('end', gone).on('close', gone)
  })
}

/** Sends a part of the answer. A client that reads too little of it is gone. */
function send(client: Socket, kind: string, content: string | Buffer): Socket {
  if (client.destroyed || client.writableEnded) return client
  if (client.writableLength > MAX_WAITING_BYTES) return client.destroy()
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content)
  const head = Buffer.alloc(5)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(bytes.length, 1)
  client.write(Buffer.concat([head, bytes]))
  return client
}
