// The host that `npm start` runs in a clone, with its console, in a terminal as a newcomer has it.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@mynah/kernel/testing'
import { LocalRegistry } from './local-registry.js'
import { Terminal } from './terminal.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface StartedClone {
  readonly url: string
  readonly token: string
  readonly folder: string
  /** The origin of the console. */
  readonly console: string
  /** All that the terminal shows, and the link to the console in it. */
  readonly said: string
  readonly link: string
  stop(): Promise<void>
}

/** Starts a copy of the starter, on free ports, as npm does it. */
export async function startClone(): Promise<StartedClone> {
  const registry = await LocalRegistry.start()
  const folder = await mkdtemp(join(tmpdir(), 'mynah-clone-'))
  const starter = join(ROOT, 'examples/starter')
  await cp(starter, folder, { recursive: true, filter: (path) => !/\/(data|node_modules)$/.test(path) })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const [port, consolePort] = [await freePort(), await freePort()]
  const file = join(folder, 'mynah.config.yml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('port: 8086', `port: ${port}`).replaceAll(':5173"', `:${consolePort}"`))
  // The command of tools/start.mjs once everything is built.
  const command = `${process.execPath} ${join(ROOT, 'plugins/mynah/bin/mynah.js')} start --console=${consolePort}`
  const terminal = new Terminal(command, { cwd: folder, env: { ...process.env, ...registry.env } })
  const stop = async (): Promise<void> => {
    await terminal.stop()
    await registry.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const said = await terminal.shows(/Next .*\n/)
    const [link = ''] = /http:\S*#token=\S*/.exec(said) ?? []
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
    return {
      ...{ url: `http://127.0.0.1:${port}`, token, folder, said, link, stop },
      console: `http://127.0.0.1:${consolePort}`,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
