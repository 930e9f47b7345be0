// The text that a draft comes to.
import { sectionValue, type Draft } from './draft.js'
import { keyPath } from './model.js'
import type * as Tools from './yaml-tools.js'

/** The file as it will be: the text that was edited, else the host's with each changed section in its place. */
export function draftText(tools: typeof Tools, draft: Draft): string {
  if (draft.text !== undefined) return draft.text
  return Object.keys(draft.sections).reduce(
    (text, key) => tools.patch(text, keyPath(key), sectionValue({ ...draft, sections: {} }, key), draft.sections[key]),
    draft.base.yaml,
  )
}
