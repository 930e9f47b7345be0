// The built-in pages: where they are, where they stand in the rail, how their code is loaded.
import type { Stats } from '@mynah/contract/types'
import type { ComponentType } from 'preact'
import type { MessageKey } from '../locales/en.js'
import type { IconName } from '../ui/icon.js'

export interface PageProps { readonly params: Readonly<Record<string, string>> }

export interface BuiltInPage {
  readonly path: string
  readonly name: MessageKey
  readonly load: () => Promise<ComponentType<PageProps>>
  /** Where it stands in the rail; pages below others do not. */
  readonly menu?: {
    readonly group: string
    readonly order: number
    readonly icon: IconName
    /** Second key after `g`. */
    readonly key: string
    readonly count?: (stats: Stats) => string
  }
  /** Path of the page above, for the breadcrumb. */
  readonly above?: string
  readonly fullWidth?: boolean
}

export const pages: readonly BuiltInPage[] = [
  {
    path: '/dashboard',
    name: 'page.dashboard',
    load: () => import('./dashboard/index.js').then((module) => module.DashboardPage),
    menu: { group: 'operate', order: 10, icon: 'dashboard', key: 'd' },
  },
  {
    path: '/plugins',
    name: 'page.plugins',
    load: () => import('./plugins/index.js').then((module) => module.PluginsPage),
    menu: { group: 'configure', order: 10, icon: 'plugins', key: 'p', count: (stats) => `${stats.plugins.active}/${stats.plugins.total}` },
  },
  {
    path: '/plugins/:name',
    name: 'page.plugins',
    load: () => import('./plugins/detail.js').then((module) => module.PluginPage),
    above: '/plugins',
  },
]
