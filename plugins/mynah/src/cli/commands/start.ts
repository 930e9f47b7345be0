// `mynah start`: the host under its supervisor, with the console beside it where asked for.
import { dirname, resolve } from 'node:path'
import type { Arguments } from '../arguments.js'
import { assertLevel } from '../log-format.js'
import { NoConsole, openConsole, type ConsoleSite } from '../console-site.js'
import { Supervisor } from '../supervisor.js'
import { logger } from '../supervisor-log.js'

export async function start({ config, options }: Arguments): Promise<number> {
  assertLevel()
  const file = resolve(config)
  const site = options.has('console') ? await consoleFor(file, 'built') : undefined
  try {
    return await new Supervisor({ order: { file, shown: config, ...(site ? { console: site.origin } : {}) } }).run()
  } finally {
    await site?.close()
  }
}

/** The console, or a line saying why there is none. */
export async function consoleFor(file: string, mode: 'built' | 'development'): Promise<ConsoleSite | undefined> {
  try {
    return await openConsole(dirname(file), mode)
  } catch (error) {
    if (!(error instanceof NoConsole)) throw error
    logger().warn(`no console: ${error.message}`)
    return undefined
  }
}
