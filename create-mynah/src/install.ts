import { spawn } from 'node:child_process'
import { statfs } from 'node:fs/promises'

const PROGRESS_MS = 5000
/** Bytes that an installation needs at least. */
const MIN_DISK_SPACE = 100 * 1024 * 1024
/** Reports an unreachable registry within half a minute. By default npm tries for several minutes. */
const RETRY_FLAGS = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=3000']
const UNREACHABLE =
  /\b(?:E(?:CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND|NOTCACHED)|ERR_SOCKET_TIMEOUT)\b/

/** How an installation ended; `stopped` after Ctrl-C. */
export type Installed = 'installed' | 'failed' | 'stopped'

/** Removes the stack and the fields of errors from the output of npm. */
const withoutStack = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !/^npm error(?: {2,}(?:at |\w+: )| \}$)/.test(line))
    .map((line) => line.replace(/ \{$/, ''))
    .join('\n')

/** Explains a failure of npm, if its cause is known. */
async function explainFailure(output: string, folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < MIN_DISK_SPACE) {
    const left = Math.floor((bavail * bsize) / 1024 / 1024)
    return `\nThere are ${left} MB left on this disk: make room, and install again.\n`
  }
  if (!UNREACHABLE.test(output)) return ''
  const settings = '"npm config get registry" and "proxy"'
  return `\nThe registry of npm was not reached: look at the network and at ${settings}, and install again.\n`
}

/**
 * Runs `npm install` in a folder, and prints its output when it fails. After Ctrl-C, which npm receives too, waits for
 * npm.
 */
export function install(folder: string, isStopped: () => boolean): Promise<Installed> {
  const began = performance.now()
  const seconds = (): string => `${Math.round((performance.now() - began) / 1000)} s`
  process.stdout.write('installing …\n')
  return new Promise((done) => {
    const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...RETRY_FLAGS], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-8000)
      })
    const timer = setInterval(() => process.stdout.write(`installing … ${seconds()}\n`), PROGRESS_MS)
    const end = (result: Installed, text: string): void => {
      clearInterval(timer)
      process.stdout.write(`${text}\n`)
      done(result)
    }
    child.once('error', (error) => end('failed', `npm could not be started: ${error.message}`))
    child.once('close', (code) => {
      if (code === 0) return end('installed', `installed in ${seconds()}`)
      if (isStopped()) return end('stopped', '')
      const shown = withoutStack(output).trim()
      void explainFailure(output, folder).then(
        (why) => end('failed', shown + why),
        (error: Error) => end('failed', `${shown}\n${error.message}`),
      )
    })
  })
}

/** Runs `npm start` until it ends. Resolves to its exit code. Ctrl-C is handled by the started process. */
export function start(folder: string): Promise<number> {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  return new Promise((done) => {
    child.once('error', (error) => {
      process.stderr.write(`npm could not be started: ${error.message}\n`)
      done(1)
    })
    child.once('close', (code) => {
      process.off('SIGINT', ignore)
      done(code ?? 1)
    })
  })
}
