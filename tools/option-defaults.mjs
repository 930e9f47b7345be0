// `node tools/option-defaults.mjs`: prints the options of all plugins with their defaults, which a release keeps in
// test/releases/<version>/options.json. The READMEs have them: `npm run lint` compares these with the schemas.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, workspaces } from './lib.mjs'

const TABLE = /<!-- options:begin -->([\s\S]*?)<!-- options:end -->/
const ROW = /^\| `([^`]+)` \| (?:\\\||[^|])+\| (?:((?:\\\||[^|])+) )?\| /gm
/** Defaults of new options that leave a host as it was. Others are a decision. */
const NOTHING = new Set(['', '`false`', '`[]`', '`""`', 'required'])

/** Returns the defaults in the table of a README by the path of their option, as they are written there. */
export function defaultsIn(readme) {
  const [, table = ''] = TABLE.exec(readme) ?? []
  return Object.fromEntries(Array.from(table.matchAll(ROW), ([, path, fallback = '']) => [path, fallback.trim()]))
}

/** Returns the defaults of all plugins by their name. */
export function optionDefaults() {
  const plugins = workspaces()
    .filter((folder) => folder.startsWith('plugins/') && existsSync(join(root, folder, 'README.md')))
    .map((folder) => [folder.slice(8), defaultsIn(readFileSync(join(root, folder, 'README.md'), 'utf8'))])
  return Object.fromEntries(plugins.filter(([, options]) => Object.keys(options).length > 0))
}

const isBelow = (option, section) => option.startsWith(`${section}.`) || option.startsWith(`${section}[`)

/**
 * Returns what concerns hosts of an earlier release: options with another default, options that are gone, and new
 * options that do something by default. An option that changes nothing until it is set is none of these.
 */
export function changedOptions(before, after) {
  const all = (options) => Object.entries(options).flatMap(([plugin, own]) => Object.keys(own).map((o) => [plugin, o]))
  const lost = all(before)
    .filter(([plugin, option]) => after[plugin]?.[option] === undefined)
    .filter(([plugin, option]) => !Object.keys(after[plugin] ?? {}).some((section) => isBelow(option, section)))
  const changed = all(after).filter(([plugin, option]) => {
    const [old, now] = [before[plugin]?.[option], after[plugin][option]]
    // A plugin that is new has no hosts.
    return old === undefined ? before[plugin] !== undefined && !NOTHING.has(now) : old !== now
  })
  return [...lost, ...changed].map(([plugin, option]) => ({
    plugin,
    option,
    before: before[plugin]?.[option],
    after: after[plugin]?.[option],
  }))
}

/** Returns whether one of the options of a change, with `*` for any name, is the option or its section. */
export function isNamed(option, { options }) {
  return options
    .map((named) => named.replaceAll('*', '<name>'))
    .some((named) => named === option || isBelow(option, named))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${JSON.stringify(optionDefaults(), null, 2)}\n`)
