// Installs a project's packages, with a sign of life every few seconds.
import { spawn } from 'node:child_process'
import { statfs } from 'node:fs/promises'

const SIGN_OF_LIFE_MS = 5000
/** What an installation takes at least, bytes. */
const ROOM = 100 * 1024 * 1024
/** A registry that cannot be reached is told within half a minute; by itself npm would try for several. */
const PATIENCE = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=3000']
const UNREACHED =
  /\b(?:E(?:CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND|NOTCACHED)|ERR_SOCKET_TIMEOUT)\b/

/** How an installation ended; `stopped` where somebody pressed Ctrl-C. */
export type Installed = 'installed' | 'failed' | 'stopped'

/** What npm says, without the stack and the fields of its errors. */
const withoutStack = (said: string): string =>
  said
    .split('\n')
    .filter((line) => !/^npm error(?: {2,}(?:at |\w+: )| \}$)/.test(line))
    .map((line) => line.replace(/ \{$/, ''))
    .join('\n')

/** What is behind a failure that npm tells in its own words, where that can be known. */
async function behind(said: string, folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < ROOM)
    return `\nThere are ${Math.floor((bavail * bsize) / 1024 / 1024)} MB left on this disk: make room, and install again.\n`
  return UNREACHED.test(said)
    ? '\nThe registry of npm was not reached: look at the network and at "npm config get registry" and "proxy", and install again.\n'
    : ''
}

/** Runs `npm install` in `folder`; what it says is shown where it fails. On Ctrl-C, which reaches npm too, it waits for npm to end. */
export function install(folder: string, isStopped: () => boolean): Promise<Installed> {
  const began = performance.now()
  const seconds = (): string => `${Math.round((performance.now() - began) / 1000)} s`
  process.stdout.write('installing …\n')
  return new Promise((done) => {
    const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...PATIENCE], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-8000)
      })
    const timer = setInterval(() => process.stdout.write(`installing … ${seconds()}\n`), SIGN_OF_LIFE_MS)
    const end = (result: Installed, text: string): void => {
      clearInterval(timer)
      process.stdout.write(`${text}\n`)
      done(result)
    }
    child.once('error', (error) => end('failed', `npm could not be started: ${error.message}`))
    child.once('close', (code) => {
      if (code === 0) return end('installed', `installed in ${seconds()}`)
      if (isStopped()) return end('stopped', '')
      const shown = withoutStack(said).trim()
      void behind(said, folder).then(
        (why) => end('failed', shown + why),
        (error: Error) => end('failed', `${shown}\n${error.message}`),
      )
    })
  })
}

/** Runs `npm start` until it ends; gives its exit code. Ctrl-C reaches both, and is its to understand. */
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
