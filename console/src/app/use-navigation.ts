import { useMemo } from 'preact/hooks'
import type { Stats } from '@mynah/contract/types'
import { entries, nameOf, pageFailures } from '../entries/state.js'
import { t, useLocale } from '../lib/i18n.js'
import { useResource } from '../lib/use-resource.js'
import { useStore } from '../lib/use-store.js'
import { pages } from '../lib/pages.js'
import { useCatalogue } from './catalogue.js'
import { host } from './host.js'
import { navigation, type NavGroup, type NavSource } from './nav.js'
import { countOf, COUNTED, useCountSources } from './rail-counts.js'

/** Groups of the rail that are always there, in its order. */
export const builtInGroups = ['operate', 'configure', 'agent', 'extensions'] as const

/** Loads what the rail counts; shared with the dashboard. */
export const useStats = () => useResource<Stats>('GET /stats', (signal) => host().rest('GET /stats', { signal }))

export function useNavigation(): readonly NavGroup[] {
  const locale = useLocale()
  const states = useStore(entries)
  const broken = Object.keys(useStore(pageFailures))
  const { data: stats } = useStats()
  const version = stats && `${stats.plugins.active}/${stats.plugins.total}`
  const { has } = useCatalogue(version)
  // One mark for all failed entries. The page that it leads to lists each with its reason.
  const failed = states.filter(({ id, status }) => status === 'failed' || broken.includes(id)).length
  const counted = useCountSources(failed)
  return useMemo(() => {
    const builtIn = pages().flatMap<NavSource>((page) =>
      page.menu && (page.menu.needs === undefined || has(page.menu.needs))
        ? [
            {
              id: page.path,
              path: page.path,
              name: t(page.name),
              group: page.menu.group,
              order: page.menu.order,
              icon: page.menu.icon,
              count: countOf(page.path, counted),
            },
          ]
        : [],
    )
    const routes = states.flatMap((state) =>
      state.routes
        .filter((route) => !route.meta?.hideInMenu)
        .map<NavSource>((route) => ({
          id: `${state.id}:${route.path}`,
          path: route.path,
          name: nameOf(route),
          icon: route.icon,
          ...(route.parent === undefined ? {} : { parent: route.parent }),
          ...(route.meta?.group === undefined ? {} : { group: route.meta.group }),
          ...(route.meta?.order === undefined ? { order: state.entry.order } : { order: route.meta.order }),
        })),
    )
    const tools = states.flatMap((state) =>
      state.tools.map<NavSource>((tool) => ({
        id: tool.id,
        name: nameOf(tool),
        icon: tool.icon,
        order: state.entry.order,
        ...(tool.path === undefined ? {} : { path: tool.path }),
        ...(tool.parent === undefined ? {} : { parent: tool.parent }),
      })),
    )
    return navigation(
      [...builtIn, ...routes, ...tools],
      builtInGroups.map((group) => [group, t(`group.${group}`)] as const),
    )
  }, [locale, states, has, ...COUNTED.map((source) => counted[source])])
}
