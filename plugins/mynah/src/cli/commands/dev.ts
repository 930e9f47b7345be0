// `mynah dev`: the host, started again whenever one of its files changes.
import { resolve } from 'node:path'
import type { Arguments } from '../arguments.js'
import { assertLevel } from '../log-format.js'
import { Supervisor } from '../supervisor.js'
import { logger } from '../supervisor-log.js'
import { SourceWatcher } from '../watch.js'
import { consoleFor } from './start.js'

export async function dev({ config, options }: Arguments): Promise<number> {
  assertLevel()
  const file = resolve(config)
  const log = logger()
  const site = options.has('console') ? await consoleFor(file, 'development') : undefined
  const supervisor = new Supervisor({
    order: { file, shown: config, ...(site ? { console: site.origin } : {}) },
    waitsForRepair: true,
    onMessage: (message) => {
      if (message.type === 'started') watcher.addModules(message.modules)
      else watcher.wrote(message.file, message.hash)
    },
  })
  const watcher = new SourceWatcher(file, (changed) => {
    log.info(`${changed} changed: starting again`)
    supervisor.restart()
  })
  await watcher.ready()
  log.info('watching for changes')
  try {
    return await supervisor.run()
  } finally {
    await Promise.all([watcher.close(), site?.close()])
  }
}
