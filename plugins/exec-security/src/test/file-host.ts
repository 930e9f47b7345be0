// A host that runs from a configuration file, which its owner changes.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { Http } from '@mynah/plugin-http-core/api'
import { ExecSecurity } from '../api.js'
import type { Reply } from './host.js'

/** An answer with its data. */
type FileReply<T> = Omit<Reply, 'data'> & { readonly data: T }

const TOKEN = 'full-token-of-the-file-host'
export const VISITOR = 'demo-token-of-the-file-host'

/** A host with `workspace`, which writes the file, unless the plugins are others. */
export class FileHost {
  readonly folder: string
  readonly #loaded: LoadedHost

  private constructor(folder: string, loaded: LoadedHost) {
    this.folder = folder
    this.#loaded = loaded
  }

  /** @param agent the lines of the section `ai.agent` */
  static async start(agent: readonly string[], plugins = 'http-core, console-rpc, events, workspace, exec-security') {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-file-host-'))
    const file = join(folder, 'mynah.config.yml')
    await mkdir(join(folder, 'workspace'))
    const tokens = `tokens: [{ token: ${VISITOR}, scope: demo, name: visitor }]`
    const lines = [`plugins: [${plugins}]`, `http: { port: 0, token: ${TOKEN}, ${tokens} }`, 'ai:', '  agent:']
    await writeFile(file, [...lines, ...agent.map((line) => `    ${line}`), ''].join('\n'))
    const loaded = await loadHost(file, { env: {}, log: () => undefined })
    await loaded.host.start()
    return new FileHost(folder, loaded)
  }

  get exec(): ExecSecurity {
    const exec = this.#loaded.host.get(ExecSecurity)
    if (!exec) throw new Error('exec-security did not start')
    return exec
  }

  readonly text = (): Promise<string> => readFile(join(this.folder, 'mynah.config.yml'), 'utf8')

  readonly rpc = async <T>(
    type: string,
    params: Record<string, unknown> = {},
    token = TOKEN,
  ): Promise<FileReply<T>> => {
    const response = await fetch(`${this.#loaded.host.get(Http)?.origin}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...params, type }),
    })
    return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) } as FileReply<T>
  }

  async stop(): Promise<void> {
    await this.#loaded.host.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}
