import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { MAX_GROWTH, MAX_HEAP } from './limits.js'

const MB = 1024 * 1024
const KB = 1024
/** The name of Node's switch before it was stable. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'
const RESERVED = new URL('reserved.js', import.meta.url)

/**
 * Returns a script that limits the private memory of the process, in the kernel, then leaves the network where the
 * kernel lets everybody do so. Limits that are not there are left out: the process has others as well.
 */
const scriptFor = (maxData: number | undefined): string =>
  [
    'PATH=/usr/bin:/bin',
    'ulimit -c 0 2>/dev/null',
    ...(maxData === undefined ? [] : [`ulimit -d ${Math.round(maxData / KB)} 2>/dev/null`]),
    'unshare -rn true 2>/dev/null && exec unshare -rn "$@"',
    'exec "$@"',
  ].join('\n')

/** The descriptor to which the process writes its results. Libraries print to the others, which are not read. */
export const RESULTS = 3

export interface ConfinedProcess {
  readonly input: Writable
  /** The bytes that it writes to {@link RESULTS}. */
  readonly results: Readable
  /** Resolves when it has ended: to the signal or the exit code, or to the reason why it did not start. */
  readonly ended: Promise<NodeJS.Signals | number | Error>
  kill(): void
}

/**
 * Runs modules in processes with little memory and without an environment, a network, writable files or processes of
 * their own. They end with this process.
 */
export class Confinement {
  #reserved?: Promise<number | undefined>

  async start(module: URL): Promise<ConfinedProcess> {
    this.#reserved ??= reservedMemory()
    const reserved = await this.#reserved
    return startConfined(module, reserved === undefined ? undefined : reserved + MAX_GROWTH)
  }
}

/**
 * Returns the private memory that such a process has before it reads, in bytes: from 60 MB to 1.1 GB, by the version of
 * Node. `undefined` where the kernel does not say so, and does not limit it either.
 */
async function reservedMemory(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const { input, results, ended } = startConfined(RESERVED, undefined)
  input.end()
  const kilobytes = Number(await text(results))
  await ended
  return kilobytes > 0 ? kilobytes * KB : undefined
}

function startConfined(module: URL, maxData: number | undefined): ConfinedProcess {
  const command = [
    process.execPath,
    `--max-old-space-size=${MAX_HEAP / MB}`,
    PERMISSION,
    '--allow-fs-read=*',
    '--allow-worker',
    '--import',
    new URL('confine.js', import.meta.url).href,
    fileURLToPath(module),
    String(process.pid),
  ]
  const [file = '', ...args] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', scriptFor(maxData), 'sh', ...command]
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'ignore', 'ignore', 'pipe'], windowsHide: true })
  const ended = new Promise<NodeJS.Signals | number | Error>((resolve) => {
    child.on('error', resolve)
    child.on('close', (code, signal) => resolve(signal ?? code ?? 0))
  })
  const [input, , , results] = child.stdio as unknown as [Writable, null, null, Readable]
  // A process that has ended takes nothing more.
  input.on('error', () => {})
  return { input, results, ended, kill: () => void child.kill('SIGKILL') }
}
