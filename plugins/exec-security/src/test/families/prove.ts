// Proves in real bash that an attack is one: a folder with a secret, a file whose text is a command, and names that are code.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SECRET = 'MARKER-OF-THE-SECRET'
const LIMIT_MS = 5000
/** A folder with no file but one that is called like an option, and one to lose. */
const BARE = '.bare'

/** A folder like that of a host, in which attacks are tried. */
export class ProvingGround {
  #folder = ''

  async build(): Promise<void> {
    await this.clear()
    this.#folder = await mkdtemp(join(tmpdir(), 'mynah-attack-'))
    // Beside other names, bash would put this one where find takes it for no action.
    await mkdir(join(this.#folder, BARE))
    for (const name of ['-delete', '.victim']) await writeFile(join(this.#folder, BARE, name), '')
    for (const folder of ['data', 'src', 'x']) await mkdir(join(this.#folder, folder))
    const files = {
      'data/http-token': `${SECRET}\n`, 'mynah.config.yml': `token: ${SECRET}\n`, 'src/a.ts': 'a\n',
      // Evaluated as arithmetic, this runs a command.
      f: 'a[$(touch marker)]\n', 'a[$(touch marker)]': 'a\n',
      e: 'e\n',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(this.#folder, name), text)
  }

  /** Whether running the command shows the secret, runs the marker, shows the environment of the host, or deletes. */
  async proves(command: string, bare: boolean): Promise<boolean> {
    await rm(join(this.#folder, 'marker'), { force: true })
    const output = await new Promise<string>((resolve) => {
      const env = { PATH: process.env.PATH, HOME: this.#folder, MYNAH_TEST_SECRET: SECRET }
      const child = execFile('bash', ['-c', command], { cwd: bare ? join(this.#folder, BARE) : this.#folder, env, timeout: LIMIT_MS, killSignal: 'SIGKILL', encoding: 'latin1', maxBuffer: 1 << 24 }, (_error, stdout, stderr) => resolve(stdout + stderr))
      child.stdin?.end()
    })
    const deleted = ['-delete', '.victim'].some((name) => !existsSync(join(this.#folder, BARE, name)))
    const proven = deleted || output.includes(SECRET) || existsSync(join(this.#folder, 'marker')) || /(?:^|\0|\n)PATH=\S/.test(output)
    if (deleted) await this.build()
    return proven
  }

  async clear(): Promise<void> {
    if (this.#folder !== '') await rm(this.#folder, { recursive: true, force: true })
    this.#folder = ''
  }
}
