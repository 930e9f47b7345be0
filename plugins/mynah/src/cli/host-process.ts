// The process of one host: loads the configuration, starts, and stops when told. Started by the supervisor.
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { guardProcess, messageOf, startWatchdog, Supervisor, type Host } from '@mynah/kernel'
import { ConfigurationError, describeProblem, loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { announce } from './banner.js'
import { EXIT } from './exit-codes.js'
import { logWriter, standardOutput } from './log-format.js'
import type { HostMessage, HostOrder, StopMessage } from './protocol.js'

const order = JSON.parse(process.argv[2] ?? '{}') as HostOrder
const output = standardOutput()
const log = logWriter(output)
const own = (level: 'info' | 'warn' | 'error', message: string): void => log({ time: Date.now(), level, name: 'host', message })
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
  process.on('message', (message: StopMessage) => {
    if (message.type === 'stop') void end(EXIT.ok)
  })
  process.on('disconnect', () => void end(EXIT.ok))
  // Nobody reads the log any more; the host runs on.
  process.stdout.on('error', () => {})
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
    services: [[Supervisor, { restart }]],
  })
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
    for (const found of error.problems) process.stderr.write(`${found.severity === 'warning' ? 'warning' : 'error'}: ${describeProblem(found)}\n`)
    process.stderr.write(`mynah: ${order.shown} does not allow a start\n`)
    return end(EXIT.configuration)
  }
  host = loaded.host
  guardProcess(host, loaded.paths)
  unguard()
  await startWatchdog(host, loaded.paths)
  for (const found of loaded.problems) if (found.severity === 'warning') own('warn', `${describeProblem(found).split('\n', 1)[0] as string}; ${found.hint}`)
  loaded.configuration.onWrote(({ file, text }) => tell({ type: 'wrote', file, hash: createHash('sha256').update(text).digest('hex') }))
  await host.start()
  const fatal = host.inspect().find(({ error }) => error?.name === 'FatalError')?.error as { message: string; hint: string; exitCode: number } | undefined
  if (fatal && !ending) {
    process.stderr.write(`error: ${fatal.message}\n    ${fatal.hint}\n`)
    return end(fatal.exitCode)
  }
  tell({ type: 'started', modules: host.inspect().flatMap(({ origin }) => (origin ? [fileURLToPath(origin.url)] : [])) })
  if (!ending) await announce(loaded, order, output, own)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`mynah: ${error instanceof Error ? error.stack ?? messageOf(error) : messageOf(error)}\n`)
  await end(EXIT.failure)
}
