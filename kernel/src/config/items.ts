import { closestMatch } from '../base/closest-match.js'
import type { AnyPlugin, ItemSchema, Plugin } from '../core/plugin.js'
import { claimsOf } from '../core/plugin.js'
import { castTouched } from './cast.js'
import { copy, mistakesIn } from './check.js'
import type { ConfigDocument } from './document.js'
import type { Interpolated } from './interpolate.js'
import { joinPath } from './key-path.js'
import { problem, type Problem } from './problem.js'

type Item = Readonly<Record<string, unknown>>

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schemas that plugins add to items of lists, such as an adapter to its accounts. */
export class ItemSchemas {
  readonly #schemas: readonly ItemSchema[]
  readonly #read: Interpolated

  constructor(plugins: readonly AnyPlugin[], read: Interpolated) {
    this.#schemas = plugins.flatMap(({ items }) => items ?? [])
    this.#read = read
  }

  /** Converts the values of variables in the items of a plugin's lists to the types that their schemas ask for. */
  cast(plugin: AnyPlugin, config: unknown): unknown {
    const { touched } = this.#read
    if (touched.size === 0) return config
    return this.#eachList(plugin, config, (list, path) =>
      list.map((item, index) => {
        const found = this.#schemaOf(path, item)
        return found ? castTouched(item, found.schema, joinPath(path, index), touched) : item
      }),
    )
  }

  /** Returns the mistakes in the items of a plugin's lists. Items with `enabled: false` may have mistakes. */
  problems(plugin: AnyPlugin, config: unknown, document: ConfigDocument): Problem[] {
    const found: Problem[] = []
    const add = (path: string, message: string, severity: Problem['severity']): void =>
      void found.push(problem(severity, 'config/invalid', `${path} ${message}`, document.place(path), plugin.name))
    this.#eachList(plugin, config, (list, path) => {
      for (const [index, item] of list.entries()) {
        if (!isItem(item) || item['enabled'] === false) continue
        const at = joinPath(path, index)
        const own = this.#schemaOf(path, item)
        if (!own) this.#hint(path, item, (key, message) => add(joinPath(at, key), message, 'warning'))
        else
          for (const mistake of mistakesIn(own.schema, copy(item), at))
            if (!this.#read.unset.has(mistake.path)) add(mistake.path, mistake.message, 'item')
      }
      return list
    })
    return found
  }

  /** A value that no schema knows may belong to a plugin without schemas, so that only a similar one is reported. */
  #hint(list: string, item: Item, report: (key: string, message: string) => void): void {
    const own = this.#schemas.filter((schema) => schema.list === list)
    const key = own[0]?.key
    const written = key === undefined ? undefined : item[key]
    if (key === undefined || typeof written !== 'string') return
    const meant = closestMatch(
      written,
      own.map(({ value }) => value),
    )
    if (meant) report(key, `"${written}" belongs to no plugin with a schema; did you mean "${meant}"?`)
  }

  #schemaOf(list: string, item: unknown): ItemSchema | undefined {
    if (!isItem(item)) return undefined
    return this.#schemas.find((schema) => schema.list === list && item[schema.key] === schema.value)
  }

  /** Replaces each claimed list of a plugin that has such schemas. Returns the configuration with these lists. */
  #eachList(
    plugin: AnyPlugin,
    config: unknown,
    replace: (list: readonly unknown[], path: string) => readonly unknown[],
  ): unknown {
    const lists = claimsOf(plugin)
      .map(({ path }) => path)
      .filter((path) => this.#schemas.some(({ list }) => list === path))
    if (lists.length === 0) return config
    const many = 'keys' in ((plugin as Plugin).config ?? {})
    if (!many) return Array.isArray(config) ? replace(config, lists[0] as string) : config
    const sections = { ...(config as Record<string, unknown> | undefined) }
    for (const path of lists) {
      const list = sections[path]
      if (Array.isArray(list)) sections[path] = replace(list, path)
    }
    return sections
  }
}
