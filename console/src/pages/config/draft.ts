// The one draft of the configuration: form and YAML both change it; it lives until it is saved or discarded.
import { createStore, type Store } from '../../lib/store.js'
import type { Parsed } from './yaml-tools.js'
import { equal, getIn, keyPath, setIn, type Json, type Path } from './model.js'

export interface Base {
  readonly config: Json
  readonly yaml: string
}

export interface Draft {
  /** What the draft began with. */
  readonly base: Base
  /** Sections that differ from the base, by key. */
  readonly sections: Readonly<Record<string, unknown>>
  /** The file as text, once it was edited as text: then it is what is saved. */
  readonly text?: string
  /** Sections that somebody else changed meanwhile. */
  readonly theirs: readonly string[]
}

const drafts = new Map<string, Store<Draft | undefined>>()

/** The draft for a host; it outlives the page, but never reaches the browser's storage, where secrets may not stand. */
export function draftOf(host: string): Store<Draft | undefined> {
  const known = drafts.get(host)
  if (known) return known
  const store = createStore<Draft | undefined>(undefined)
  drafts.set(host, store)
  return store
}

export const isDirty = (draft: Draft | undefined): draft is Draft =>
  draft !== undefined &&
  (draft.text !== undefined ? draft.text !== draft.base.yaml : Object.keys(draft.sections).length > 0)

const baseOf = (base: Base, key: string): unknown => getIn(base.config, keyPath(key))

/** The value of a section as the draft has it. */
export const sectionValue = (draft: Draft, key: string): unknown =>
  Object.hasOwn(draft.sections, key) ? draft.sections[key] : baseOf(draft.base, key)

/** `draft` with one value of a section changed; a section that is as it was drops out. */
export function change(draft: Draft, key: string, path: Path, value: unknown): Draft {
  const next = setIn(sectionValue(draft, key), path, value)
  const { [key]: _former, ...others } = draft.sections
  return { ...draft, sections: equal(next, baseOf(draft.base, key)) ? others : { ...others, [key]: next } }
}

/** `draft` as a text says it; where the text cannot be read the sections stay as they were. */
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

/** `draft` on top of what the host has now; sections that were changed on both sides are named. */
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

/** `draft` without what was changed in a section here. */
export function takeTheirs(draft: Draft, key: string): Draft {
  const { [key]: _mine, ...others } = draft.sections
  return { ...draft, sections: others, theirs: draft.theirs.filter((item) => item !== key) }
}
