// Installs a project's packages, with a sign of life every few seconds.
import { spawn } from 'node:child_process'

const SIGN_OF_LIFE_MS = 5000

/** Whether `npm install` succeeded in `folder`; what it says is shown where it fails. */
export function install(folder: string): Promise<boolean> {
  const began = performance.now()
  const seconds = (): string => `${Math.round((performance.now() - began) / 1000)} s`
  process.stdout.write('installing …\n')
  return new Promise((done) => {
    const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => { said = (said + text).slice(-8000) })
    const timer = setInterval(() => process.stdout.write(`installing … ${seconds()}\n`), SIGN_OF_LIFE_MS)
    const end = (ok: boolean, why: string): void => {
      clearInterval(timer)
      process.stdout.write(ok ? `installed in ${seconds()}\n` : `${why}\n`)
      done(ok)
    }
    child.once('error', (error) => end(false, `npm could not be started: ${error.message}`))
    child.once('close', (code) => end(code === 0, said.trim()))
  })
}

/** Runs `npm start` until it ends; gives its exit code. Ctrl-C reaches both, and is its to understand. */
export function start(folder: string): Promise<number> {
  const child = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
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
