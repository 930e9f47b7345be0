// The process of one host: loads the configuration, starts, and stops when told. Started by the supervisor.
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf, Supervisor, wrote, type Host } from '@mynah/kernel'
import { ConfigurationError, describeProblem, loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { LocalConsole } from '@mynah/plugin-http-core/api'
import { guardProcess } from '../process/guard.js'
import { startWatchdog } from '../process/watchdog.js'
import { announce } from './banner.js'
import { EXIT } from './exit-codes.js'
import { HOST_KEYS } from './host-keys.js'
import { logWriter, standardOutput } from './log-format.js'
import { pluginImporter } from './modules/import-plugin.js'
import type { HostMessage, HostOrder, Reloaded, SupervisorMessage } from './protocol.js'
import { reloadHost } from './reload.js'
import { told } from './user-error.js'
import { visibleLines } from './visible.js'

const SIGN_OF_LIFE_MS = 5000

const order = JSON.parse(process.argv[2] ?? '{}') as HostOrder
const output = standardOutput()
const log = logWriter(output, { root: dirname(order.file), verbose: order.verbose })
/** A line of the host's own: part of its log as soon as there is a host, so that whoever reads the log later finds it too. */
const own = (level: 'info' | 'warn' | 'error', message: string): void =>
  host ? host.log[level](message) : log({ time: Date.now(), level, name: 'host', message })
let host: Host | undefined
let ending: Promise<never> | undefined

/** Ends the process; what asks later waits for the first. */
function end(code: number): Promise<never> {
  return (ending ??= (async () => {
    await host?.stop()
    process.exit(code)
  })())
}

const tell = (message: HostMessage): void => {
  if (process.connected) process.send?.(message)
}

function listen(): void {
  // A terminal sends its Ctrl-C to every process in it: the supervisor decides what it means.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => void end(EXIT.ok))
  process.on('message', (message: SupervisorMessage) => {
    if (message.type === 'stop') void end(EXIT.ok)
    else void reloadNow(message.id)
  })
  process.on('disconnect', () => void end(EXIT.ok))
  // Nobody reads the log any more; the host runs on.
  process.stdout.on('error', () => {})
}

/** Set once the host is up; before, there is nothing to read again. */
let running: LoadedHost | undefined

async function reloadNow(id: number): Promise<void> {
  const answer = (result: Reloaded): void => tell({ type: 'reloaded', id, result })
  if (!running || ending) return answer({ accepted: false, lines: ['the host is not up now'] })
  try {
    answer(await reloadHost(running))
  } catch (error) {
    own('error', `reloading failed: ${messageOf(error)}`)
    answer({ accepted: false, lines: [`reloading failed: ${messageOf(error)}`] })
  }
}

async function load(): Promise<LoadedHost> {
  const restart = (): Promise<void> => {
    // After this turn, so that the answer to whoever asked is on its way before connections drain.
    setImmediate(() => void end(EXIT.restart))
    return Promise.resolve()
  }
  return loadHost(order.file, {
    log,
    bases: [dirname(fileURLToPath(import.meta.url))],
    keys: HOST_KEYS,
    importModule: pluginImporter(dirname(order.file)),
    services: [
      [Supervisor, { restart }],
      ...(order.console ? [[LocalConsole, { origins: originsOf(order.console) }] as const] : []),
    ],
  })
}

/** A page of this machine may be opened by either name. */
const originsOf = (origin: string): string[] => [origin, origin.replace('//127.0.0.1:', '//localhost:')]

/** Says every few seconds who is still starting, until the returned function is called: nobody shall wonder. */
function tellsWhileStarting(starting: Host): () => void {
  const timer = setInterval(() => {
    const late = starting
      .inspect()
      .filter(({ state }) => state === 'starting')
      .map(({ name }) => name)
    if (late.length) own('info', `still starting: ${late.join(', ')}`)
  }, SIGN_OF_LIFE_MS)
  return () => clearInterval(timer)
}

/** Until there is a host to blame plugins: modules that fail outside their import do not end the process. */
function guardLoading(): () => void {
  const caught = (error: unknown): void => own('error', `uncaught while plugins were loaded: ${messageOf(error)}`)
  process.on('unhandledRejection', caught)
  process.on('uncaughtException', caught)
  return () => {
    process.off('unhandledRejection', caught)
    process.off('uncaughtException', caught)
  }
}

async function main(): Promise<void> {
  listen()
  const unguard = guardLoading()
  let loaded: LoadedHost
  try {
    loaded = await load()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    for (const found of error.problems)
      process.stderr.write(
        `${found.severity === 'warning' ? 'warning' : 'error'}: ${visibleLines(describeProblem(found))}\n`,
      )
    process.stderr.write(`mynah: ${order.shown} does not allow a start\n`)
    return end(EXIT.configuration)
  }
  host = loaded.host
  guardProcess(host, loaded.paths)
  unguard()
  for (const found of loaded.problems)
    if (found.severity === 'warning')
      own('warn', `${describeProblem(found).split('\n', 1)[0] as string}; ${found.hint}`)
  host.on(wrote, ({ file, text }) =>
    tell({ type: 'wrote', file, hash: createHash('sha256').update(text).digest('hex') }),
  )
  const untold = tellsWhileStarting(host)
  // Beside the start, and nobody waits for it: a host that is not watched is up all the same.
  startWatchdog(host, loaded.paths).catch((error: unknown) =>
    own('warn', `nobody watches whether the main loop is blocked: ${messageOf(error)}`),
  )
  await host.start()
  untold()
  const fatal = host.inspect().find(({ error }) => error?.name === 'FatalError')?.error as
    | { message: string; hint: string; exitCode: number }
    | undefined
  if (fatal && !ending) {
    process.stderr.write(visibleLines(`error: ${fatal.message}\n    ${fatal.hint}\n`))
    return end(fatal.exitCode)
  }
  tell({
    type: 'started',
    modules: host.inspect().flatMap(({ origin }) => (origin ? [fileURLToPath(origin.url)] : [])),
  })
  running = loaded
  if (!ending) await announce(loaded, order, output, own)
}

try {
  await main()
} catch (error) {
  process.stderr.write(visibleLines(`mynah: ${told(error, order.verbose)}\n`))
  await end(EXIT.failure)
}
