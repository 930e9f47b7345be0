import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { MAX_DATA, MAX_HEAP } from './limits.js'

const MB = 1024 * 1024
const KB = 1024
/** The name of Node's switch before it was stable. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'
/**
 * Limits the private memory of the process, in the kernel, then leaves the network where the kernel lets everybody do
 * so. What is not there is left out: the process has other limits as well.
 */
const SCRIPT = [
  'PATH=/usr/bin:/bin',
  'ulimit -c 0 2>/dev/null',
  `ulimit -d ${MAX_DATA / KB} 2>/dev/null`,
  'unshare -rn true 2>/dev/null && exec unshare -rn "$@"',
  'exec "$@"',
].join('\n')

/** The descriptor to which the process writes its results. Libraries print to the others, which nobody reads. */
export const RESULTS = 3

export interface ConfinedProcess {
  readonly input: Writable
  /** What it writes to {@link RESULTS}. */
  readonly results: Readable
  /** Resolves when it has ended: to the signal or the exit code, or to the reason why it did not start. */
  readonly ended: Promise<NodeJS.Signals | number | Error>
  kill(): void
}

/**
 * Starts a module in a process with little memory and without an environment, a network, writable files or processes of
 * its own. It ends with this process.
 */
export function startConfined(module: URL): ConfinedProcess {
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
  const [file = '', ...args] = process.platform === 'win32' ? command : ['/bin/sh', '-c', SCRIPT, 'sh', ...command]
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
