// `mynah dev`: the host, started again whenever one of its files changes.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { assertLevel } from '../log-format.js'
import { Supervisor } from '../supervisor.js'
import { logger } from '../supervisor-log.js'
import { isModule, SourceWatcher } from '../watch.js'
import { consoleFor, orderFor } from './start.js'

export async function dev(args: Arguments): Promise<number> {
  assertLevel()
  const { config } = args
  const file = resolve(config)
  const log = logger()
  const site = await consoleFor(args, 'development')
  const supervisor = new Supervisor({
    order: orderFor(args, site),
    waitsForRepair: true,
    onMessage: (message) => {
      if (message.type === 'started') watcher.addModules(message.modules)
      else if (message.type === 'wrote') watcher.wrote(message.file, message.hash)
    },
  })
  let changes = 0
  const watcher = new SourceWatcher(file, (changed) => {
    const mine = ++changes
    const restart = (): void => {
      log.info(`${changed} changed: starting again`)
      supervisor.restart()
    }
    // A mistake in the configuration is no reason to stop the host that runs.
    if (!supervisor.hasHost || isModule(changed)) return restart()
    void mistakesIn(config).then((mistakes) => {
      if (mine !== changes) return
      if (mistakes === undefined) restart()
      else log.error(`${changed} changed, but is refused, and the running host stays:\n${mistakes}`)
    })
  })
  await watcher.ready()
  log.info('watching for changes')
  try {
    return await supervisor.run()
  } finally {
    await Promise.all([watcher.close(), site?.close()])
  }
}

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url))

/** What is wrong with a configuration, if anything; asked in a process of its own, which loads plugins as they are now. */
function mistakesIn(config: string): Promise<string | undefined> {
  return new Promise((done) => {
    const check = execFile(process.execPath, [MAIN, 'config', 'check', '-c', config], (_, out) =>
      done(check.exitCode === EXIT.configuration ? out.trim() : undefined),
    )
  })
}
