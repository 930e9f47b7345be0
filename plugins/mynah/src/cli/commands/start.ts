import { dirname, resolve } from 'node:path'
import { DEFAULT_CONSOLE_PORT } from '@mynah/contract/wire'
import { portOf, type Arguments } from '../arguments.js'
import { assertLevel } from '../log-format.js'
import { NoConsole, openConsole, type ConsoleSite } from '../console-site.js'
import type { HostOrder } from '../protocol.js'
import { Supervisor } from '../supervisor.js'
import { logger } from '../supervisor-log.js'

export async function start(args: Arguments): Promise<number> {
  assertLevel()
  const site = await consoleFor(args, 'built')
  try {
    return await new Supervisor({ order: orderFor(args, site) }).run()
  } finally {
    await site?.close()
  }
}

/** Returns the order for a host process. */
export function orderFor({ config, options }: Arguments, site: ConsoleSite | undefined): HostOrder {
  return {
    file: resolve(config),
    shown: config,
    verbose: options.has('verbose'),
    ...(site ? { console: site.origin } : {}),
  }
}

/**
 * Opens the requested console, which `--open` requests too. Logs a warning and returns `undefined` if it cannot be
 * served.
 */
export async function consoleFor(
  { config, options, values }: Arguments,
  mode: 'built' | 'development',
): Promise<ConsoleSite | undefined> {
  if (!options.has('console') && !options.has('open')) return undefined
  const port = portOf('console', values['console'], DEFAULT_CONSOLE_PORT)
  try {
    return await openConsole(dirname(resolve(config)), mode, { port, option: '--console=' })
  } catch (error) {
    if (!(error instanceof NoConsole)) throw error
    logger().warn(`no console: ${error.message}`)
    return undefined
  }
}
