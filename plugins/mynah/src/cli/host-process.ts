// The process of one host, started by the supervisor.
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HostControl, messageOf, Supervisor, wrote, type FatalError, type Host, type LogRecord } from '@mynah/kernel'
import { ConfigurationError, describeProblem, loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { RingBuffer } from '@mynah/kernel/util'
import { AdminToken, Http, LocalConsole } from '@mynah/plugin-http-core/api'
import { AuthorLoop, Packages, PluginReloader, reasonRedactor } from '@mynah/plugin-management/api'
import { guardProcess } from '../process/guard.js'
import { startWatchdog } from '../process/watchdog.js'
import { HostLoop } from './author/host-loop.js'
import { linkToken, printBanner, reachable } from './banner.js'
import { EXIT } from './exit-codes.js'
import { FolderInUse, lockFolder } from './folder-lock.js'
import { HOST_KEYS } from './host-keys.js'
import { logWriter, standardOutput } from './log-format.js'
import { CodeReloader, type ReloadedPlugin } from './modules/code-reloader.js'
import { pluginImporter } from './modules/import-plugin.js'
import { PackageEngine } from './packages/engine.js'
import { foldersOf } from './packages/folders.js'
import { LivePackages, type LiveUpdate } from './packages/live-packages.js'
import { PackageViews } from './packages/package-views.js'
import type {
  AuthorView,
  HostAnswer,
  HostMessage,
  HostOrder,
  PushOrder,
  ReloadResult,
  SupervisorMessage,
} from './protocol.js'
import { configurationOf } from './shared-configuration.js'
import { statusOf } from './host-status.js'
import { reloadHost } from './reload.js'
import { factsOf } from './support/host-facts.js'
import { describeUnexpected } from './user-error.js'
import { UpgradeNotice } from './upgrade/upgrade-notice.js'
import { visibleLines } from './visible.js'

const PROGRESS_INTERVAL_MS = 5000

const order = JSON.parse(process.argv[2] ?? '{}') as HostOrder
const root = dirname(order.file)
const output = standardOutput()
const print = logWriter(output, { root, verbose: order.verbose })
/** The last warnings and errors, for a report about the host. */
const failures = new RingBuffer<LogRecord>(100)
const log = (record: LogRecord): void => {
  if (record.level === 'error' || record.level === 'warn') failures.push(record)
  print(record)
}
/** Logs a line of the host process, through the log of the host as soon as there is a host. */
const own = (level: 'info' | 'warn' | 'error', message: string): void =>
  host ? host.log[level](message) : log({ time: Date.now(), level, name: 'host', message })
let host: Host | undefined
let unlock: (() => Promise<void>) | undefined
let packages: PackageEngine | undefined
let ending: Promise<never> | undefined
const code = new CodeReloader(root)
const author = order.dev ? new HostLoop() : undefined
const views = new PackageViews(foldersOf(root))
const live = new LivePackages(root, {
  views,
  code,
  plugins: () => host?.inspect() ?? [],
  redact: (text) => {
    const control = host?.get(HostControl)
    return control ? reasonRedactor(control, root)(text) : 'the host has not started'
  },
})

/** Ends the process once. Later calls wait for the first one. */
function end(code: number): Promise<never> {
  return (ending ??= (async () => {
    await host?.stop()
    await packages?.close()
    await unlock?.()
    process.exit(code)
  })())
}

const send = (message: HostMessage): void => {
  if (process.connected) process.send?.(message)
}
const answerTo = (id: number, answer: HostAnswer): void => send({ type: 'answer', id, answer })

function listen(): void {
  // A terminal sends Ctrl-C to all of its processes. The supervisor handles it.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => void end(EXIT.ok))
  process.on('message', (message: SupervisorMessage) => {
    if (message.type === 'stop') void end(EXIT.ok)
    else if (message.type === 'status') void answerStatus(message.id)
    else if (message.type === 'token') answerTo(message.id, host?.get(AdminToken)?.value)
    else if (message.type === 'support') void answerSupport(message.id)
    else if (message.type === 'configuration') void answerConfiguration(message.id, message.push)
    else if (message.type === 'author') author?.set(message.status)
    else if (message.type === 'packages') void updatePackages(message.id)
    else if (message.type === 'code') void reloadCode(message.id, message.files)
    else void reloadNow(message.id)
  })
  process.on('disconnect', () => void end(EXIT.ok))
  // The reader of the log has gone; the host continues.
  process.stdout.on('error', () => {})
}

/** Set when the host has started. A reload is rejected before. */
let running: LoadedHost | undefined

async function reloadNow(id: number): Promise<void> {
  const answer = (result: ReloadResult): void => answerTo(id, result)
  if (!running || ending) return answer({ accepted: false, lines: ['the host is not running'] })
  try {
    answer(await reloadHost(running))
  } catch (error) {
    own('error', `failed to reload: ${messageOf(error)}`)
    answer({ accepted: false, lines: [`failed to reload: ${messageOf(error)}`] })
  }
}

async function reloadCode(id: number, files: readonly string[]): Promise<void> {
  let plugins: readonly ReloadedPlugin[] | undefined
  try {
    if (running && !ending) plugins = await code.reloadFiles(files)
  } catch (error) {
    own('error', `failed to reload code: ${messageOf(error)}`)
  }
  answerTo(id, plugins)
}

async function updateLive(): Promise<LiveUpdate> {
  const update = await live.update()
  if (update.state === 'live') send({ type: 'updated' })
  return update
}

async function updatePackages(id: number): Promise<void> {
  answerTo(id, running && !ending ? await updateLive() : undefined)
}

async function answerStatus(id: number): Promise<void> {
  if (host) answerTo(id, await statusOf(host))
}

async function answerSupport(id: number): Promise<void> {
  if (host) answerTo(id, await factsOf(host, failures.toArray()))
}

async function answerConfiguration(id: number, push: PushOrder | undefined): Promise<void> {
  if (host) answerTo(id, await configurationOf(host, push))
}

async function load(): Promise<LoadedHost> {
  const restart = (): Promise<void> => {
    // Deferred, so that the answer to the caller is sent before connections drain.
    setImmediate(() => void end(EXIT.restart))
    return Promise.resolve()
  }
  packages = new PackageEngine(root, {
    restart: () => void restart(),
    update: updateLive,
    warn: (message) => own('warn', message),
  })
  return loadHost(order.file, {
    log,
    bases: [dirname(fileURLToPath(import.meta.url))],
    keys: HOST_KEYS,
    importModule: live.importer(pluginImporter(root)),
    services: [
      [Supervisor, { restart, abandon: () => process.exit(EXIT.restart) }],
      [Packages, packages],
      [PluginReloader, code],
      ...(author ? [[AuthorLoop, author] as const] : []),
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
    unlock = await lockFolder(join(root, 'data'))
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    const reason = (error as NodeJS.ErrnoException).code ?? messageOf(error)
    own('warn', `the data directory cannot be locked (${reason}); make sure that no other host uses it`)
  }
}

/** Returns what `mynah dev` has to know. */
async function authorView(loaded: LoadedHost): Promise<AuthorView> {
  const { plugins, failures } = code.ownPlugins()
  const http = loaded.host.get(Http)
  return {
    plugins,
    failures,
    origin: http && reachable(http.origin),
    token: order.console === undefined ? undefined : await linkToken(loaded, order),
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
    notice = await UpgradeNotice.of(join(root, 'data'))
    await lock()
    await views.removeOld()
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
  code.attach(loaded)
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
    author: author && (await authorView(loaded)),
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
