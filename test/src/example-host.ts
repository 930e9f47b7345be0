// Runs a copy of a host of examples/ with the real command line, for a console on another origin.
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startHostIn, type RealHost } from '../../console/test/dist/test/real-host.js'

const workspace = fileURLToPath(new URL('../..', import.meta.url))
const token = 'a-token-for-a-host-under-test'

export interface ExampleHost extends RealHost {
  readonly token: string
}

/**
 * Starts the example `name` for a console on `origin`, and waits until its plugins are up.
 *
 * @param env further variables of its environment
 */
export async function startExample(
  name: string,
  origin: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ExampleHost> {
  const example = join(workspace, 'examples', name)
  // The lean host has the own plugin of the starter, which lies outside its folder.
  const starter = join(workspace, 'examples/starter')
  const config = (await readFile(join(example, 'mynah.config.yml'), 'utf8')).replace('../starter', starter)
  const host = await startHostIn({
    config: (port) =>
      config.replace(/port: \d+/, `port: ${port}`).replace(/corsOrigins: .*/, `corsOrigins: ["${origin}"]`),
    prepare: (folder) =>
      cp(example, folder, { recursive: true, filter: (path) => !/\/(data|node_modules)$/.test(path) }),
    env: { HTTP_TOKEN: token, ...env },
  })
  return { ...host, token }
}
