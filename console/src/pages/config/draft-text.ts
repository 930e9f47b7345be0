import { sectionValue, type Draft } from './draft.js'
import { keyPath } from './model.js'
import type * as Tools from './yaml-tools.js'

/** Returns the file that will be saved: the edited text, or the host's text with each changed section patched. */
export function draftText(tools: typeof Tools, draft: Draft): string {
  if (draft.text !== undefined) return draft.text
  return Object.keys(draft.sections).reduce(
    (text, key) => tools.patch(text, keyPath(key), sectionValue({ ...draft, sections: {} }, key), draft.sections[key]),
    draft.base.yaml,
  )
}
