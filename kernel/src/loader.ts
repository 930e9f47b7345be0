// Builds a host from a configuration file.
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Configuration, FileConfiguration } from './config/configuration.js'
import { reasonOf, type Environment } from './config/environment.js'
import type { ImportModule } from './config/modules.js'
import { Planner } from './config/plan.js'
import { ConfigurationError, problem, type Problem } from './config/problem.js'
import { Redactor, secretsOf, secretVariables } from './config/redact.js'
import type { OwnKeys } from './config/sections.js'
import type { HostOptions } from './core/entry.js'
import { HostPaths } from './core/host-services.js'
import type { Host } from './core/host.js'
import { createHost } from './create-host.js'

export { ConfigurationError, describeProblem, type Problem } from './config/problem.js'
export { parseEnvironment, type Environment } from './config/environment.js'
export type { ImportModule } from './config/modules.js'
export { installedPlugins } from './config/resolve.js'
export { valueAt, type OwnKeys } from './config/sections.js'

export interface LoadOptions extends HostOptions {
  /** Receives the variables of `.env` files; what it holds already wins. Default `process.env`. */
  readonly env?: Environment
  /** Further folders whose installed plugins count, after those of the configuration file's folder. */
  readonly bases?: readonly string[]
  /** Imports the module of a plugin; whoever can load more than JavaScript, or tells failures better, gives one. */
  readonly importModule?: ImportModule
  /** Keys of whoever runs the host, with their schemas: accepted beside the sections of plugins; a mistake ends the start. */
  readonly keys?: OwnKeys
}

/** A host that was read from a file and not yet started. */
export interface LoadedHost {
  readonly host: Host
  /** What is wrong without ending the start. */
  readonly problems: readonly Problem[]
  readonly paths: HostPaths
  readonly configuration: Configuration
  /** The values of the file with variables filled in. */
  readonly values: Readonly<Record<string, unknown>>
}

/** Where the kernel itself is installed: plugins that come with the command line stand beside it. */
const OWN_FOLDER = dirname(fileURLToPath(import.meta.url))

async function open(file: string, options: LoadOptions): Promise<{ text: string; planner: Planner; paths: HostPaths }> {
  const root = dirname(file)
  const name = basename(file)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8 text' : reasonOf(error)
    throw new ConfigurationError([
      problem('fatal', 'config/unreadable', `${name} cannot be read: ${reason}`, { file: name }),
    ])
  }
  const planner = new Planner(root, name, {
    env: options.env ?? process.env,
    bases: [...(options.bases ?? []), OWN_FOLDER],
    ...(options.keys ? { keys: options.keys } : {}),
    ...(options.importModule ? { importModule: options.importModule } : {}),
  })
  return { text, planner, paths: { root, data: join(root, 'data') } }
}

/**
 * Everything that a start with this file would say, fatal or not.
 *
 * @throws ConfigurationError where the file cannot be read.
 */
export async function checkFile(path: string, options: LoadOptions = {}): Promise<readonly Problem[]> {
  const { text, planner } = await open(resolve(path), options)
  return (await planner.take(text)).problems
}

/**
 * The values of a file with variables filled in; no plugin is loaded.
 *
 * @throws ConfigurationError where the file cannot be read.
 */
export async function readValues(
  path: string,
  options: LoadOptions = {},
): Promise<{ values: Readonly<Record<string, unknown>>; problems: readonly Problem[] }> {
  const { text, planner } = await open(resolve(path), options)
  return planner.values(text)
}

/**
 * Reads a configuration file and builds its host.
 *
 * @throws ConfigurationError listing every problem, where one of them does not allow a start.
 */
export async function loadHost(path: string, options: LoadOptions = {}): Promise<LoadedHost> {
  const file = resolve(path)
  const { text, planner, paths } = await open(file, options)
  const plan = await planner.take(text)
  if (plan.problems.some(({ severity }) => severity === 'fatal')) throw new ConfigurationError(plan.problems)
  const redact = new Redactor(paths.root)
  const configuration = new FileConfiguration(file, paths.root, planner, plan, (entries) =>
    redact.learn([...secretsOf(entries), ...secretVariables(options.env ?? process.env)]),
  )
  const services: NonNullable<HostOptions['services']> = [
    ...(options.services ?? []),
    [HostPaths, paths],
    [Configuration, configuration],
  ]
  const host = createHost(plan.entries, { redact, ...options, services })
  configuration.attach(host)
  return { host, problems: plan.problems, paths, configuration, values: plan.values }
}
