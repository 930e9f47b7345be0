// Runs a command that has been decided on: in bash, in a process group of its own, bounded in time and output.
import { spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { commandEnvironment } from './environment.js'
import { BoundedOutput } from './output.js'

/** How a command is run. */
export interface RunOptions {
  /** The working directory. */
  readonly cwd: string
  /** After this time the whole process group is killed. */
  readonly timeoutMs: number
  /** Variables added to the scrubbed environment of the host. */
  readonly env?: Readonly<Record<string, string>>
  /** Receives output as it comes, both streams in order of arrival, without the limit on what is kept. */
  readonly onOutput?: (text: string) => void
  /** Kills the whole process group when it aborts. */
  readonly signal?: AbortSignal
  /** How many characters of output are kept; 50,000 unless told. */
  readonly maxOutput?: number
}

/** What became of a command. */
export interface RunResult {
  /** The exit code, or null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal?: NodeJS.Signals
  /** Standard output and standard error as they came; of a long one the beginning and the end. */
  readonly output: string
  readonly truncated: boolean
  readonly durationMs: number
  readonly timedOut: boolean
}

const DEFAULT_OUTPUT = 50_000
const GRACE_MS = 500
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Runs a text with the same shell that the policy parsed it for. It decides nothing: call `evaluateCommand` first.
 * Rejects only when bash cannot be started; every end of the command itself is a result.
 */
export function runCommand(command: string, options: RunOptions): Promise<RunResult> {
  const { cwd, timeoutMs, env, onOutput, signal } = options
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', command], {
      cwd,
      env: commandEnvironment(process.env, env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true
    })
    const output = new BoundedOutput(options.maxOutput ?? DEFAULT_OUTPUT)
    let timedOut = false
    let grace: NodeJS.Timeout | undefined

    const stop = (): void => {
      killGroup(child.pid, 'SIGTERM')
      grace ??= setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS)
    }
    const limit = setTimeout(() => {
      timedOut = true
      stop()
    }, Math.min(Math.max(0, timeoutMs), MAX_TIMEOUT_MS))
    const clear = (): void => {
      clearTimeout(limit)
      clearTimeout(grace)
      signal?.removeEventListener('abort', stop)
    }
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })

    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder('utf8')
      stream.on('data', (chunk: Buffer) => {
        const text = decoder.write(chunk)
        output.add(text)
        if (text !== '') onOutput?.(text)
      })
    }
    child.once('error', (error) => {
      clear()
      reject(new Error('bash could not be started', { cause: error }))
    })
    // What the command left running in the background must not outlive it, nor hold its output open.
    child.once('exit', () => killGroup(child.pid, 'SIGKILL'))
    child.once('close', (exitCode, ended) => {
      clear()
      resolve({
        exitCode,
        ...(ended === null ? {} : { signal: ended }),
        truncated: output.truncated,
        output: output.toString(),
        durationMs: Math.round(performance.now() - started),
        timedOut
      })
    })
  })
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // The group may have ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
