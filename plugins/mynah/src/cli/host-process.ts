// The process of one host, started by the supervisor.
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf, Supervisor, wrote, type FatalError, type Host } from '@mynah/kernel'
import { ConfigurationError, describeProblem, loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { LocalConsole } from '@mynah/plugin-http-core/api'
import { guardProcess } from '../process/guard.js'
import { startWatchdog } from '../process/watchdog.js'
import { printBanner } from './banner.js'
import { EXIT } from './exit-codes.js'
import { FolderInUse, lockFolder } from './folder-lock.js'
import { HOST_KEYS } from './host-keys.js'
import { logWriter, standardOutput } from './log-format.js'
import { pluginImporter } from './modules/import-plugin.js'
import type { HostMessage, HostOrder, ReloadResult, SupervisorMessage } from './protocol.js'
import { statusOf } from './host-status.js'
import { reloadHost } from './reload.js'
import { describeUnexpected } from './user-error.js'
import { UpgradeNotice } from './upgrade/upgrade-notice.js'
import { visibleLines } from './visible.js'

const PROGRESS_INTERVAL_MS = 5000

const order = JSON.parse(process.argv[2] ?? '{}') as HostOrder
const output = standardOutput()
const log = logWriter(output, { root: dirname(order.file), verbose: order.verbose })
/** Logs a line of the host process, through the log of the host as soon as there is a host. */
const own = (level: 'info' | 'warn' | 'error', message: string): void =>
  host ? host.log[level](message) : log({ time: Date.now(), level, name: 'host', message })
let host: Host | undefined
let unlock: (() => Promise<void>) | undefined
let ending: Promise<never> | undefined

/** Ends the process once. Later calls wait for the first one. */
function end(code: number): Promise<never> {
  return (ending ??= (async () => {
    await host?.stop()
    await unlock?.()
    process.exit(code)
  })())
}

const send = (message: HostMessage): void => {
  if (process.connected) process.send?.(message)
}

function listen(): void {
  // A terminal sends Ctrl-C to all of its processes. The supervisor handles it.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => void end(EXIT.ok))
  process.on('message', (message: SupervisorMessage) => {
    if (message.type === 'stop') void end(EXIT.ok)
    else if (message.type === 'status') void answerStatus(message.id)
    else void reloadNow(message.id)
  })
  process.on('disconnect', () => void end(EXIT.ok))
  // The reader of the log has gone; the host continues.
  process.stdout.on('error', () => {})
}

/** Set when the host has started. A reload is rejected before. */
let running: LoadedHost | undefined

async function reloadNow(id: number): Promise<void> {
  const answer = (result: ReloadResult): void => send({ type: 'reloaded', id, result })
  if (!running || ending) return answer({ accepted: false, lines: ['the host is not running'] })
  try {
    answer(await reloadHost(running))
  } catch (error) {
    own('error', `failed to reload: ${messageOf(error)}`)
    answer({ accepted: false, lines: [`failed to reload: ${messageOf(error)}`] })
  }
}

async function answerStatus(id: number): Promise<void> {
  if (host) send({ type: 'status', id, report: await statusOf(host) })
}

async function load(): Promise<LoadedHost> {
  const restart = (): Promise<void> => {
    // Deferred, so that the answer to the caller is sent before connections drain.
    setImmediate(() => void end(EXIT.restart))
    return Promise.resolve()
  }
  return loadHost(order.file, {
    log,
    bases: [dirname(fileURLToPath(import.meta.url))],
    keys: HOST_KEYS,
    importModule: pluginImporter(dirname(order.file)),
    services: [
      [Supervisor, { restart, abandon: () => process.exit(EXIT.restart) }],
      ...(order.console ? [[LocalConsole, { origins: originsOf(order.console) }] as const] : []),
    ],
  })
}

/** Returns both names under which a page of this machine may be opened. */
const originsOf = (origin: string): string[] => [origin, origin.replace('//127.0.0.1:', '//localhost:')]

/** Logs every few seconds which plugins are still starting, until the returned function is called. */
function logStartProgress(starting: Host): () => void {
  const timer = setInterval(() => {
    const late = starting
      .inspect()
      .filter(({ state }) => state === 'starting')
      .map(({ name }) => name)
    if (late.length) own('info', `still starting: ${late.join(', ')}`)
  }, PROGRESS_INTERVAL_MS)
  return () => clearInterval(timer)
}

/** Keeps the process alive if a module fails asynchronously while plugins are loaded. */
function guardLoading(): () => void {
  const caught = (error: unknown): void => own('error', `uncaught error while loading plugins: ${messageOf(error)}`)
  process.on('unhandledRejection', caught)
  process.on('uncaughtException', caught)
  return () => {
    process.off('unhandledRejection', caught)
    process.off('uncaughtException', caught)
  }
}

/** Locks the data directory before anything is loaded. A directory that can have no socket is used without a lock. */
async function lock(): Promise<void> {
  try {
    unlock = await lockFolder(join(dirname(order.file), 'data'))
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    const reason = (error as NodeJS.ErrnoException).code ?? messageOf(error)
    own('warn', `the data directory cannot be locked (${reason}); make sure that no other host uses it`)
  }
}

/** Prints why the host cannot start, and ends the process. */
function refuse({ message, hint, exitCode }: Pick<FatalError, 'message' | 'hint' | 'exitCode'>): Promise<never> {
  process.stderr.write(visibleLines(`error: ${message}\n    ${hint}\n`))
  return end(exitCode)
}

/** Tells once which defaults have changed since the data of this host were last used. */
async function tellChanges(notice: UpgradeNotice, { values }: LoadedHost): Promise<void> {
  for (const line of notice.lines(values)) own('warn', line)
  await notice
    .remember()
    .catch((error: unknown) => own('warn', `failed to store which changes were shown: ${messageOf(error)}`))
}

async function main(): Promise<void> {
  listen()
  const unguard = guardLoading()
  let loaded: LoadedHost
  let notice: UpgradeNotice
  try {
    notice = await UpgradeNotice.of(join(dirname(order.file), 'data'))
    await lock()
    loaded = await load()
  } catch (error) {
    if (error instanceof FolderInUse) return refuse(error)
    if (!(error instanceof ConfigurationError)) throw error
    for (const found of error.problems)
      process.stderr.write(
        `${found.severity === 'warning' ? 'warning' : 'error'}: ${visibleLines(describeProblem(found))}\n`,
      )
    process.stderr.write(`mynah: ${order.shown} is not valid, so the host cannot start\n`)
    return end(EXIT.configuration)
  }
  host = loaded.host
  guardProcess(host, loaded.paths)
  unguard()
  for (const found of loaded.problems)
    if (found.severity === 'warning' || found.severity === 'item')
      own(
        found.severity === 'item' ? 'error' : 'warn',
        `${describeProblem(found).split('\n', 1)[0] as string}; ${found.hint}`,
      )
  host.on(wrote, ({ file, text }) =>
    send({ type: 'wrote', file, hash: createHash('sha256').update(text).digest('hex') }),
  )
  const stopProgress = logStartProgress(host)
  // Not awaited, because the host also runs without a watchdog.
  startWatchdog(host, loaded.paths).catch((error: unknown) =>
    own('warn', `failed to start the watchdog of the event loop: ${messageOf(error)}`),
  )
  await host.start()
  stopProgress()
  const fatal = host.inspect().find(({ error }) => error?.name === 'FatalError')?.error as FatalError | undefined
  if (fatal && !ending) return refuse(fatal)
  send({
    type: 'started',
    modules: host.inspect().flatMap(({ origin }) => (origin ? [fileURLToPath(origin.url)] : [])),
  })
  running = loaded
  await tellChanges(notice, loaded)
  if (!ending) await printBanner(loaded, order, output, own)
}

try {
  await main()
} catch (error) {
  process.stderr.write(visibleLines(`mynah: ${describeUnexpected(error, order.verbose)}\n`))
  await end(EXIT.failure)
}
