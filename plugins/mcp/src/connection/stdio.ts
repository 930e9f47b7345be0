import { spawn, type ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { messageOf, systemClock, toError } from '@mynah/kernel'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { withoutControls } from '../text.js'
import { AT_ONCE, BREATH_MS, MAX_MESSAGE_BYTES } from './limits.js'
import { guard, signalGroup } from './process-groups.js'

const TAIL_BYTES = 4_096
const TAIL_SHOWN = 1_000
const INHERITED = ['PATH', 'HOME', 'LANG'] as const
/** Time that a process has to exit by itself, and then after SIGTERM, in milliseconds. */
const GRACE_MS = 1_000

/** Bytes of both ends of a message that is too large. The id of the call is in one of them. */
const ENDS_BYTES = 1_024
const TOO_LARGE = `it sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB`
/** Code of JSON-RPC. */
const INTERNAL_ERROR = -32_603

/** The beginning and the end of a line. */
interface Ends {
  readonly head: Buffer
  tail: Buffer
}

/** Returns the id of an answer, which comes before or after its result. */
function idIn(head: string, tail: string): number | undefined {
  const begin = head.indexOf('{') + 1
  const inner = head.slice(begin).search(/[{[]/)
  const end = tail.lastIndexOf('}')
  const outer = Math.max(tail.lastIndexOf('}', end - 1), tail.lastIndexOf(']', end - 1)) + 1
  for (const fields of [
    head.slice(begin, inner < 0 ? undefined : begin + inner),
    tail.slice(outer, Math.max(0, end)),
  ]) {
    const id = /"id"\s{0,9}:\s{0,9}(\d{1,15})/.exec(fields)?.[1]
    if (id !== undefined) return Number(id)
  }
  return undefined
}

/** The process to start. */
export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
  /** Masks secrets in the output of the process. */
  hide(text: string): string
  parse(line: unknown): JSONRPCMessage
}

/** Exchanges messages with a process over its standard input and output, one message per line. */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #server: StdioServer
  #child: ChildProcess | undefined
  #gone: Promise<void> = Promise.resolve()
  #parts: Buffer[] = []
  #size = 0
  #messages = 0
  #oversized: Ends | undefined
  #hasSpoken = false
  #isPausing = false
  #tail: Buffer = Buffer.alloc(0)
  #reason: string | undefined
  #closed = false

  constructor(server: StdioServer) {
    this.#server = server
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Reason of the end, with the last output of the process on standard error. */
  get reason(): string | undefined {
    if (this.#reason === undefined) return undefined
    const tail = withoutControls(this.#server.hide(this.#tail.toString('utf8'))).trim()
    return tail ? `${this.#reason}: ${tail.slice(-TAIL_SHOWN)}` : this.#reason
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#server
    const child = spawn(command, [...args], {
      cwd,
      env: { ...inheritedEnv(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.#child = child
    const release = guard(child)
    this.#gone = new Promise((resolve) => {
      child.once('close', () => {
        release()
        // A process that did not start is reported by the error handler below.
        if (child.pid !== undefined) this.#end('the process ended')
        resolve()
      })
    })
    child.once('exit', (code, signal) => {
      if (child.pid === undefined) return
      this.#reason ??= signal ? `the process was ended by ${signal}` : `the process ended with code ${code}`
      // Child processes would keep the pipes open and stay behind.
      signalGroup(child, 'SIGKILL')
      const cancel = systemClock.setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, GRACE_MS)
      void this.#gone.then(cancel)
    })
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.#tail = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
    })
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', (error) => this.onerror?.(error))
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.on('error', (error) => {
        release()
        void this.#cannotStart(error).then((reason) => {
          this.#end(reason)
          reject(new Error(reason))
        })
      })
    })
  }

  async #cannotStart(error: Error): Promise<string> {
    const { command, cwd } = this.#server
    const code = (error as NodeJS.ErrnoException).code
    const folder =
      cwd === undefined ||
      (await stat(cwd).then(
        (found) => found.isDirectory(),
        () => false,
      ))
    if (!folder) return 'its working folder does not exist'
    if (code === 'ENOENT') return `the command "${command}" was not found`
    return code === 'EACCES'
      ? `the command "${command}" is not executable`
      : `the command "${command}" failed to start: ${error.message}`
  }

  #receive(chunk: Buffer): void {
    if (this.#closed) return
    if (this.#isPausing) return this.#receiveLater(chunk)
    let rest = chunk
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      this.#add(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      this.#endLine()
      if (this.#closed) return
      if (++this.#messages % AT_ONCE === 0) return this.#receiveLater(rest)
    }
    if (rest.length) this.#add(rest)
  }

  /** Adds a part of a line. Of one that is too large, only both ends are kept. */
  #add(part: Buffer): void {
    if (this.#oversized) {
      this.#oversized.tail = Buffer.concat([this.#oversized.tail, part]).subarray(-ENDS_BYTES)
      return
    }
    this.#parts.push(part)
    this.#size += part.length
    if (this.#size <= MAX_MESSAGE_BYTES) return
    // A program that has said nothing else yet is no server.
    if (!this.#hasSpoken) return this.#rejectOversized()
    const all = Buffer.concat(this.#parts)
    this.#parts = []
    // Copies, so that the line itself is freed.
    this.#oversized = { head: Buffer.from(all.subarray(0, ENDS_BYTES)), tail: Buffer.from(all.subarray(-ENDS_BYTES)) }
  }

  #endLine(): void {
    const line = Buffer.concat(this.#parts)
    const oversized = this.#oversized
    this.#parts = []
    this.#size = 0
    this.#oversized = undefined
    if (oversized) this.#answerFor(oversized)
    else this.#take(line)
  }

  /** Puts the rest back into the stream, so that the end of the output comes after it. */
  #receiveLater(rest: Buffer): void {
    const stdout = this.#child?.stdout
    stdout?.pause()
    if (rest.length > 0) stdout?.unshift(rest)
    // The end of a process resumes its output.
    if (this.#isPausing) return
    this.#isPausing = true
    systemClock.setTimeout(() => {
      this.#isPausing = false
      stdout?.resume()
    }, BREATH_MS)
  }

  #take(line: Buffer): void {
    let message: JSONRPCMessage
    try {
      message = this.#server.parse(JSON.parse(line.toString('utf8')))
    } catch (error) {
      // Some servers print a greeting, which is no message. Later lines may be messages.
      this.onerror?.(toError(error))
      return
    }
    this.#hasSpoken = true
    this.onmessage?.(message)
  }

  /** Fails the call whose answer is too large, or closes the connection where it is unknown which that is. */
  #answerFor({ head, tail }: Ends): void {
    const id = idIn(head.toString(), tail.toString())
    if (id !== undefined)
      return this.onmessage?.({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: TOO_LARGE } })
    this.#rejectOversized()
  }

  #rejectOversized(): void {
    this.#reason = TOO_LARGE
    void this.close()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin || this.#closed) throw new Error(this.reason ?? 'The process is not running')
    try {
      await new Promise<void>((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      })
    } catch (error) {
      // A broken pipe is reported before the end of the process, which is the better reason.
      await this.#goneSoon()
      throw new Error(this.reason ?? messageOf(error), { cause: error })
    }
  }

  #goneSoon(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = systemClock.setTimeout(resolve, GRACE_MS)
      void this.#gone.then(() => {
        cancel()
        resolve()
      })
    })
  }

  /** Fails waiting calls at once. Resolves when the process and its children have ended. */
  async close(): Promise<void> {
    const child = this.#child
    this.#end('it was ended')
    if (!child || child.pid === undefined) return
    child.stdin?.end()
    const cancels = [
      systemClock.setTimeout(() => signalGroup(child, 'SIGTERM'), GRACE_MS),
      systemClock.setTimeout(() => signalGroup(child, 'SIGKILL'), 2 * GRACE_MS),
    ]
    await this.#gone
    for (const cancel of cancels) cancel()
  }

  #end(reason: string): void {
    this.#reason ??= reason
    if (this.#closed) return
    this.#closed = true
    this.#parts = []
    this.onclose?.()
  }
}

function inheritedEnv(): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
