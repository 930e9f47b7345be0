// A real host for browser tests: the command line's own process, under its supervisor, in a folder of its own.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@mynah/kernel/testing'
import { consoleRoot } from './site.js'

export { freePort }

const workspace = join(consoleRoot, '..')
const command = join(workspace, 'plugins/mynah/dist/cli/main.js')
/** Another process may take a port between the moment it was free and the host's start. */
const TRIES = 5

export interface RealHost {
  readonly url: string
  readonly folder: string
  /** Makes it read its configuration again, as `mynah reload` does. */
  reload(): Promise<void>
  stop(): Promise<void>
}

export interface HostOptions {
  /** The configuration for a port. */
  readonly config: (port: number) => string
  /** Adds files to the folder first. */
  readonly prepare?: (folder: string) => Promise<void>
  readonly env?: Readonly<Record<string, string>>
}

/** Starts one with the configuration that `lines` gives for a port; `prepare` may add files to the folder first. */
export const startHost = (
  lines: (port: number) => readonly string[],
  prepare?: (folder: string) => Promise<void>,
): Promise<RealHost> => startHostIn({ config: (port) => lines(port).join('\n'), ...(prepare ? { prepare } : {}) })

/** Starts one, and waits until all of its plugins are up. */
export async function startHostIn({ config, prepare, env = {} }: HostOptions): Promise<RealHost> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-host-'))
  try {
    await symlink(join(workspace, 'node_modules'), join(folder, 'node_modules'))
    await prepare?.(folder)
    for (let tried = 1; ; tried++) {
      const port = await freePort()
      await writeFile(join(folder, 'mynah.config.yml'), config(port))
      const started = await run(folder, env)
      if ('stop' in started)
        return {
          url: `http://127.0.0.1:${port}`,
          folder,
          reload: () => reload(folder),
          stop: async () => {
            await started.stop()
            await rm(folder, { recursive: true, force: true })
          },
        }
      if (tried === TRIES || !started.said.includes(`${port} is in use`))
        throw new Error(`The host ended with ${started.code}: ${started.said}`)
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function reload(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [command, 'reload', '-c', join(folder, 'mynah.config.yml')], {
    cwd: folder,
  })
}

type Started = { readonly stop: () => Promise<void> } | { readonly code: number | null; readonly said: string }

function run(folder: string, env: Readonly<Record<string, string>>): Promise<Started> {
  const host = spawn(process.execPath, [command, 'start', '-c', join(folder, 'mynah.config.yml')], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async (): Promise<void> => {
    if (host.exitCode !== null || host.signalCode !== null) return
    const ended = once(host, 'exit')
    host.kill('SIGTERM')
    await ended
  }
  let said = ''
  return new Promise((resolve) => {
    const hear = (data: Buffer): void => {
      said += data.toString()
      // Logged at the end of the start: the host listens earlier, when a store may still be unavailable.
      if (/plugins are up/.test(said)) resolve({ stop })
    }
    host.stdout.on('data', hear)
    host.stderr.on('data', hear)
    host.once('exit', (code) => resolve({ code, said }))
  })
}
