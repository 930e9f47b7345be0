// What the dashboard shows of what the host says.
import type { EndpointItem, PluginItem, Ready } from '@mynah/contract/types'
import type { EntryState } from '@mynah/sdk'
import type { MessageKey } from '../../locales/en.js'
import { slots, type Minute } from '../../lib/ring.js'
import type { Tick } from '../../ui/ticks.js'

export interface Attention {
  readonly id: string
  readonly tone: 'err' | 'warn'
  readonly text: MessageKey
  readonly values: Readonly<Record<string, string>>
  readonly said?: string
  readonly href?: string
}

export interface AttentionSources {
  readonly endpoints?: readonly EndpointItem[] | undefined
  readonly plugins?: readonly PluginItem[] | undefined
  readonly entries: readonly EntryState[]
  readonly pageFailures: Readonly<Record<string, string>>
  readonly ready?: Ready | undefined
}

const FAILED_FIRST = { err: 0, warn: 1 }

/** The checks of a host that is not ready stand beside its failure. */
export function readyOf(error: unknown): Ready {
  const data = (error as { data?: unknown } | null)?.data
  const checks = (data as { checks?: unknown } | null | undefined)?.checks
  if (typeof checks !== 'object' || checks === null) throw error
  return data as Ready
}

/** What somebody should look at, the worst first. */
export function attention({ endpoints = [], plugins = [], entries, pageFailures, ready }: AttentionSources): Attention[] {
  const checks = Object.entries(ready?.checks ?? {}).filter(([, check]) => check.status !== 'ok')
  const named = new Set(checks.map(([name]) => name))
  const found: Attention[] = [
    ...checks.map(([name, check]) => ({
      id: `check:${name}`, tone: check.status === 'failed' ? 'err' as const : 'warn' as const, text: 'dashboard.attention.check' as const,
      values: { name, status: check.status }, ...(check.reason ? { said: check.reason } : {}),
      ...(plugins.some((plugin) => plugin.name === name) ? { href: `/plugins/${encodeURIComponent(name)}` } : {}),
    })),
    ...endpoints.filter((endpoint) => endpoint.status === 'offline').map((endpoint) => ({
      id: `endpoint:${endpoint.adapter}:${endpoint.name}`, tone: 'err' as const, text: 'dashboard.attention.offline' as const, values: { name: endpoint.name },
    })),
    ...entries.flatMap((state) => {
      const said = state.error?.message ?? pageFailures[state.id]
      return said === undefined ? [] : [{ id: `entry:${state.id}`, tone: 'err' as const, text: 'dashboard.attention.entry' as const, values: { name: state.entry.meta.name }, said }]
    }),
    ...plugins.filter((plugin) => plugin.status === 'inactive' && !named.has(plugin.name)).map((plugin) => ({
      id: `plugin:${plugin.name}`, tone: 'warn' as const, text: 'dashboard.attention.plugin' as const, values: { name: plugin.name }, href: `/plugins/${encodeURIComponent(plugin.name)}`,
    })),
  ]
  return found.sort((a, b) => FAILED_FIRST[a.tone] - FAILED_FIRST[b.tone])
}

/** Events of each minute of the last hour; a minute in which the stream was down is told apart. */
export function eventTicks(ring: readonly Minute[], now: number): { readonly ticks: Tick[]; readonly count: number } {
  const all = slots(ring, now)
  const most = Math.max(1, ...all.map((minute) => minute?.events ?? 0))
  return {
    ticks: all.map((minute) => (minute?.down ? { value: 1, tone: 'err' } : minute ? { value: minute.events / most, tone: 'on' } : { value: 0, tone: 'off' })),
    count: all.reduce((sum, minute) => sum + (minute?.events ?? 0), 0),
  }
}

/** Memory of each minute of the last hour, from nothing to a fifth above the most. */
export function memoryTicks(ring: readonly Minute[], now: number): Tick[] {
  const all = slots(ring, now)
  const most = Math.max(1, ...all.map((minute) => minute?.memory ?? 0)) * 1.2
  return all.map((minute) => (minute?.memory === undefined ? { value: 0, tone: 'off' } : { value: minute.memory / most, tone: 'on' }))
}

/** The name under which an endpoint stands in the ring. */
export const endpointKey = (endpoint: { readonly adapter: string; readonly name: string }): string => `${endpoint.adapter}/${endpoint.name}`

/** Whether an endpoint was online in each minute of the last hour, as far as this browser saw it. */
export function upTicks(ring: readonly Minute[], key: string, now: number): { readonly ticks: Tick[]; readonly up: number; readonly seen: number } {
  const states = slots(ring, now).map((minute) => minute?.up?.[key])
  return {
    ticks: states.map((up) => (up === undefined ? { value: 0, tone: 'off' } : up ? { value: 1, tone: 'on' } : { value: 0.4, tone: 'err' })),
    up: states.filter((up) => up === true).length,
    seen: states.filter((up) => up !== undefined).length,
  }
}
