import type { TSchema } from 'typebox'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KernelError } from './base/errors.js'
import { Configuration } from './config/configuration.js'
import { readTextFile } from './config/encoding.js'
import { FileConfiguration } from './config/file-configuration.js'
import { reasonOf, type Environment } from './config/environment.js'
import type { ImportModule } from './config/modules.js'
import { KeptFiles } from './config/kept-files.js'
import { Planner } from './config/plan.js'
import { ConfigurationError, problem, type Problem } from './config/problem.js'
import { Redactor, secretsOf, secretVariables } from './config/redact.js'
import type { OwnKeys } from './config/sections.js'
import type { HostOptions } from './core/entry.js'
import { claimsOf, type ItemSchema } from './core/plugin.js'
import { HostPaths } from './core/host-services.js'
import type { Host } from './core/host.js'
import { createHost } from './create-host.js'
import { omitUndefined } from './util/omit-undefined.js'

export { ConfigurationError, describeProblem, problemError, type Problem } from './config/problem.js'
export { parseEnvironment, type Environment } from './config/environment.js'
export { generationUrl, type ImportModule } from './config/modules.js'
export { installedPlugins } from './config/resolve.js'
export { valueAt, type OwnKeys } from './config/sections.js'

export interface LoadOptions extends HostOptions {
  /** Receives the variables of `.env` files. Variables that it has already win. Default `process.env`. */
  readonly env?: Environment
  /** More folders to search for installed plugins, after the folder of the configuration file. */
  readonly bases?: readonly string[]
  /** Imports the module of a plugin, for callers that load more than JavaScript or explain failures better. */
  readonly importModule?: ImportModule
  /** Keys of the caller with their schemas, accepted next to the sections of plugins. A mistake ends the start. */
  readonly keys?: OwnKeys
}

/** A host that was built from a file and is not started yet. */
export interface LoadedHost {
  readonly host: Host
  /** Problems that do not prevent the start. */
  readonly problems: readonly Problem[]
  readonly paths: HostPaths
  readonly configuration: Configuration
  /** The values of the file with variables filled in. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The folder of the kernel itself: plugins of the command line are installed next to it. */
const KERNEL_FOLDER = dirname(fileURLToPath(import.meta.url))

async function open(file: string, options: LoadOptions): Promise<{ text: string; planner: Planner; paths: HostPaths }> {
  const root = dirname(file)
  const name = basename(file)
  let text: string
  try {
    text = await readTextFile(file)
  } catch (error) {
    const { message, place } =
      error instanceof KernelError
        ? error
        : { message: `${name} cannot be read: ${reasonOf(error)}`, place: { file: name } }
    throw new ConfigurationError([problem('fatal', 'config/unreadable', message, place)])
  }
  const planner = new Planner(
    root,
    name,
    omitUndefined({
      env: options.env ?? process.env,
      bases: [...(options.bases ?? []), KERNEL_FOLDER],
      keys: options.keys,
      importModule: options.importModule,
    }),
  )
  return { text, planner, paths: { root, data: join(root, 'data') } }
}

/**
 * Returns all problems that a start with this file would report, fatal or not.
 *
 * @throws ConfigurationError when the file cannot be read
 */
export async function checkFile(path: string, options: LoadOptions = {}): Promise<readonly Problem[]> {
  const { text, planner } = await open(resolve(path), options)
  return (await planner.plan(text)).problems
}

/**
 * Returns the values of a file with variables filled in. Loads no plugin.
 *
 * @throws ConfigurationError when the file cannot be read
 */
export async function readValues(
  path: string,
  options: LoadOptions = {},
): Promise<{ values: Readonly<Record<string, unknown>>; problems: readonly Problem[] }> {
  const { text, planner } = await open(resolve(path), options)
  return planner.values(text)
}

/** A configuration file with what its plugins say about it. */
export interface DescribedFile {
  /** The values with variables filled in. */
  readonly values: Readonly<Record<string, unknown>>
  /** All problems that a start would report, fatal or not. */
  readonly problems: readonly Problem[]
  /** Schemas of the sections, by their path. */
  readonly schemas: ReadonlyMap<string, TSchema>
  /** Schemas of items of lists, such as accounts. */
  readonly items: readonly ItemSchema[]
}

/**
 * Returns a file with the schemas of its sections. Loads the modules of plugins and starts none. A file that cannot be
 * parsed has problems only.
 *
 * @throws ConfigurationError when the file cannot be read
 */
export async function describeFile(path: string, options: LoadOptions = {}): Promise<DescribedFile> {
  const { text, planner } = await open(resolve(path), options)
  const { values, problems, entries } = await planner.plan(text)
  const plugins = entries.map(({ plugin }) => plugin)
  const schemas = new Map(plugins.flatMap(claimsOf).map((claim) => [claim.path, claim.schema] as const))
  return { values, problems, schemas, items: plugins.flatMap((plugin) => plugin.items ?? []) }
}

/**
 * Reads a configuration file and builds its host.
 *
 * @throws ConfigurationError listing all problems, when one of them prevents the start
 */
export async function loadHost(path: string, options: LoadOptions = {}): Promise<LoadedHost> {
  const file = resolve(path)
  const { text, planner, paths } = await open(file, options)
  const plan = await planner.plan(text)
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
  const host = createHost(plan.entries, {
    redact,
    keptStore: new KeptFiles(join(paths.data, 'kept')),
    ...options,
    services,
  })
  configuration.attach(host)
  return { host, problems: plan.problems, paths, configuration, values: plan.values }
}
