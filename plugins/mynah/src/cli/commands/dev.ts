import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { assertLevel } from '../log-format.js'
import { Supervisor } from '../supervisor.js'
import { logger } from '../supervisor-log.js'
import { isModule, SourceWatcher } from '../source-watcher.js'
import { consoleFor, orderFor } from './start.js'

export async function dev(args: Arguments): Promise<number> {
  assertLevel()
  const { config } = args
  const file = resolve(config)
  const log = logger()
  const site = await consoleFor(args, 'development')
  const supervisor = new Supervisor({
    order: orderFor(args, site),
    restartOnChange: true,
    onMessage: (message) => {
      if (message.type === 'started') watcher.addModules(message.modules)
      else if (message.type === 'wrote') watcher.wrote(message.file, message.hash)
    },
  })
  let changes = 0
  const watcher = new SourceWatcher(file, (changed) => {
    const mine = ++changes
    const restart = (): void => {
      log.info(`${changed} changed: restarting`)
      supervisor.restart()
    }
    // An invalid configuration does not stop the running host.
    if (!supervisor.hasHost || isModule(changed)) return restart()
    void mistakesIn(config).then((mistakes) => {
      if (mine !== changes) return
      if (mistakes === undefined) restart()
      else log.error(`${changed} changed, but it is invalid; the running host is kept:\n${mistakes}`)
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

/** Returns the mistakes of a configuration, if any. Checks in a child process, which loads the current plugins. */
function mistakesIn(config: string): Promise<string | undefined> {
  return new Promise((done) => {
    const check = execFile(process.execPath, [MAIN, 'config', 'check', '-c', config], (_, out) =>
      done(check.exitCode === EXIT.configuration ? out.trim() : undefined),
    )
  })
}
