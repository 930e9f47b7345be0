import type { FieldContext } from './controls.js'
import { sectionValue, type Draft } from './draft.js'
import { getIn, keyPath } from './model.js'
import type { Editing } from './use-editing.js'
import type { Problem } from './yaml-tools.js'

/** The part of a draft that the form of a section shows and changes. */
export interface FormPart {
  readonly value: unknown
  /** Its value on the host. */
  readonly before: unknown
  readonly problems: readonly Problem[]
  readonly context: FieldContext
}

/** Returns the part of a draft that the form of a section shows and changes. */
export function formPart(editing: Editing, draft: Draft, key: string, readOnly: boolean): FormPart {
  const problems = editing.problems[key] ?? []
  const value = sectionValue(draft, key)
  return {
    problems,
    value,
    before: getIn(draft.base.config, keyPath(key)),
    context: {
      section: key,
      problems,
      readOnly,
      valueAt: (path) => getIn(value, path),
      set: (path, next) => editing.set(key, path, next),
    },
  }
}
