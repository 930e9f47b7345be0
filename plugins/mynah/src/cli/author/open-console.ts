import { spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ConsoleEntry } from '@mynah/contract'
import type { Logger } from '../supervisor-log.js'

/** Where a host and its console are. */
export interface ConsoleAddresses {
  /** Origin of the console. */
  readonly console: string
  /** Origin of the host. */
  readonly host: string
  /** The token, where the console takes it from a link. */
  readonly token?: string | undefined
}

/** Returns the path of the first page of one of these plugins, or else that of the first plugin itself. */
export async function pageOf(host: string, plugins: readonly string[]): Promise<string> {
  const [first] = plugins
  if (first === undefined) return '/'
  const response = await fetch(`${host}/entries`).catch(() => undefined)
  const { entries = [] } = response?.ok ? ((await response.json()) as { readonly entries?: ConsoleEntry[] }) : {}
  for (const plugin of plugins) {
    const routes = entries.find(({ meta }) => meta.plugin === plugin)?.meta.manifest?.routes
    if (routes?.[0]) return routes[0].path
  }
  return `/plugins/${encodeURIComponent(first)}`
}

/** Opens addresses in the browser of the system, or the one of BROWSER. */
export class BrowserOpener {
  readonly #file: string
  readonly #log: Logger

  /** @param data data directory of the host */
  constructor(data: string, log: Logger) {
    this.#file = join(data, 'open-console.html')
    this.#log = log
  }

  /** Opens the console at a path. Where that fails, the log has the address. */
  async open({ console, host, token }: ConsoleAddresses, path: string): Promise<void> {
    const url = `${console}${path}?apiBaseUrl=${encodeURIComponent(host)}`
    try {
      // Other users of the machine see the arguments of processes, so a token is in a file that they cannot read.
      const target = token === undefined ? url : await this.#pageTo(`${url}#token=${encodeURIComponent(token)}`)
      await launch(target)
      this.#log.info(`opened ${url}`)
    } catch (error) {
      this.#log.warn(`cannot open a browser (${(error as Error).message}); open ${url}`)
    }
  }

  /** Removes the file with the token. */
  async close(): Promise<void> {
    await rm(this.#file, { force: true })
  }

  async #pageTo(url: string): Promise<string> {
    const quoted = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${quoted}">\n`
    await mkdir(join(this.#file, '..'), { recursive: true })
    await rm(this.#file, { force: true })
    await writeFile(this.#file, page, { mode: 0o600, flag: 'wx' })
    return pathToFileURL(this.#file).href
  }
}

function launch(target: string): Promise<void> {
  const [command, ...args] = commandFor(process.platform, process.env['BROWSER'])
  return new Promise((done, fail) => {
    const child = spawn(command as string, [...args, target], { stdio: 'ignore', detached: true })
    child.once('error', fail)
    child.once('spawn', () => {
      child.unref()
      done()
    })
  })
}

function commandFor(platform: NodeJS.Platform, browser: string | undefined): readonly string[] {
  if (browser) return [browser]
  if (platform === 'darwin') return ['open']
  return platform === 'win32' ? ['explorer.exe'] : ['xdg-open']
}
