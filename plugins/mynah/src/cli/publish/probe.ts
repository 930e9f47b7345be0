// The process in which a package is loaded, run, reloaded and stopped. Its parent asks once, and gets one report.
import {
  assertPlugin,
  claimsOf,
  messageOf,
  toError,
  type AnyPlugin,
  type Host,
  type PluginView,
  type Residue,
} from '@mynah/kernel'
import { loadHost, valueAt } from '@mynah/kernel/loader'
import { omitUndefined } from '@mynah/kernel/util'
import { optionsOf } from './options.js'
import type { Contributions, ProbeReport, ProbeTask, RunReport } from './probe-report.js'
import { TimerWatch } from './timer-watch.js'

const timers = new TimerWatch()

async function report(task: ProbeTask): Promise<ProbeReport> {
  for (const url of task.loaded) await import(url)
  timers.clear()
  const before = process.cpuUsage()
  let plugins: AnyPlugin[]
  let loadMs: number
  try {
    const first = await pluginOf(task.entries[0])
    const { user, system } = process.cpuUsage(before)
    loadMs = Math.round((user + system) / 1000)
    plugins = [first, await pluginOf(task.entries[1])]
  } catch (error) {
    return { loadFault: messageOf(error) }
  }
  const loaded = { loadMs, timers: await timers.left() }
  if (!task.host) return loaded
  timers.clear()
  try {
    return { ...loaded, ...(await runIn(task.host, plugins, task)) }
  } catch (error) {
    return { ...loaded, hostFault: messageOf(error) }
  }
}

async function pluginOf(url: string): Promise<AnyPlugin> {
  const { default: plugin } = (await import(url)) as { readonly default?: unknown }
  assertPlugin(plugin, 'the default export')
  return plugin
}

async function runIn(
  { file, bases, values }: NonNullable<ProbeTask['host']>,
  plugins: readonly AnyPlugin[],
  { folders }: ProbeTask,
): Promise<Partial<ProbeReport>> {
  const { host } = await loadHost(file, { bases, log: () => {} })
  await host.start()
  const runs: RunReport[] = []
  let view: PluginView | undefined
  try {
    for (const plugin of plugins) {
      const before = host.residue()
      await host.add({ plugin, config: sectionOf(plugin, values) })
      await host.settled()
      const running = viewOf(host, plugin.name)
      view ??= running
      await host.remove(plugin.name)
      await host.settled()
      runs.push(runOf(running, leftOf(before, host.residue())))
    }
  } finally {
    await host.stop()
  }
  const left = await Promise.all(folders.map((folder) => timers.left(folder)))
  return omitUndefined({
    runs,
    timersAfter: left.reduce((sum, count) => sum + count, 0),
    contributes: view && contributionsOf(view),
    options: view && optionsOf(view),
  })
}

/** Returns the section of a plugin, or its sections by path where it claims several. */
function sectionOf(plugin: AnyPlugin, values: unknown): unknown {
  const claims = claimsOf(plugin)
  if (plugin.config && 'key' in plugin.config) return valueAt(values, plugin.config.key)
  return Object.fromEntries(
    claims.map(({ path }) => [path, valueAt(values, path)] as const).filter(([, value]) => value !== undefined),
  )
}

function runOf({ state, error, waitingFor, reasons }: PluginView, left: readonly string[]): RunReport {
  const reason = error?.message ?? [...waitingFor.map((what) => `it waits for ${what}`), ...reasons].join('; ')
  return omitUndefined({ state, reason: reason || undefined, left })
}

const viewOf = (host: Host, name: string): PluginView => host.inspect().find((one) => one.name === name) as PluginView

function leftOf(before: Residue, after: Residue): string[] {
  return Object.entries(after).flatMap(([what, count]) => {
    const more = count - before[what as keyof Residue]
    return more > 0 ? [`${more} ${what}`] : []
  })
}

function contributionsOf({ contributions, claims, requires }: PluginView): Contributions {
  const keysOf = (id: string): string[] =>
    contributions
      .filter(({ point }) => point === id)
      .map(({ key }) => key)
      .sort()
  return {
    commands: keysOf('chat.commands'),
    tools: keysOf('tools'),
    adapters: keysOf('chat.adapters'),
    pages: keysOf('console.entries'),
    sections: [...claims].sort(),
    needs: requires.filter((need) => !/\((?:ref|if-enabled)\)$/.test(need)).sort(),
  }
}

process.once('message', (task: ProbeTask) => {
  report(task)
    .catch((error: unknown): ProbeReport => ({ loadFault: toError(error).message }))
    .then((answer) => process.send?.(answer, () => process.exit(0)))
})
