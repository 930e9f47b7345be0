// The rail's groups for the current language, entries and counts.
import { useMemo } from 'preact/hooks'
import type { Stats } from '@mynah/contract/types'
import { entries } from '../entries/load.js'
import { t, useLocale } from '../lib/i18n.js'
import { useResource } from '../lib/use-resource.js'
import { useStore } from '../lib/use-store.js'
import { pages } from '../pages/registry.js'
import { host } from './host.js'
import { navigation, type NavGroup, type NavSource } from './nav.js'

const builtInGroups = ['operate', 'configure', 'agent', 'extensions'] as const

/** Loads what the rail counts; shared with the dashboard. */
export const useStats = () => useResource<Stats>('GET /stats', (signal) => host().rest('GET /stats', { signal }))

export function useNavigation(): readonly NavGroup[] {
  const locale = useLocale()
  const states = useStore(entries)
  const { data: stats } = useStats()
  return useMemo(() => {
    const builtIn = pages.flatMap<NavSource>((page) => page.menu
      ? [{ id: page.path, path: page.path, name: t(page.name), group: page.menu.group, order: page.menu.order, icon: page.menu.icon, count: stats && page.menu.count?.(stats) }]
      : [])
    const routes = states.flatMap((state) => state.routes.filter((route) => !route.meta?.hideInMenu).map<NavSource>((route) => ({
      id: `${state.id}:${route.path}`, path: route.path, name: route.name, icon: route.icon,
      ...(route.parent === undefined ? {} : { parent: route.parent }),
      ...(route.meta?.group === undefined ? {} : { group: route.meta.group }),
      ...(route.meta?.order === undefined ? { order: state.entry.order } : { order: route.meta.order }),
    })))
    const tools = states.flatMap((state) => state.tools.map<NavSource>((tool) => ({
      id: tool.id, name: tool.name, icon: tool.icon, order: state.entry.order,
      ...(tool.path === undefined ? {} : { path: tool.path }),
      ...(tool.parent === undefined ? {} : { parent: tool.parent }),
    })))
    return navigation([...builtIn, ...routes, ...tools], builtInGroups.map((group) => [group, t(`group.${group}`)] as const))
  }, [locale, states, stats])
}
