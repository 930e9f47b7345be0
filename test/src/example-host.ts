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
 * @param adjust changes further parts of its configuration, such as ports
 */
export async function startExample(
  name: string,
  origin: string,
  adjust: (config: string) => string = (config) => config,
): Promise<ExampleHost> {
  const example = join(workspace, 'examples', name)
  const config = await readFile(join(example, 'mynah.config.yml'), 'utf8')
  const host = await startHostIn({
    config: (port) =>
      adjust(config)
        .replace(/port: \d+/, `port: ${port}`)
        .replace(/corsOrigins: .*/, `corsOrigins: ["${origin}"]`),
    prepare: (folder) =>
      cp(example, folder, { recursive: true, filter: (path) => !/\/(data|node_modules)$/.test(path) }),
    env: { HTTP_TOKEN: token },
  })
  return { ...host, token }
}
