import type { Command, Param } from '../api/command.js'
import { localized, type Locale } from '../api/languages.js'
import type { Role } from '../api/message.js'
import { textsFor } from '../texts.js'
import type { CommandTree, OwnedCommand } from './tree.js'

/** Returns how a command is called, such as `/note add <text…> [--urgent]`. */
export function usageOf(command: Command, prefix: string): string {
  const parts = [`${prefix}${command.name}`]
  for (const [name, param] of Object.entries(command.args ?? {})) {
    const shown = param.kind === 'rest' ? `${name}…` : (param.choices?.join('|') ?? name)
    parts.push(param.optional ? `[${shown}]` : `<${shown}>`)
  }
  for (const [name, param] of Object.entries(command.options ?? {})) {
    const shown =
      param.kind === 'boolean' ? `--${name}` : `--${name} <${param.choices ? param.choices.join('|') : param.kind}>`
    parts.push(param.optional ? `[${shown}]` : shown)
  }
  return parts.join(' ')
}

/** Returns whether a user with these roles sees the command and may run it. */
export function mayUse(command: Command, roles: ReadonlySet<Role>): boolean {
  return !command.requiredAnyRole || command.requiredAnyRole.some((role) => roles.has(role))
}

// No line starts with the prefix: another bot in the channel would run it as a command, and both would answer forever.
const lineOf = (command: Command, prefix: string, locale: Locale): string =>
  `- ${usageOf(command, prefix)} – ${localized(command.description, locale)}`
const visible = (all: readonly OwnedCommand[], roles: ReadonlySet<Role>): Command[] =>
  all
    .map(({ command }) => command)
    .filter((command) => !command.hidden && mayUse(command, roles))
    .sort((a, b) => a.name.localeCompare(b.name))

/** Returns the list of all commands that the user may use. */
export function overview(tree: CommandTree, prefix: string, locale: Locale, roles: ReadonlySet<Role>): string {
  const texts = textsFor(locale)
  const list = visible(tree.all(), roles)
  if (list.length === 0) return texts.noCommands
  return [texts.help, ...list.map((command) => lineOf(command, prefix, locale)), `- ${texts.helpMore(prefix)}`].join(
    '\n',
  )
}

/** Returns the sub-commands of a group that is no command itself. */
export function groupHelp(
  tree: CommandTree,
  words: readonly string[],
  prefix: string,
  locale: Locale,
  roles: ReadonlySet<Role>,
): string {
  const texts = textsFor(locale)
  const below = tree.below(words)
  const usable = visible(below, roles)
  if (usable.length > 0)
    return [texts.subcommands, ...usable.map((command) => lineOf(command, prefix, locale))].join('\n')
  const needed = below.flatMap(({ command }) => (command.hidden ? [] : (command.requiredAnyRole ?? [])))
  return needed.length > 0 ? texts.notAllowed([...new Set(needed)]) : texts.noCommands
}

function paramLine(name: string, param: Param, locale: Locale, isOption: boolean): string {
  const texts = textsFor(locale)
  const notes: string[] = []
  if (param.description) notes.push(localized(param.description, locale))
  if (param.default !== undefined) notes.push(texts.defaultsTo(String(param.default)))
  else if (param.optional && param.kind !== 'boolean') notes.push(texts.optional)
  const short = param.short ? `-${param.short}, ` : ''
  const label = isOption ? `${short}--${name}` : name
  return `  ${label}${notes.length ? ` – ${notes.join(', ')}` : ''}`
}

/** Describes one command. */
export function details(
  tree: CommandTree,
  command: Command,
  prefix: string,
  locale: Locale,
  roles: ReadonlySet<Role>,
): string {
  const texts = textsFor(locale)
  const lines = [lineOf(command, prefix, locale)]
  if (command.aliases?.length) lines.push(texts.aliases(command.aliases.map((alias) => `${prefix}${alias}`).join(', ')))
  const args = Object.entries(command.args ?? {})
  if (args.length) lines.push(texts.arguments, ...args.map(([name, param]) => paramLine(name, param, locale, false)))
  const options = Object.entries(command.options ?? {})
  if (options.length) lines.push(texts.options, ...options.map(([name, param]) => paramLine(name, param, locale, true)))
  const below = visible(tree.below(command.name.split(/\s+/)), roles)
  if (below.length) lines.push(texts.subcommands, ...below.map((other) => `  ${lineOf(other, prefix, locale)}`))
  if (command.examples?.length)
    lines.push(texts.examples, ...command.examples.map((example) => `  - ${prefix}${example}`))
  return lines.join('\n')
}
