import type { Section } from '../config/model.js'
import { kindOf, propertiesOf, resolve } from '../config/schema.js'
import type { Problem } from '../config/yaml-tools.js'

export interface SettingCount {
  readonly all: number
  readonly wrong: number
}

/** Counts the settings of sections as their forms show them: a row each, also for a key that is not known. */
export function countSettings(
  sections: readonly Section[],
  problems: Readonly<Record<string, readonly Problem[]>>,
): SettingCount {
  let [all, wrong] = [0, 0]
  for (const { key, schema } of sections) {
    const given = schema ? resolve(schema, undefined) : {}
    const isGroup = kindOf(given) === 'group'
    const declared = isGroup ? propertiesOf(given).map(([name]) => name) : ['']
    const bad = new Set((problems[key] ?? []).map(({ path }) => (isGroup ? String(path[0] ?? '') : '')))
    wrong += bad.size
    all += new Set([...declared, ...bad]).size
  }
  return { all, wrong }
}
