import type { Api } from 'grammy'
import { localized, type CommandMenu, type Locale, type Role } from '@mynah/plugin-chat/api'

/** Commands of one menu. */
const MAX_COMMANDS = 100
const MAX_DESCRIPTION = 256
/** Names that Telegram takes. */
const NAME = /^[a-z0-9_]{1,32}$/
/** Roles that administrators of a group have there. */
const OF_ADMINISTRATORS: readonly Role[] = ['group_admin', 'group_owner']

type Entry = CommandMenu['commands'][number]

/** An entry of a menu of Telegram. */
interface MenuItem {
  readonly command: string
  readonly description: string
}

/** Where Telegram shows a menu. */
type Scope = 'default' | 'all_private_chats' | 'all_chat_administrators'

const isForAll = ({ requiredAnyRole }: Entry): boolean => !requiredAnyRole || requiredAnyRole.includes('user')

/** The menus, and which commands each shows: those that everybody who sees it may run there. */
const MENUS: readonly { readonly scope: Scope; readonly shows: (command: Entry) => boolean }[] = [
  { scope: 'default', shows: (command) => isForAll(command) && !command.privateOnly },
  { scope: 'all_private_chats', shows: isForAll },
  {
    scope: 'all_chat_administrators',
    shows: (command) =>
      !command.privateOnly &&
      (isForAll(command) || OF_ADMINISTRATORS.some((role) => command.requiredAnyRole?.includes(role))),
  },
]

/** The languages of descriptions, with their codes on Telegram. A menu without a code is for all other languages. */
const LANGUAGES: readonly { readonly locale: Locale; readonly code?: 'zh' }[] = [
  { locale: 'en' },
  { locale: 'zh-CN', code: 'zh' },
]

/**
 * Returns the menu for these commands. A menu has no sub-commands: a group of them, such as `note add` and `note list`,
 * is one entry, which names them.
 */
export function menuItems(commands: readonly Entry[], locale: Locale): MenuItem[] {
  const groups = new Map<string, Entry[]>()
  for (const command of commands) {
    const [first = ''] = command.name.toLowerCase().split(/\s+/)
    if (NAME.test(first)) groups.set(first, [...(groups.get(first) ?? []), command])
  }
  return Array.from(groups, ([name, entries]) => {
    const own = entries.find((entry) => entry.name.toLowerCase() === name)
    const text = own
      ? localized(own.description, locale)
      : entries.map((entry) => entry.name.slice(name.length).trim()).join(', ')
    return { command: name, description: Array.from(text).slice(0, MAX_DESCRIPTION).join('') || name }
  }).slice(0, MAX_COMMANDS)
}

/** Shows commands in the menus of a bot. Menus of Telegram have the prefix `/`; they are empty with another one. */
export async function showMenus(api: Api, { prefix, commands }: CommandMenu, signal: AbortSignal): Promise<void> {
  for (const { scope, shows } of MENUS) {
    const shown = prefix === '/' ? commands.filter(shows) : []
    for (const { locale, code } of LANGUAGES)
      await api.setMyCommands(
        menuItems(shown, locale),
        { scope: { type: scope }, ...(code ? { language_code: code } : {}) },
        signal as never,
      )
  }
}
