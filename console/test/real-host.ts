// A real host for browser tests: the command line's own process, under its supervisor, in a folder of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@mynah/kernel/testing'
import { consoleRoot } from './site.js'

export { freePort }

const workspace = join(consoleRoot, '..')

export interface RealHost { readonly url: string; readonly folder: string; stop(): Promise<void> }

/** Starts one with the configuration that `lines` gives for a port; `prepare` may put files beside it first. */
export async function startHost(lines: (port: number) => readonly string[], prepare: (folder: string) => Promise<void> = async () => undefined): Promise<RealHost> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-host-'))
  const port = await freePort()
  await symlink(join(workspace, 'node_modules'), join(folder, 'node_modules'))
  await prepare(folder)
  await writeFile(join(folder, 'mynah.config.yml'), lines(port).join('\n'))
  const host = spawn(process.execPath, [join(workspace, 'plugins/mynah/dist/cli/main.js'), 'start', '-c', join(folder, 'mynah.config.yml')], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (data: Buffer): void => {
      said += data.toString()
      // Its last word of the start: before that it listens, yet a store may still be away.
      if (/plugins are up/.test(said)) resolve()
    }
    host.stdout?.on('data', hear)
    host.stderr?.on('data', hear)
    host.once('exit', (code) => reject(new Error(`The host ended with ${code}: ${said}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    async stop() {
      if (host.exitCode === null) {
        const ended = once(host, 'exit')
        host.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true })
    },
  }
}
