// Runs the npm of the user as a child process, with an array of arguments and never through a shell.
import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isRecord, WireError } from '@mynah/contract'
import { npmFailure } from './npm-failure.js'
import { npmRedactor } from './redact-npm.js'

const MAX_OUTPUT = 32 * 1024 * 1024
const MAX_ERRORS = 16_384
/** Of a comparison, which has the text of others. */
const MAX_DIFF = 262_144
/** In megabytes. A file that needs more is not compared. */
const MAX_DIFF_HEAP = 256
/** A registry that does not answer is reported within half a minute. */
const PATIENCE = [
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=1000',
  '--fetch-timeout=12000',
]
/** npm installs nothing but files: no scripts, no messages of others, exact versions. */
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error', '--json']

interface Limits {
  readonly env?: NodeJS.ProcessEnv
  readonly maxOutput?: number
}

/** Runs npm for one project. */
export class Npm {
  readonly #packages: string
  readonly #env: NodeJS.ProcessEnv
  readonly redact: (text: string) => string

  /** @param packages folder where a cache is kept if the usual one cannot be written */
  constructor(root: string, packages: string, env: NodeJS.ProcessEnv = process.env) {
    this.#packages = packages
    this.#env = env
    this.redact = npmRedactor(root, env)
  }

  /** Resolves what `package.json` asks for. Writes `package-lock.json` alone. */
  async lock(cwd: string, args: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#run(cwd, [...args.slice(0, 1), '--package-lock-only', ...QUIET, ...args.slice(1)], signal)
  }

  /** Makes `node_modules` what `package-lock.json` says. */
  async install(cwd: string, signal: AbortSignal): Promise<void> {
    await this.#run(cwd, ['install', ...QUIET], signal)
  }

  /** Runs the install scripts of packages. */
  async rebuild(cwd: string, names: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#run(cwd, ['rebuild', '--ignore-scripts=false', '--loglevel=error', '--json', '--', ...names], signal)
  }

  /** Returns what the registry says of a version. */
  async view(cwd: string, spec: string, fields: readonly string[], signal: AbortSignal): Promise<unknown> {
    const text = await this.#run(cwd, ['view', '--json', '--loglevel=error', '--', spec, ...fields], signal)
    return text.trim() === '' ? undefined : (JSON.parse(text) as unknown)
  }

  /** Compares files of two versions of a package. */
  async diff(
    cwd: string,
    [before, after]: readonly [string, string],
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<string> {
    const compared = [`--diff=${before}`, `--diff=${after}`, '--diff-unified=0', '--no-color']
    return this.#run(cwd, ['diff', ...compared, '--ignore-scripts', '--loglevel=error', '--', ...files], signal, {
      env: { NODE_OPTIONS: `--max-old-space-size=${MAX_DIFF_HEAP}` },
      maxOutput: MAX_DIFF,
    })
  }

  #run(cwd: string, args: readonly string[], signal: AbortSignal, limits: Limits = {}): Promise<string> {
    signal.throwIfAborted()
    const { NODE_OPTIONS: _, ...inherited } = this.#env
    const [program, ...before] = npmProgram()
    const child = spawn(program, [...before, ...args.slice(0, 1), ...PATIENCE, ...this.#cache(), ...args.slice(1)], {
      cwd,
      env: { ...inherited, ...limits.env, npm_config_yes: 'true', npm_config_update_notifier: 'false', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a group of its own, so that its scripts end with it.
      detached: process.platform !== 'win32',
    })
    return this.#outputOf(child, signal, limits.maxOutput)
  }

  async #outputOf(child: ChildProcess, signal: AbortSignal, maxOutput = MAX_OUTPUT): Promise<string> {
    const stop = (): void => endGroup(child)
    signal.addEventListener('abort', stop, { once: true })
    let out = ''
    let errors = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (out.length > maxOutput) stop()
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-MAX_ERRORS)))
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once('error', reject).once('close', resolve)
      })
      signal.throwIfAborted()
      if (code === 0) return out
      throw npmFailure(reportOf(out), errors, code, this.redact)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw new WireError('unsupported', 'npm is not installed on this machine', { cause: error })
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Returns the option for a cache of our own where the usual one cannot be written. */
  #cache(): string[] {
    const usual = this.#env['npm_config_cache'] ?? join(homedir(), '.npm')
    return isWritable(usual) ? [] : ['--cache', join(this.#packages, 'cache')]
  }
}

/** Returns the program and its first arguments. On Windows `npm` is a script, which only a shell could start. */
export function npmProgram(): [string, ...string[]] {
  if (process.platform !== 'win32') return ['npm']
  const script = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
  return existsSync(script) ? [process.execPath, script] : ['npm.cmd']
}

/** Returns whether a folder can be written, or made. */
export function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns the error that npm reports as JSON. */
function reportOf(out: string): Readonly<Record<string, unknown>> {
  try {
    const { error } = JSON.parse(out) as { readonly error?: unknown }
    return isRecord(error) ? error : {}
  } catch {
    // It failed before it wrote one.
    return {}
  }
}
