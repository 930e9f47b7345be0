import { getIn, isRecord, keyPath, setIn, type Json } from '../config/model.js'
import { propertiesOf, resolve } from '../config/schema.js'

/** A section of a plugin, as the host describes it. */
export interface DescribedSection {
  readonly path: string
  readonly schema: unknown
}

/** A setting without which a plugin does not start. */
export interface RequiredSetting {
  /** The path of its section, as `http`. */
  readonly section: string
  readonly name: string
  readonly schema: Json
}

/** Returns the required settings that neither the configuration nor a default gives. */
export function missingSettings(sections: readonly DescribedSection[], config: Json): RequiredSetting[] {
  return sections.flatMap(({ path, schema: given }) => {
    const schema = isRecord(given) ? resolve(given, undefined) : {}
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
    return propertiesOf(schema)
      .filter(([name, inner]) => required.includes(name) && inner['default'] === undefined)
      .filter(([name]) => getIn(config, [...keyPath(path), name]) === undefined)
      .map(([name, inner]) => ({ section: path, name, schema: inner }))
  })
}

/** Returns the sections of the configuration with values that a person has typed, by section and name. */
export function withValues(
  config: Json,
  values: Readonly<Record<string, Json>>,
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([section, typed]) => [
      section,
      Object.entries(typed).reduce<Record<string, unknown>>(
        (made, [name, value]) => setIn(made, [name], value) as Record<string, unknown>,
        { ...(getIn(config, keyPath(section)) as Json | undefined) },
      ),
    ]),
  )
}
