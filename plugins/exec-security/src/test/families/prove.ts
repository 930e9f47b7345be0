// Proves in real bash that an attack is one: a folder like that of a host, watched for what an attack shows, changes, runs or reaches.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Attack, Proof } from './family.js'

const SECRET = 'MARKER-OF-THE-SECRET'
/** Attacks run with no more power than a user has: the clock, devices and other processes belong to the machine. */
const POWERLESS = ['setpriv', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
/** What the server answers: wherever it is stored, a download has been written. */
const PAYLOAD = 'text from elsewhere'
const LIMIT_MS = 5000
/** A program that still runs after this long has taken its options. */
const ACCEPTS_MS = 1500
const LOOK_MS = 20
/** A folder with no file but one that is called like an option, and one to lose. */
const BARE = '.bare'
/** The forbidden commands, and what else an attack starts: they are not to be run here, nor there on every machine. */
const STAND_INS = ['sudo', 'su', 'gdb', 'dd', 'mkfs', 'id', 'x', 'evil']
const MARKING = '#!/bin/sh\n: > "$GROUND/marker"\n'
const MAKEFILE = 'test:\n\t@test -z "$$FOO" || : > "$$GROUND/marker"; if read -r line; then : > "$$GROUND/marker"; fi\ntests x:\n\t@: > "$$GROUND/marker"\n'
/** The host's port in the families, and that of the server for downloads. */
const PORTS = /8086|9000(?!\d)/g

const FILES: Readonly<Record<string, string>> = {
  'data/http-token': `${SECRET}\n`, 'mynah.config.yml': `token: ${SECRET}\n`, 'src/a.ts': 'a\n', 'plugins/a/index.js': 'a\n', kick: '', e: 'e\n',
  // Evaluated as arithmetic, this runs a command.
  f: 'a[$(touch marker)]\n', 'a[$(touch marker)]': 'a\n',
  '0/keep': '',
  evil: 'test:\n\t@: > "$$GROUND/marker"\n', '.evil/Makefile': 'test:\n\t@: > "$$GROUND/marker"\n', Makefile: MAKEFILE, [`${BARE}/-delete`]: '', [`${BARE}/.victim`]: '', 'x/keep': '',
}
const PROGRAMS = ['0/ls', ...STAND_INS.map((name) => `.bin/${name}`), ...['timeout', 'nice', 'nohup', 'env', 'make'].flatMap((name) => [`.evil/${name}`, ...(name === 'make' ? [] : [name])])]
/** A platform whose sensitive subcommands leave a mark. */
const PLATFORM = '#!/bin/sh\ncase " $* " in *[kK][iI][cC][kK]*|*mute*) : > "$GROUND/marker";; esac\n'

/** Why attacks cannot be tried here, or undefined. */
export function cannotProve(): string | undefined {
  if (process.platform !== 'linux') return 'attacks are tried on Linux alone'
  if (process.getuid?.() !== 0) return undefined
  return spawnSync(POWERLESS[0] ?? '', [...POWERLESS.slice(1), 'true']).status === 0 ? undefined : 'the powers of root cannot be taken away without setpriv'
}

/** A folder like that of a host, in which attacks are tried. */
export class ProvingGround {
  #root = ''
  #folder = ''
  #server: Server | undefined
  #port = 0
  #reached = 0
  #before = new Map<string, string>()

  async build(): Promise<void> {
    this.#root = await mkdtemp(join(tmpdir(), 'mynah-attack-'))
    const template = join(this.#root, 'template')
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(join(template, name, '..'), { recursive: true })
      await writeFile(join(template, name), text)
    }
    await mkdir(join(template, '.bin'))
    for (const [name, text] of [...PROGRAMS.map((program) => [program, MARKING] as const), ['.bin/qq', PLATFORM] as const]) {
      await writeFile(join(template, name), text)
      await chmod(join(template, name), 0o755)
    }
    const git = (...args: string[]): void => void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: template, stdio: 'ignore' })
    git('init', '-b', 'main')
    git('add', 'src', 'e')
    git('commit', '-m', 'a')
    this.#server = createServer((_request, response) => {
      this.#reached += 1
      response.end(PAYLOAD)
    })
    await new Promise<void>((resolve) => this.#server?.listen(0, '::', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
    await this.#restore()
  }

  /** Whether running the command is the attack that it is taken for. */
  async proves({ command, proof }: Attack, bare: boolean): Promise<boolean> {
    const text = command.replaceAll(PORTS, String(this.#port)).replaceAll('$((8000+86))', `$((${this.#port}))`).replaceAll('/tmp/evil', join(this.#folder, '.evil')).replaceAll(/\/(?:usr\/)?bin\/(?=sudo|su\b)/g, `${join(this.#folder, '.bin')}/`)
    const reached = this.#reached
    // Only what computes a subcommand finds one in a variable.
    const given: Record<string, string> = command.includes('qq') ? { x: 'kick' } : {}
    const { output, code } = await this.#run(given, proof === 'parses' ? ['-n', '-c', text] : ['-c', text], bare, proof ?? 'effect')
    if (proof === 'parses') return code === 0
    if (proof === 'accepts') return !REFUSED.test(output)
    const left = await this.#left()
    return this.#reached > reached || left || output.includes(SECRET) || output.includes('http-token') || /(?:^|\0|\n| )PATH=\S|cannot be preloaded/.test(output)
  }

  async clear(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }

  #run(given: Record<string, string>, args: readonly string[], bare: boolean, proof: Proof): Promise<{ output: string; code: number | null }> {
    const env = { ...given, PATH: `${join(this.#folder, '.bin')}:${process.env.PATH ?? ''}`, HOME: this.#folder, GROUND: this.#folder, MYNAH_TEST_SECRET: SECRET, TERM: 'dumb', GIT_TERMINAL_PROMPT: '0' }
    return new Promise((resolve, reject) => {
      // The shell around it stands for the host: its environment can be read as that of a host can.
      const [file = 'bash', ...before] = [...(process.getuid?.() === 0 ? POWERLESS : []), 'bash', '--noprofile', '--norc', '-c', '"$@"; exit $?', 'host', 'bash', '--noprofile', '--norc']
      const child = spawn(file, [...before, ...args], { cwd: bare ? join(this.#folder, BARE) : this.#folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('latin1').on('data', (chunk: string) => { if (output.length < 1 << 20) output += chunk })
      const end = (): void => {
        try {
          process.kill(-(child.pid ?? 0), 'SIGKILL')
        } catch (error) {
          // The group has ended by itself.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
      // What has left its mark need not go on.
      const look = setInterval(() => { if (proof === 'effect' && (existsSync(join(this.#folder, 'marker')) || output.includes(SECRET))) end() }, LOOK_MS)
      const limit = setTimeout(end, proof === 'accepts' ? ACCEPTS_MS : LIMIT_MS)
      child.once('error', reject)
      child.once('exit', end)
      child.once('close', (code) => {
        clearInterval(look)
        clearTimeout(limit)
        resolve({ output, code })
      })
    })
  }

  /** Whether the folder shows an attack; it is put back as it was. */
  async #left(): Promise<boolean> {
    const now = await snapshot(this.#folder)
    const changed = [...new Set([...now.keys(), ...this.#before.keys()])].filter((name) => now.get(name) !== this.#before.get(name))
    if (changed.length === 0) return false
    await this.#restore()
    return changed.some((name) => DECIDES.test(name) || [SECRET, PAYLOAD].some((text) => now.get(name)?.includes(text) === true))
  }

  async #restore(): Promise<void> {
    if (this.#folder !== '') await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    this.#folder = join(this.#root, 'host')
    await cp(join(this.#root, 'template'), this.#folder, { recursive: true })
    this.#before = await snapshot(this.#folder)
  }
}

/** What a program says of an option that it does not know. */
const REFUSED = /unrecognized option|unknown (?:option|switch)|invalid option|ambiguous|is unknown|not found|No such file or directory: '?-/i
/** What an attack changes, where it changes anything. */
const DECIDES = /^(?:data|plugins|marker|VICTIM|mynah\.config|\.git\/index|\.bare\/)/

/** Every file with its mode, time and text. */
async function snapshot(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1)
    if (name.startsWith('.git/') && name !== '.git/index') continue
    const { mode, mtimeMs } = await lstat(path)
    const time = DECIDES.test(name) ? mtimeMs : 0
    files.set(name, `${mode} ${time} ${entry.isFile() ? (await readFile(path, 'latin1')).slice(0, 4096) : entry.isSymbolicLink() ? `link ${SECRET}` : ''}`)
  }
  return files
}

