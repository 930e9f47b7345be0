import { createDraftStore } from '../../lib/draft-store.js'
import { parseJson } from '../../lib/parse-json.js'
import type { Store } from '../../lib/store.js'
import type { Parsed } from './yaml-tools.js'
import { equal, getIn, isRecord, keyPath, setIn, type Json, type Path } from './model.js'

export interface Base {
  readonly config: Json
  readonly yaml: string
  /** Changes with the file, its secrets included. */
  readonly etag?: string
}

export interface Draft {
  /** The version that the draft started from. */
  readonly base: Base
  /** Sections that differ from the base, by key. */
  readonly sections: Readonly<Record<string, unknown>>
  /** The edited text, which then is saved as a whole. */
  readonly text?: string
  /** Sections that changed on the host meanwhile. */
  readonly theirs: readonly string[]
}

const drafts = new Map<string, Store<Draft | undefined>>()

/** Returns the draft for a host. It outlasts the page and a reload, and ends with the tab: a secret may be in it. */
export function draftOf(host: string): Store<Draft | undefined> {
  const known = drafts.get(host)
  if (known) return known
  const store = createDraftStore<Draft | undefined>({
    key: `mynah_config:${host}`,
    keeping: 'tab',
    parse: parseDraft,
    format: (draft) => (isDirty(draft) ? JSON.stringify(draft) : ''),
  })
  drafts.set(host, store)
  return store
}

/** Returns a draft that was kept, or undefined if the text is none. */
export function parseDraft(text: string | null): Draft | undefined {
  const draft = parseJson(text) as Draft | undefined
  // Another version of the console may have written it.
  return isRecord(draft?.base?.config) && isRecord(draft.sections) && Array.isArray(draft.theirs) ? draft : undefined
}

export const isDirty = (draft: Draft | undefined): draft is Draft =>
  draft !== undefined &&
  (draft.text !== undefined ? draft.text !== draft.base.yaml : Object.keys(draft.sections).length > 0)

/** Returns whether something of the draft was changed elsewhere, which is settled before it is reviewed. */
export const isDisputed = (draft: Draft | undefined): boolean => (draft?.theirs.length ?? 0) > 0

const baseOf = (base: Base, key: string): unknown => getIn(base.config, keyPath(key))

/** Returns the value of a section in the draft. */
export const sectionValue = (draft: Draft, key: string): unknown =>
  Object.hasOwn(draft.sections, key) ? draft.sections[key] : baseOf(draft.base, key)

/** Changes one value of a section. A section equal to its base is dropped. */
export function change(draft: Draft, key: string, path: Path, value: unknown): Draft {
  const next = setIn(sectionValue(draft, key), path, value)
  const { [key]: _former, ...others } = draft.sections
  return { ...draft, sections: equal(next, baseOf(draft.base, key)) ? others : { ...others, [key]: next } }
}

/** Updates the draft from a text. Sections stay as they are if the text cannot be parsed. */
export function fromText(draft: Draft, text: string, parsed: Parsed, keys: readonly string[]): Draft {
  if (text === draft.base.yaml) {
    const { text: _text, ...rest } = draft
    return { ...rest, sections: {} }
  }
  if (!parsed.value) return { ...draft, text }
  const { value } = parsed
  const sections = Object.fromEntries(
    keys.flatMap((key) => {
      const now = getIn(value, keyPath(key))
      return equal(now, baseOf(draft.base, key)) ? [] : [[key, now]]
    }),
  )
  return { ...draft, text, sections }
}

/** Rebases a draft onto the host's current version. Sections changed on both sides are listed in `theirs`. */
export function rebase(draft: Draft, base: Base): Draft {
  const both = Object.keys(draft.sections).filter((key) => !equal(baseOf(draft.base, key), baseOf(base, key)))
  const sections = Object.fromEntries(
    Object.entries(draft.sections).filter(([key, value]) => !equal(value, baseOf(base, key))),
  )
  return {
    ...draft,
    base,
    sections,
    theirs: [...new Set([...draft.theirs, ...both])].filter((key) => Object.hasOwn(sections, key)),
  }
}

/** Drops the local change of a section. */
export function takeTheirs(draft: Draft, key: string): Draft {
  const { [key]: _mine, ...others } = draft.sections
  return { ...draft, sections: others, theirs: draft.theirs.filter((item) => item !== key) }
}
