import { setLocale, currentLocale } from '../lib/i18n.js'
import { pages } from '../lib/pages.js'
import { shortcutsOn, theme } from '../lib/preferences.js'
import { navigate } from '../lib/router.js'
import { changeHost, signOut } from './host.js'
import type { NavGroup, NavItem } from './nav.js'
import { openOverlay } from './overlays.js'
import { t } from './palette-texts.js'
import { refreshPage } from './shortcuts.js'

export type CommandGroup = 'pages' | 'things' | 'commands'

export interface Command {
  readonly id: string
  readonly name: string
  readonly group: CommandGroup
  /** Shown after the name, as "plugin" or "setting of chat". */
  readonly kind: string
  /** The target page. A command without one runs an action. */
  readonly path?: string
  readonly run: () => void
  /** Keys that do the same. */
  readonly keys?: readonly string[]
  /** The problem of the target, shown as a warning. */
  readonly alert?: string
  /** The name is an identifier. */
  readonly mono?: boolean
}

const flatten = (items: readonly NavItem[]): NavItem[] => items.flatMap((item) => [item, ...flatten(item.children)])

export function commands(groups: readonly NavGroup[]): Command[] {
  const dark =
    theme.get() === 'dark' || (theme.get() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const command = (id: string, name: string, run: () => void, keys?: readonly string[]): Command => ({
    id,
    name,
    group: 'commands',
    kind: '',
    run,
    ...(keys ? { keys } : {}),
  })
  return [
    ...groups.flatMap((group) =>
      flatten(group.items).flatMap((item): Command[] => {
        const { path, count } = item
        if (path === undefined) return []
        const key = pages().find((page) => page.path === path)?.menu?.key
        return [
          {
            id: `page:${path}`,
            name: item.name,
            group: 'pages',
            kind: group.name,
            path,
            run: () => navigate(path),
            ...(key ? { keys: ['g', key] } : {}),
            ...(count?.tone ? { alert: count.text } : {}),
          },
        ]
      }),
    ),
    command('refresh', t('refresh'), refreshPage, ['r']),
    command('theme', t(dark ? 'toLight' : 'toDark'), () => theme.set(dark ? 'light' : 'dark')),
    command(
      'locale',
      currentLocale() === 'en' ? '简体中文' : 'English',
      () => void setLocale(currentLocale() === 'en' ? 'zh-CN' : 'en'),
    ),
    command('shortcuts', t('shortcuts'), () => openOverlay('shortcuts'), ['?']),
    command('single-keys', t(shortcutsOn.get() ? 'turnOff' : 'turnOn'), () => shortcutsOn.set(!shortcutsOn.get())),
    ...(__DEMO__
      ? []
      : [
          command('host', t('openHost'), () => openOverlay('host')),
          command('change', t('host.change'), changeHost),
          command('sign-out', t('host.signOut'), signOut),
        ]),
  ]
}
