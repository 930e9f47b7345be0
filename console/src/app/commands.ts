// What the palette offers: pages, pages of entries, commands.
import { setLocale, currentLocale, t } from '../lib/i18n.js'
import { theme } from '../lib/preferences.js'
import { navigate } from '../lib/router.js'
import { changeHost, signOut } from './host.js'
import type { NavGroup, NavItem } from './nav.js'
import { openOverlay } from './overlay.js'
import { refreshPage } from './shortcuts.js'

export interface Command {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly run: () => void
}

const flatten = (items: readonly NavItem[]): NavItem[] => items.flatMap((item) => [item, ...flatten(item.children)])

export function commands(groups: readonly NavGroup[]): Command[] {
  const dark = theme.get() === 'dark' || (theme.get() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  return [
    ...groups.flatMap((group) => flatten(group.items).flatMap((item) => {
      const { path } = item
      return path === undefined ? [] : [{ id: item.id, name: item.name, kind: group.name, run: () => navigate(path) }]
    })),
    { id: 'refresh', name: t('refresh'), kind: t('palette.command'), run: refreshPage },
    { id: 'theme', name: t(dark ? 'theme.toLight' : 'theme.toDark'), kind: t('palette.command'), run: () => theme.set(dark ? 'light' : 'dark') },
    { id: 'locale', name: currentLocale() === 'en' ? '简体中文' : 'English', kind: t('palette.command'), run: () => void setLocale(currentLocale() === 'en' ? 'zh-CN' : 'en') },
    { id: 'shortcuts', name: t('shortcuts'), kind: t('palette.command'), run: () => openOverlay('shortcuts') },
    { id: 'host', name: t('host.open'), kind: t('palette.command'), run: () => openOverlay('host') },
    { id: 'change', name: t('host.change'), kind: t('palette.command'), run: changeHost },
    { id: 'sign-out', name: t('host.signOut'), kind: t('palette.command'), run: signOut },
  ]
}
