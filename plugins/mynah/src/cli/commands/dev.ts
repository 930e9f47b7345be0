import { execFile } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@mynah/kernel'
import type { Arguments } from '../arguments.js'
import { AuthorLoop } from '../author/author-loop.js'
import { BrowserOpener, pageOf } from '../author/open-console.js'
import type { ConsoleSite } from '../console-site.js'
import { EXIT } from '../exit-codes.js'
import { assertLevel } from '../log-format.js'
import type { AuthorView } from '../protocol.js'
import { Supervisor } from '../supervisor.js'
import { logger } from '../supervisor-log.js'
import { SourceWatcher } from '../source-watcher.js'
import { CodeChanges } from './code-changes.js'
import { consoleFor, orderFor } from './start.js'

export async function dev(args: Arguments): Promise<number> {
  assertLevel()
  const { config } = args
  const file = resolve(config)
  const log = logger()
  const site = await consoleFor(args, 'development')
  const loop = new AuthorLoop(dirname(file), log, (status) => supervisor.sendStatus(status))
  const opener = new BrowserOpener(join(dirname(file), 'data'), log)
  let toOpen = args.options.has('open') ? site : undefined
  const started = async (author: AuthorView): Promise<void> => {
    await loop.started({ ...author, modules: author.plugins.map(({ module }) => module) })
    const first = toOpen
    toOpen = undefined
    if (first) await openOn(first, author, loop, opener)
  }
  const supervisor = new Supervisor({
    order: { ...orderFor(args, site), dev: true },
    restartOnChange: true,
    onMessage: (message) => {
      if (message.type === 'wrote') watcher.wrote(message.file, message.hash)
      if (message.type !== 'started') return
      watcher.addModules(message.modules)
      if (message.author)
        void started(message.author).catch((error: unknown) =>
          log.error(`failed to check the code of the plugins: ${messageOf(error)}`),
        )
    },
  })
  const changes = new CodeChanges(
    supervisor,
    log,
    () => mistakesIn(config),
    (plugins) => loop.reloaded(plugins),
  )
  const watcher = new SourceWatcher(file, (changed) => {
    const forHost = loop.changed(changed)
    if (forHost.length) void changes.changed(forHost)
  })
  await watcher.ready()
  log.info('watching for changes')
  try {
    return await supervisor.run()
  } finally {
    await Promise.all([watcher.close(), loop.close(), opener.close(), site?.close()])
  }
}

/** Opens the console on the page of the first own plugin, once it is built. */
async function openOn(
  site: ConsoleSite,
  { plugins, origin, token }: AuthorView,
  loop: AuthorLoop,
  opener: BrowserOpener,
): Promise<void> {
  if (origin === undefined) return
  await loop.pageSettled()
  const path = await pageOf(
    origin,
    plugins.map(({ name }) => name),
  )
  await opener.open({ console: site.origin, host: origin, token }, path)
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
