// One host process after the other over one folder, and what they say.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const FOLDER = new URL('../processes/', import.meta.url)
/** Time until a host that should have ended by itself is asked what it waits for, and is killed then. */
const LIMIT_MS = 240_000
const DUMP_MS = 5_000

/** A host process. Its options are one argument of JSON; it says one line for each thing that happens. */
export class Life {
  #child
  #ended
  #said = ''
  #complained = ''
  #isGivenUp = false

  constructor(program, options) {
    const file = fileURLToPath(new URL(program, FOLDER))
    this.#child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child.stdout.on('data', (chunk) => {
      this.#said += chunk
    })
    this.#child.stderr.on('data', (chunk) => {
      this.#complained = (this.#complained + chunk).slice(-8_000)
    })
    this.#ended = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }))
  }

  get lines() {
    return this.#said.split('\n').filter(Boolean)
  }

  /** Returns the rest of the lines that begin with `word`. */
  after(word) {
    return this.lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  }

  /** Returns its last line, as JSON. */
  get report() {
    return JSON.parse(this.lines.at(-1))
  }

  /** Waits until a condition holds. */
  async until(condition) {
    let end
    void this.#ended.then((outcome) => {
      end = outcome
    })
    while (!condition(this)) {
      if (end) throw new Error(`the host ended with ${end.signal ?? end.code}: ${this.#complained}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  async #giveUp() {
    this.#isGivenUp = true
    this.#child.kill('SIGUSR2')
    await new Promise((resolve) => setTimeout(resolve, DUMP_MS))
    this.#child.kill('SIGKILL')
  }

  kill(signal) {
    this.#child.kill(signal)
    return this.end()
  }

  /** Waits for the end. Rejects where the process failed, or did not end: with what it waited for. */
  async end() {
    const limit = setTimeout(() => void this.#giveUp(), LIMIT_MS)
    const { code, signal } = await this.#ended.finally(() => clearTimeout(limit))
    if (this.#isGivenUp) throw new Error(`the host did not end; it said ${this.#said.slice(-500)}: ${this.#complained}`)
    if (signal !== 'SIGKILL' && code !== 0)
      throw new Error(`the host ended with ${signal ?? code}: ${this.#complained}`)
    return { code, signal }
  }
}

/** Runs a life to its end. */
export async function live(program, options) {
  const life = new Life(program, options)
  const { signal } = await life.end()
  return Object.assign(life, { killed: signal === 'SIGKILL' })
}

/** Runs `work` with a new folder. */
export async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Prints and returns the row of a fault.
 *
 * @param wrong what was wrong; equal texts are counted
 * @param fine the result where nothing was
 */
export function rowOf(fault, rounds, wrong, fine) {
  const counts = new Map()
  for (const what of wrong) counts.set(what, (counts.get(what) ?? 0) + 1)
  const result = wrong.length
    ? Array.from(counts, ([what, count]) => (count > 1 ? `${what} (${count} times)` : what)).join('; ')
    : fine
  console.log(`${wrong.length ? 'FAIL' : 'ok  '}  ${fault}, ${rounds} rounds: ${result}`)
  return { fault, rounds, result, passed: wrong.length === 0 }
}

/**
 * Reads the options of a run: its number of rounds, also as `--rounds <n>`, the `--seed <n>` of what it chooses, and
 * `--database sqlite|postgres`.
 */
export function readArguments(list = process.argv.slice(2)) {
  const { values, positionals } = parseArgs({
    args: list,
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      database: { type: 'string' },
      only: { type: 'string' },
      seed: { type: 'string' },
    },
  })
  const isNumber = (word) => /^\d+$/.test(word)
  const rounds = values.rounds ?? positionals.find(isNumber)
  const files = positionals.filter((word) => !isNumber(word))
  return {
    ...(rounds === undefined ? {} : { rounds: Number(rounds) }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(files.length === 0 ? {} : { files }),
    ...(values.only === undefined ? {} : { only: values.only }),
    ...(values.database === undefined ? {} : { databases: [values.database] }),
  }
}

/** Runs a fault whose file was started by itself. */
export async function runIfMain(url, run) {
  if (url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = (await run(readArguments())).passed ? 0 : 1
}
