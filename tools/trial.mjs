// Shared by the tools that use packed packages as users do: checks, free ports, waiting, running programs.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const PATIENCE_MS = 60_000

/** Counts checks. A failed one ends the run, because later checks need it. */
export class Checks {
  passed = 0
  failed = 0

  async check(name, work) {
    const began = performance.now()
    try {
      const result = await work()
      this.passed++
      console.log(`  ok    ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
      return result
    } catch (error) {
      this.failed++
      console.log(`  FAIL  ${name}\n${error.stack ?? error}`)
      throw new CheckFailed(name, { cause: error })
    }
  }

  /** Prints the totals. Returns the exit code. */
  finish() {
    console.log(`  ${this.passed} passing\n  ${this.failed} failing`)
    return this.failed ? 1 : 0
  }
}

export class CheckFailed extends Error {}

/** Repeats `ask` until it returns a value. */
export async function until(what, ask, patience = PATIENCE_MS) {
  for (const end = Date.now() + patience; Date.now() < end; await pause(100)) {
    const answer = await ask().catch(() => undefined)
    if (answer) return answer
  }
  throw new Error(`${what} did not come within ${patience / 1000} s`)
}

/** Returns a port that was free a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Runs a program. Returns its output; throws with the output if the program fails. */
export async function output(program, args, { cwd, env = process.env, timeout = 1_500_000 } = {}) {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, {
      cwd,
      env,
      timeout,
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout + stderr
  } catch (error) {
    throw new Error(
      `${program} ${args.join(' ')} failed:\n${error.stdout ?? ''}${error.stderr ?? ''}${error.message}`,
      { cause: error },
    )
  }
}

/** A running host and its RPC. */
export class TrialHost {
  #child
  #said = ''

  constructor(program, args, { cwd, origin, token, env = process.env }) {
    this.origin = origin
    this.token = token
    this.#child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        this.#said = (this.#said + text).slice(-20_000)
      })
  }

  get said() {
    return this.#said
  }

  async healthy() {
    await until(
      `an answer of ${this.origin}`,
      async () => (await fetch(`${this.origin}/pub/health`)).status === 200 || this.#assertRuns(),
    ).catch((error) => {
      throw new Error(`${error.message}\n${this.#said}`, { cause: error })
    })
    return this
  }

  #assertRuns() {
    if (this.#child.exitCode !== null) throw new Error(`the host ended with ${this.#child.exitCode}`)
    return false
  }

  /** Calls a method. Its parameters are `data`, or `fields` of the request, as its contract says. */
  async rpc(type, data, fields = {}) {
    const response = await fetch(`${this.origin}/api/console/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ type, requestId: 1, data, ...fields }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${type}: ${JSON.stringify(answer)}`)
    return answer.data
  }

  /** Sends a message in the sandbox and waits for a reply that contains `answer`. */
  async chat(content, answer) {
    const channel = { type: 'private', id: 'visitor' }
    await until('the endpoint', () =>
      this.rpc('sandbox:send', { endpointId: 'sandbox', channel, sender: { id: 'visitor' }, content }),
    )
    await until(`the answer "${answer}"`, async () =>
      JSON.stringify(await this.rpc('sandbox:history', { endpointId: 'sandbox', channel })).includes(answer),
    )
  }

  /** Stops the host as Ctrl-C does. Returns its exit code. */
  async stop(signal = 'SIGINT') {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    const [code] = await ended
    return code
  }
}
