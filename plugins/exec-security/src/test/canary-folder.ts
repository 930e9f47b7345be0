// A working folder of a host with canaries, in which lines are really run: bare, and as the policy decides.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hostExecPaths } from '../host-paths.js'
import type { ExecLevel } from '../levels/level.js'
import { evaluateCommand, type ExecDecision, type ExecPolicy } from '../policy/index.js'
import { commandEnvironment } from '../run/environment.js'
import { runCommand } from '../run/run-command.js'
import type { TestLevels } from './levels.js'
import { policy } from './policies.js'

/** In the text of a file, the canary of the folder: to see it printed is to have read it. */
export const CANARY = '@canary@'
/** In a line, the port of the host. */
const PORT = /@port@/g
const LIMIT_MS = 10_000

/** The effects of a line. */
export interface Effect {
  /** The canary is in its output. */
  readonly read: boolean
  /** The file `PWNED` exists in the working folder. */
  readonly ran: boolean
  /** The port of the host was reached. */
  readonly reached: boolean
  readonly output: string
}

export class CanaryFolder {
  /** The text that stands for a secret. */
  readonly canary = randomUUID()
  #root = ''
  #server: Server | undefined
  #requests = 0

  /** Makes the folder of a host, with `data/http-token` and a workspace. */
  async build(): Promise<void> {
    this.#root = await realpath(await mkdtemp(join(tmpdir(), 'mynah-canary-')))
    const server = createServer((_request, response) => {
      this.#requests += 1
      response.end()
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  async remove(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
    if (this.#root !== '') await rm(this.#root, { recursive: true, force: true })
  }

  get root(): string {
    return this.#root
  }

  get cwd(): string {
    return join(this.#root, 'workspace')
  }

  /** Replaces the content of the folder. Names are relative to the working folder. */
  async fill(files: Readonly<Record<string, string>> = {}): Promise<void> {
    for (const folder of ['data', 'workspace', 'home']) {
      await rm(join(this.#root, folder), { recursive: true, force: true })
      await mkdir(join(this.#root, folder), { recursive: true })
    }
    for (const [name, text] of Object.entries({ '../data/http-token': `${CANARY}\n`, ...files })) {
      const path = join(this.cwd, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, this.#written(text))
      if (text.startsWith('#!')) await chmod(path, 0o755)
    }
  }

  /** Returns the decision about a line under the policy of a host with this folder. */
  decide(line: string, over: Partial<ExecPolicy>): ExecDecision {
    const { root } = this
    return evaluateCommand(this.#written(line), {
      ...policy({ execApprovalMode: 'ask', ...over }),
      paths: hostExecPaths({ root, data: join(root, 'data') }),
      hostPorts: [this.#port],
    })
  }

  /** Runs a line in bash, without any check. `env` is added to the environment. */
  run(line: string, env: Readonly<Record<string, string>> = {}): Promise<Effect> {
    const before = this.#requests
    return new Promise((resolve, reject) => {
      const child = spawn('bash', ['--noprofile', '--norc', '-c', this.#written(line)], {
        cwd: this.cwd,
        env: { PATH: process.env.PATH, HOME: join(this.#root, 'home'), TERM: 'dumb', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      const end = (): void => {
        try {
          process.kill(-(child.pid ?? 0), 'SIGKILL')
        } catch (error) {
          // The group has ended by itself.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('latin1').on('data', (text: string) => {
          output += text
        })
      const limit = setTimeout(end, LIMIT_MS)
      child.once('error', reject)
      child.once('exit', end)
      child.once('close', () => {
        clearTimeout(limit)
        resolve({ output, ...this.#effects(output, before) })
      })
    })
  }

  /** Runs a line with the environment that the host gives to commands. */
  runAsHost(line: string): Promise<Effect> {
    return this.run(line, commandEnvironment({ PATH: process.env.PATH, HOME: join(this.#root, 'home') }))
  }

  /** Runs a line at a level of this machine. */
  async runAt(levels: TestLevels, level: ExecLevel, line: string, writable: boolean): Promise<Effect> {
    const before = this.#requests
    const paths = { root: this.#root, data: join(this.#root, 'data') }
    const view = await levels.view({ cwd: this.cwd, paths, writable })
    const { output } = await runCommand(this.#written(line), {
      cwd: this.cwd,
      limitMs: LIMIT_MS,
      env: { HOME: join(this.#root, 'home') },
      launcher: levels.launcher(level, view),
    })
    return { output, ...this.#effects(output, before) }
  }

  #effects(output: string, before: number): Omit<Effect, 'output'> {
    return {
      read: output.includes(this.canary),
      ran: existsSync(join(this.cwd, 'PWNED')),
      reached: this.#requests > before,
    }
  }

  get #port(): number {
    return (this.#server?.address() as AddressInfo | null)?.port ?? 0
  }

  #written(text: string): string {
    return text.replaceAll(CANARY, this.canary).replaceAll(PORT, String(this.#port)).replaceAll('@root@', this.#root)
  }
}
