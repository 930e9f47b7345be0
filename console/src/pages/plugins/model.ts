import type { PluginItem } from '@mynah/contract/types'
import type { EntryState } from '@mynah/sdk'
import { parsePageNumber, paginate, type ListPage } from '../../lib/paginate.js'
import type { StateTone } from '../../ui/parts/state.js'

const PAGE_SIZE = 50

export type PluginStatus = 'failed' | 'waiting' | 'running' | 'off'
/** In the order of the list. */
export const pluginStatuses = ['failed', 'waiting', 'running', 'off'] as const

/** Returns the status of a plugin in the list. Hosts without `state` report at least whether it is active. */
export function statusOf({ state, status, error }: PluginItem): PluginStatus {
  switch (state) {
    case 'failed':
      return 'failed'
    case 'disabled':
      return 'off'
    case 'pending':
    case 'starting':
    case 'stopping':
      return 'waiting'
    case undefined:
      if (status === 'active') return 'running'
      return error ? 'failed' : 'off'
    default:
      return 'running'
  }
}

const TONES: Readonly<Record<PluginStatus, StateTone>> = {
  failed: 'wrong',
  waiting: 'wait',
  running: 'well',
  off: 'plain',
}
export const toneOf = (plugin: PluginItem): StateTone =>
  plugin.state === 'degraded' ? 'wait' : TONES[statusOf(plugin)]

/** Returns the number of contributions of a plugin. */
export const featureCount = (plugin: PluginItem): number =>
  plugin.features.reduce((sum, feature) => sum + feature.count, 0)

/** Kinds of features for people, by their name on the host. */
const USED = ['commands', 'tools', 'adapters', 'entries', 'jobs', 'tasks', 'entities', 'skills'] as const
export type UserFeature = (typeof USED)[number]

/** Returns the features of a plugin for people, without routes, methods and events. */
export function userFeatures(plugin: PluginItem): { readonly kind: UserFeature; readonly count: number }[] {
  return USED.flatMap((kind) =>
    plugin.features.filter(({ name, count }) => name === kind && count > 0).map(({ count }) => ({ kind, count })),
  )
}

/** Returns the origin of a plugin: a package of ours, another package, or a local file. */
export function originOf({ filePath }: PluginItem): 'ours' | 'third' | { readonly path: string } {
  if (filePath === undefined || filePath.startsWith('@mynah/')) return 'ours'
  // The name of a package, or the path of a file.
  return /^(?:@[\w.-]+\/)?[\w.-]+$/.test(filePath) && !/\.[cm]?[jt]s$/.test(filePath) ? 'third' : { path: filePath }
}

/** Returns the description in `locale`, if the plugin has one. */
export const describe = ({ description, descriptions }: PluginItem, locale: string): string =>
  descriptions?.[locale] ?? description

/** Plugins of a query. */
export function pluginPage(
  all: readonly PluginItem[],
  query: Readonly<Record<string, string>>,
  locale = 'en',
): ListPage<PluginItem> {
  const { status = '', filter = '', page = '1', sort = '' } = query
  const rank = (plugin: PluginItem): number => pluginStatuses.indexOf(statusOf(plugin))
  const wanted = status ? all.filter((plugin) => statusOf(plugin) === status) : all
  const shown = paginate(
    [...wanted].sort((a, b) => rank(a) - rank(b)),
    {
      filter,
      page: parsePageNumber(page),
      pageSize: PAGE_SIZE,
      sort,
      text: (plugin) =>
        [plugin.name, describe(plugin, locale), ...plugin.features.map((feature) => feature.name)].join('\n'),
      by: { name: (plugin) => plugin.name, version: (plugin) => plugin.version ?? '', brings: featureCount },
    },
  )
  return { ...shown, unfilteredTotal: all.length }
}

/** Returns the line of the configuration file that an error names, as in `mynah.config.yml:41`. */
export function lineOf(error: string): number | undefined {
  const found = /\.ya?ml:(\d{1,7})\b/.exec(error.slice(0, 2_000))
  return found ? Number(found[1]) : undefined
}

export interface SourceLine {
  readonly number: number
  readonly text: string
  readonly isError: boolean
}

/** Returns the lines around one of a text. */
export function linesAround(text: string, line: number, around = 3): SourceLine[] {
  return text
    .split('\n')
    .flatMap((content, index) =>
      Math.abs(index + 1 - line) <= around ? [{ number: index + 1, text: content, isError: index + 1 === line }] : [],
    )
}

/** Returns the console entries of a plugin. */
export function entriesOf(plugin: string, states: readonly EntryState[]): EntryState[] {
  return states.filter((state) => state.entry.meta.plugin === plugin)
}
