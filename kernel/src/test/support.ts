// Hosts that are stopped after each test and must then hold nothing, and the view of a plugin.
import { expect } from 'chai'
import type { AnyPlugin, Host, HostOptions, LogRecord, PluginEntry, PluginView } from '../index.js'
import { startHost } from '../testing.js'

type Given = PluginEntry | AnyPlugin
interface Started {
  readonly host: Host
  readonly log: LogRecord[]
}

const started: Host[] = []

/** Returns a host that {@link assertNoResidue} stops and checks. */
export async function running(plugins: readonly Given[], options: Omit<HostOptions, 'log'> = {}): Promise<Started> {
  const result = await startHost(plugins, options)
  started.push(result.host)
  return result
}

/** Stops every host of the test; none may hold an effect, listener, contribution, watcher, service or reference. */
export async function assertNoResidue(): Promise<void> {
  for (const host of started.splice(0)) {
    await host.stop()
    const { kept: _, ...residue } = host.residue()
    expect(residue).to.deep.equal({
      effects: 0,
      listeners: 0,
      contributions: 0,
      watchers: 0,
      services: 0,
      references: 0,
    })
  }
}

/** Returns one plugin as the host shows it. */
export function viewOf(host: Host, name: string): PluginView {
  const view = host.inspect().find((plugin) => plugin.name === name)
  if (!view) throw new Error(`${name} is not in the host`)
  return view
}

/** Returns the states of all plugins by name. */
export function states(host: Host): Record<string, string> {
  return Object.fromEntries(host.inspect().map(({ name, state }) => [name, state]))
}

/** A promise with its two ends. */
export interface Gate<T = void> {
  readonly promise: Promise<T>
  open(value: T): void
  fail(error: Error): void
}
export function gate<T = void>(): Gate<T> {
  let open!: (value: T) => void
  let fail!: (error: Error) => void
  const promise = new Promise<T>((resolve, reject) => ([open, fail] = [resolve, reject]))
  return { promise, open, fail }
}

/** Returns the error that a call or promise fails with. */
export async function failureOf(action: () => unknown): Promise<Error & { code?: string }> {
  try {
    await action()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing failed')
}
