// The real command line as a child process, in a folder of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@mynah/kernel/testing'

export { freePort }

const MAIN = fileURLToPath(new URL('../cli/main.js', import.meta.url))

/** A folder with a host. */
export class Bench {
  readonly folder: string
  readonly #running = new Set<Running>()

  private constructor(folder: string) {
    this.folder = folder
  }

  static async of(files: Readonly<Record<string, string>>): Promise<Bench> {
    const bench = new Bench(await mkdtemp(join(tmpdir(), 'mynah-cli-')))
    await bench.write(files)
    return bench
  }

  /** Uses an existing folder. */
  static at(folder: string): Bench {
    return new Bench(folder)
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true })
      await writeFile(join(this.folder, name), content)
    }
  }

  /** Starts the command line. */
  start(args: string, env: Readonly<Record<string, string>> = {}): Running {
    const { HTTP_TOKEN: _, ...inherited } = process.env
    const child = spawn(process.execPath, [MAIN, ...args.split(' ').filter(Boolean)], {
      cwd: this.folder,
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const running = new Running(child)
    this.#running.add(running)
    return running
  }

  /** Runs it to its end. */
  async run(
    args: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<{ code: number | null; out: string; err: string }> {
    const running = this.start(args, env)
    return { code: await running.ended, out: running.out, err: running.err }
  }

  async remove(): Promise<void> {
    for (const running of this.#running) {
      running.sayMissing()
      await running.end()
    }
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** A command line that runs. */
export class Running {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  out = ''
  err = ''
  readonly #watchers = new Set<() => void>()
  /** The pattern that a test waits for. */
  #wanted: RegExp | undefined
  #done = false

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#add(text, ''))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#add('', text))
    this.ended = once(child, 'close').then(([code]) => {
      this.#done = true
      this.#add('', '')
      return code as number | null
    })
  }

  #add(out: string, err: string): void {
    this.out += out
    this.err += err
    for (const watcher of this.#watchers) watcher()
  }

  /** Resolves with the match once the output, either kind, holds it `times` times. */
  async shows(pattern: RegExp, times = 1): Promise<RegExpMatchArray> {
    const found = (): RegExpMatchArray | undefined => {
      const matches = Array.from(`${this.out}\n${this.err}`.matchAll(new RegExp(pattern.source, 'g')))
      return matches.length >= times ? matches[times - 1] : undefined
    }
    for (;;) {
      const match = found()
      this.#wanted = match ? undefined : pattern
      if (match) return match
      if (this.#done)
        throw new Error(`ended without showing ${String(pattern)} ${times} times:\n${this.out}\n${this.err}`)
      await new Promise<void>((resolve) => {
        const watcher = (): void => {
          this.#watchers.delete(watcher)
          resolve()
        }
        this.#watchers.add(watcher)
      })
    }
  }

  /** Says for a test that timed out what was shown instead. */
  sayMissing(): void {
    if (this.#wanted && !this.#done)
      process.stderr.write(`did not show ${String(this.#wanted)}:\n${this.out}\n${this.err}\n`)
  }

  /** Sends a signal and waits for the end. */
  async signal(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal)
    return this.ended
  }

  async end(): Promise<void> {
    if (this.#done) return
    this.child.kill('SIGTERM')
    this.child.kill('SIGTERM')
    await this.ended
  }
}

/** The source of a plugin whose `setup` has this body. */
export const plugin = (name: string, body: string, more = ''): string =>
  `export default { name: '${name}', ${more} setup(ctx) { ${body} } }\n`
