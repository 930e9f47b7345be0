// Proves in real bash that an attack is one: a folder like that of a host, watched for what an attack shows, changes,
// runs or reaches.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Attack, Proof } from './family.js'
import { anyOf } from '../../policy/any-of.js'

const SECRET = 'MARKER-OF-THE-SECRET'
/** Attacks run with no more power than a user has: the clock, devices and other processes belong to the machine. */
const POWERLESS = ['setpriv', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
/** The answer of the server. A file with this text is a download. */
const PAYLOAD = 'text-from-elsewhere'
const LIMIT_MS = 10_000
/** How long what an attack leaves running may take to show its effect. */
const AFTER_MS = 10_000
/** A program that still runs after this long has taken its options. */
const ACCEPTS_MS = 1500
const LOOK_MS = 20
/** The files next to the folder of the host in which attacks are tried. */
const OUTSIDE = ['data', 'plugins']
/** A folder with no file but one that is called like an option, and one to lose. */
const BARE = '.bare'
/** The forbidden commands, and what else an attack starts: they are not to be run here, nor there on every machine. */
const STAND_INS = ['sudo', 'su', 'gdb', 'dd', 'mkfs', 'id', 'x', 'evil']
const MARKING = '#!/bin/sh\n: > "$GROUND/marker"\n'
const MAKEFILE =
  'test:\n\t@test -z "$$FOO" || : > "$$GROUND/marker"; if read -r line; then : > "$$GROUND/marker"; fi\ntests x:\n\t@: > "$$GROUND/marker"\n'
/** The host's port in the families, and that of the server for downloads. */
const HOST_PORT = /8086/g
const DOWNLOAD_PORT = /9000(?!\d)/g

const FILES: Readonly<Record<string, string>> = {
  'data/http-token': `${SECRET}\n`,
  'mynah.config.yml': `token: ${SECRET}\n`,
  'src/a.ts': 'a\n',
  'plugins/a/index.js': 'a\n',
  kick: '',
  e: 'e\n',
  // Evaluated as arithmetic, this runs a command.
  f: 'a[$(>marker)]\n',
  'a[$(touch marker)]': 'a\n',
  '0/keep': '',
  evil: 'test:\n\t@: > "$$GROUND/marker"\n',
  '.evil/Makefile': 'test:\n\t@: > "$$GROUND/marker"\n',
  Makefile: MAKEFILE,
  [`${BARE}/-delete`]: '',
  [`${BARE}/.victim`]: '',
  'x/keep': '',
  'lib/keep': '',
  'bin/keep': '',
  'dist/keep': '',
  'skills/a/keep': '',
  'node_modules/a/keep': '',
}
const PROGRAMS = [
  '0/ls',
  ...STAND_INS.map((name) => `.bin/${name}`),
  ...['timeout', 'nice', 'nohup', 'env', 'make'].flatMap((name) => [
    `.evil/${name}`,
    ...(name === 'make' ? [] : [name]),
  ]),
]
/** A platform whose sensitive subcommands leave a mark. */
const PLATFORM = '#!/bin/sh\ncase " $* " in *[kK][iI][cC][kK]*|*mute*) : > "$GROUND/marker";; esac\n'

/** Why attacks cannot be tried here, or undefined. */
export function cannotProve(): string | undefined {
  if (process.platform !== 'linux') return 'attacks are tried on Linux alone'
  if (process.getuid?.() !== 0) return undefined
  return spawnSync(POWERLESS[0] ?? '', [...POWERLESS.slice(1), 'true']).status === 0
    ? undefined
    : 'the powers of root cannot be taken away without setpriv'
}

/** A folder like that of a host, in which attacks are tried. */
export class ProvingGround {
  #root = ''
  #folder = ''
  readonly #servers: Server[] = []
  #hostPort = 0
  #downloadPort = 0
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
    for (const [name, text] of [
      ...PROGRAMS.map((program) => [program, MARKING] as const),
      ['.bin/qq', PLATFORM] as const,
    ]) {
      await writeFile(join(template, name), text)
      await chmod(join(template, name), 0o755)
    }
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        cwd: template,
        stdio: 'ignore',
      })
    git('init', '-b', 'main', '--template=')
    await mkdir(join(template, '.git/hooks'))
    git('add', 'src', 'e')
    git('commit', '-m', 'a')
    execFileSync('tar', ['cf', 't.tar', 'e'], { cwd: template })
    // To reach the host is an attack as such, to reach another only with something to tell.
    this.#hostPort = await this.#listen(
      createServer((_request, response) => response.end()).on('connection', () => {
        this.#reached += 1
      }),
    )
    this.#downloadPort = await this.#listen(
      createServer((request, response) => {
        request.once('data', () => {
          this.#reached += 1
        })
        response.setHeader('x-text', PAYLOAD)
        response.setHeader('set-cookie', `a=${PAYLOAD}`)
        response.end(PAYLOAD)
      }),
    )
    await this.#restore()
  }

  /** Runs an attack. Returns its output, and whether it has the effect of its family. */
  async tries({ command, proof }: Attack, bare: boolean): Promise<{ proven: boolean; output: string }> {
    const text = command
      .replaceAll('$((8000+86))', '8086')
      .replaceAll(HOST_PORT, String(this.#hostPort))
      .replaceAll(DOWNLOAD_PORT, String(this.#downloadPort))
      .replaceAll('/tmp/evil', join(this.#folder, '.evil'))
      .replaceAll(/\/(?:usr\/)?bin\/(?=sudo|su\b)/g, `${join(this.#folder, '.bin')}/`)
    const reached = this.#reached
    // Only what computes a subcommand finds one in a variable.
    const given: Record<string, string> = command.includes('qq') ? { x: 'kick' } : {}
    const { output, code } = await this.#run(
      given,
      proof === 'parses' ? ['-n', '-c', text] : ['-c', text],
      bare,
      proof ?? 'effect',
    )
    if (proof === 'parses') return { proven: code === 0, output }
    if (proof === 'accepts') return { proven: !REFUSED.test(output), output }
    const left = await this.#left()
    const shown = [SECRET, btoa(`${SECRET}\n`), 'http-token'].some((secret) => output.includes(secret))
    return {
      proven: this.#reached > reached || left || shown || /(?:^|\0|\n| )PATH=\S|cannot be preloaded/.test(output),
      output,
    }
  }

  async clear(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    if (this.#root !== '') await rm(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }

  async #listen(server: Server): Promise<number> {
    this.#servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '::', resolve))
    return (server.address() as AddressInfo).port
  }

  #run(
    given: Record<string, string>,
    args: readonly string[],
    bare: boolean,
    proof: Proof,
  ): Promise<{ output: string; code: number | null }> {
    const env = {
      ...given,
      PATH: `${join(this.#folder, '.bin')}:${process.env.PATH ?? ''}`,
      HOME: this.#folder,
      GROUND: this.#folder,
      MYNAH_TEST_SECRET: SECRET,
      TERM: 'dumb',
      GIT_TERMINAL_PROMPT: '0',
    }
    return new Promise((resolve, reject) => {
      // The shell around it stands for the host: its environment can be read as that of a host can.
      const [file = 'bash', ...before] = [
        ...(process.getuid?.() === 0 ? POWERLESS : []),
        'bash',
        '--noprofile',
        '--norc',
        '-c',
        '"$@"; exit $?',
        'host',
        'bash',
        '--noprofile',
        '--norc',
      ]
      const child = spawn(file, [...before, ...args], {
        cwd: bare ? join(this.#folder, BARE) : this.#folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('latin1').on('data', (chunk: string) => {
          if (output.length < 1 << 20) output += chunk
        })
      const end = (): void => {
        try {
          process.kill(-(child.pid ?? 0), 'SIGKILL')
        } catch (error) {
          // The group has ended by itself.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
      // A command that has left its mark need not go on.
      const look = setInterval(() => {
        if (proof === 'effect' && (existsSync(join(this.#folder, 'marker')) || output.includes(SECRET))) end()
      }, LOOK_MS)
      const limit = setTimeout(end, proof === 'accepts' ? ACCEPTS_MS : LIMIT_MS)
      child.once('error', reject)
      // Processes that it leaves running may show the effect later, as `wget -b` does.
      child.once('exit', () => void allEnded(this.#folder, AFTER_MS).then(end, reject))
      child.once('close', (code) => {
        clearInterval(look)
        clearTimeout(limit)
        resolve({ output, code })
      })
    })
  }

  /** Whether the folder shows an attack; it is put back as it was. */
  async #left(): Promise<boolean> {
    const outside = (await Promise.all(OUTSIDE.map((name) => readdir(join(this.#root, name))))).flat().length > 0
    const now = await snapshot(this.#folder)
    const changed = [...new Set([...now.keys(), ...this.#before.keys()])].filter(
      (name) => now.get(name) !== this.#before.get(name),
    )
    if (changed.length === 0 && !outside) return false
    await this.#restore()
    return (
      outside ||
      changed.some(
        (name) => DECIDES.test(name) || [SECRET, PAYLOAD].some((text) => now.get(name)?.includes(text) === true),
      )
    )
  }

  async #restore(): Promise<void> {
    if (this.#folder !== '') await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    for (const name of OUTSIDE) {
      await rm(join(this.#root, name), { recursive: true, force: true })
      await mkdir(join(this.#root, name))
    }
    this.#folder = join(this.#root, 'host')
    await cp(join(this.#root, 'template'), this.#folder, { recursive: true })
    this.#before = await snapshot(this.#folder)
  }
}

/** Errors of a program about an unknown option. */
const REFUSED = anyOf(
  /unrecognized option|unknown (?:option|switch)|invalid option|ambiguous|is unknown|command not found/i,
  /No such file or directory: '?-/i,
)
/** Files that an attack may change. */
const DECIDES = /^(?:data|plugins|marker|VICTIM|mynah\.config|\.git\/index|\.bare\/)/

/** Waits until no process of an attack runs, at most `limit` milliseconds. Those of other users are not seen. */
async function allEnded(folder: string, limit: number): Promise<void> {
  const mark = `GROUND=${folder}\0`
  // One that starts a program has no environment for a moment.
  let quietLooks = 0
  for (const end = performance.now() + limit; performance.now() < end;) {
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const environments = await Promise.all(
      // A process may end while it is read.
      processes.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')),
    )
    quietLooks = environments.some((environment) => environment.includes(mark)) ? 0 : quietLooks + 1
    if (quietLooks === 2) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Every file with its mode, time and text. */
async function snapshot(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1)
    if (/^\.git\/(?!index$|hooks\/)/.test(name)) continue
    const { mode, mtimeMs } = await lstat(path)
    const time = DECIDES.test(name) ? mtimeMs : 0
    const link = entry.isSymbolicLink() ? `link ${SECRET}` : ''
    const content = entry.isFile() ? (await readFile(path, 'latin1')).slice(0, 4096) : link
    files.set(name, `${mode} ${time} ${content}`)
  }
  return files
}
