// A host of examples/ as people run it: the command line's own process, in a copy, for a console on another origin.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@mynah/kernel/testing'

const workspace = fileURLToPath(new URL('../..', import.meta.url))
const token = 'a-token-for-a-host-under-test'

export interface ExampleHost { readonly url: string; readonly token: string; close(): Promise<void> }

/** Starts the example `name` for a console on `origin`, and waits until every plugin is up. */
export async function startExample(name: string, origin: string): Promise<ExampleHost> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-example-'))
  await cp(join(workspace, 'examples', name), folder, { recursive: true, filter: (path) => !/\/(data|node_modules)$/.test(path) })
  await symlink(join(workspace, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'mynah.config.yml')
  const port = await freePort()
  const config = await readFile(file, 'utf8')
  await writeFile(file, config.replace(/port: \d+/, `port: ${port}`).replace(/corsOrigins: .*/, `corsOrigins: ["${origin}"]`))
  const child = spawn(process.execPath, [join(workspace, 'plugins/mynah/dist/cli/main.js'), 'start', '-c', file], { cwd: folder, env: { ...process.env, HTTP_TOKEN: token }, stdio: ['ignore', 'pipe', 'pipe'] })
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    let said = ''
    await new Promise<void>((resolve, reject) => {
      const hear = (data: Buffer): void => {
        said += data.toString()
        if (/(\d+) of \1 plugins are up/.test(said)) resolve()
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('exit', (code) => reject(new Error(`The host ended with ${code}: ${said}`)))
    })
  } catch (error) {
    await close()
    throw error
  }
  return { url: `http://127.0.0.1:${port}`, token, close }
}
