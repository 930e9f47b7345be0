import { currentLocale } from '../../lib/i18n.js'
import { isRecord, type Json, type ShownSection } from './model.js'
import { describe, itemsOf, propertiesOf, resolve, valuesOf } from './schema.js'

/** One setting of a section, as the search finds it. */
export interface Setting {
  /** The key of the section that shows it. */
  readonly section: string
  /** Its path in the file, as `http.port`. Items of lists and maps have no part of their own. */
  readonly setting: string
  readonly description: string
  /** The searched text: the path, and the descriptions in all languages. */
  readonly text: string
}

const DEEPEST = 8
const MOST = 60

/** Returns all settings of the sections, those of items of lists and maps, too. */
export function settingsOf(shown: readonly ShownSection[], locale: string = currentLocale()): Setting[] {
  const found = new Map<string, Setting>()
  const walk = (section: string, path: string, given: Json, depth: number): void => {
    const schema = resolve(given, undefined)
    const others = isRecord(schema['descriptions']) ? Object.values(schema['descriptions']) : []
    if (!found.has(path))
      found.set(path, {
        section,
        setting: path,
        description: describe(schema, locale),
        text: [path, describe(schema, 'en'), ...others.map(String)].join(' ').toLowerCase(),
      })
    if (depth > DEEPEST) return
    for (const inner of [schema, itemsOf(schema), valuesOf(schema) ?? {}])
      for (const [name, property] of propertiesOf(resolve(inner, undefined)))
        walk(section, `${path}.${name}`, property, depth + 1)
  }
  for (const { key, schema, folded } of shown) {
    if (schema) walk(key, key, schema, 0)
    for (const inner of folded) if (inner.schema) walk(key, inner.key, inner.schema, 0)
  }
  return [...found.values()]
}

/** Returns the settings that have all words, those with a word in the name first. */
export function findSettings(settings: readonly Setting[], words: string): Setting[] {
  const needles = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (needles.length === 0) return []
  const rank = ({ setting }: Setting): number => {
    const path = setting.toLowerCase()
    const name = path.slice(path.lastIndexOf('.') + 1)
    if (needles.some((needle) => name.startsWith(needle))) return 0
    return needles.some((needle) => path.includes(needle)) ? 1 : 2
  }
  return settings
    .filter(({ text }) => needles.every((needle) => text.includes(needle)))
    .map((setting) => ({ setting, rank: rank(setting) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ setting }) => setting)
}
