// Projects of `npm create mynah`, made and started with the real command line.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TOKEN = 'a-token-for-a-host-under-test'
/** The program of `npm create mynah`. */
export const CREATE = join(ROOT, 'create-mynah/bin/create-mynah.js')

/** Calls an operation of a host. */
export type Rpc = (type: string, data?: object) => Promise<unknown>

/** Ends everything that a test has started, the last thing first. */
export class Ends {
  readonly #ends: (() => unknown)[] = []

  push(...ends: (() => unknown)[]): void {
    this.#ends.push(...ends)
  }

  async run(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end()
  }
}

/** Ends a process and waits for it. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** A folder of projects, with the packages of this repository. */
export class Projects {
  readonly folder: string
  readonly #ends: Ends

  private constructor(folder: string, ends: Ends) {
    this.folder = folder
    this.#ends = ends
  }

  static async make(ends: Ends): Promise<Projects> {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-template-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    return new Projects(folder, ends)
  }

  /** Returns the path of a project, or of a file in it. */
  at(...path: string[]): string {
    return join(this.folder, ...path)
  }

  async create(...args: string[]): Promise<void> {
    await promisify(execFile)(process.execPath, [CREATE, ...args, '--yes', '--no-install'], { cwd: this.folder })
  }

  /** Changes a file as a person does in an editor. Fails where it does not have the text. */
  async edit(path: string, changes: Readonly<Record<string, string>>): Promise<void> {
    const file = this.at(path)
    let text = await readFile(file, 'utf8')
    for (const [before, after] of Object.entries(changes)) {
      expect(text, path).to.contain(before)
      text = text.replace(before, () => after)
    }
    await writeFile(file, text)
  }

  /** Starts the host of a project, and waits until its plugins are up. */
  async start(project: string, port?: number): Promise<Rpc> {
    port ??= await freePort()
    const child = spawn(process.execPath, [join(ROOT, 'plugins/mynah/bin/mynah.js'), 'start'], {
      cwd: this.at(project),
      env: { ...process.env, PORT: String(port), HTTP_TOKEN: TOKEN },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#ends.push(() => stop(child))
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    await until(
      () => {
        expect(child.exitCode, said).to.equal(null)
        return said.includes('plugins are up')
      },
      () => `the host: ${said}`,
    )
    return async (type, data) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/console/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify({ type, requestId: 1, data }),
      })
      return ((await response.json()) as { data: unknown }).data
    }
  }
}
