import { localized, type CommandMenu } from '@mynah/plugin-chat/api'

const MAX_COMMANDS = 100
const MAX_DESCRIPTION = 100
const NAME = /^[-_\p{L}\p{N}]{1,32}$/u
const PRIVATE_CONTEXT = 1
const TEXT_OPTION = 3

type Entry = CommandMenu['commands'][number]

const shortened = (text: string): string => Array.from(text).slice(0, MAX_DESCRIPTION).join('')

/**
 * Returns the slash commands for a menu. Commands with the same first word, such as `note add` and `note list`,
 * are one, since Discord shows a command with sub-commands only with them. Those that need a role are left out.
 */
export function slashCommands({ commands }: CommandMenu): object[] {
  const groups = new Map<string, Entry[]>()
  for (const command of commands) {
    const [first = ''] = command.name.toLowerCase().split(/\s+/)
    const isForAll = !command.requiredAnyRole || command.requiredAnyRole.includes('user')
    if (isForAll && NAME.test(first)) groups.set(first, [...(groups.get(first) ?? []), command])
  }
  return Array.from(groups, ([name, entries]) => {
    const own = entries.find((entry) => entry.name.toLowerCase() === name)
    const parts = entries.map((entry) => entry.name.slice(name.length).trim()).join(', ')
    const [en = name, zh = ''] = (['en', 'zh-CN'] as const).map((locale) =>
      shortened(own ? localized(own.description, locale) : parts),
    )
    return {
      name,
      description: en || name,
      ...(zh && zh !== en ? { description_localizations: { 'zh-CN': zh } } : {}),
      ...(entries.every(({ privateOnly }) => privateOnly) ? { contexts: [PRIVATE_CONTEXT] } : {}),
      options: [
        {
          type: TEXT_OPTION,
          name: 'text',
          description: 'The words after the command',
          description_localizations: { 'zh-CN': '命令之后的内容' },
        },
      ],
    }
  }).slice(0, MAX_COMMANDS)
}
