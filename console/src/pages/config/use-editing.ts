import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { resources } from '../../lib/resources.js'
import { useLazy } from '../../lib/use-lazy.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { change, draftOf, fromText, isDirty, rebase, sectionValue, takeTheirs, type Base, type Draft } from './draft.js'
import { equal, sectionsOf, type Json, type Path, type Section } from './model.js'
import type * as Tools from './yaml-tools.js'
import type { Problem, YamlProblem } from './yaml-tools.js'
import { draftText } from './draft-text.js'
import type { schemaProblems } from './schema-problems.js'
import type { Store } from '../../lib/store.js'

interface Configuration extends Base {
  readonly aliases: Readonly<Record<string, string>>
  readonly schemas: Readonly<Record<string, unknown>>
  /** Why the host would refuse the file as it is on disk, or a part of it. */
  readonly problem?: { readonly message: string; readonly line?: number; readonly readable: boolean }
}

type YamlTools = typeof Tools & { readonly schemaProblems: typeof schemaProblems }

export interface Editing {
  readonly resource: Resource<Configuration>
  readonly tools: YamlTools | undefined
  readonly draft: Draft | undefined
  readonly dirty: boolean
  readonly sections: readonly Section[]
  readonly unclaimed: readonly Section[]
  readonly problems: Readonly<Record<string, readonly Problem[]>>
  readonly yamlProblems: readonly YamlProblem[]
  readonly text: string
  readonly set: (key: string, path: Path, value: unknown) => void
  readonly setText: (text: string) => void
  readonly take: (key: string) => void
  readonly keep: (key: string) => void
  readonly discard: () => void
  /** Drops saved sections and keeps rejected ones. */
  readonly settle: (kept: readonly string[]) => void
}

/** Key of the whole file, if it was edited as text. */
export const FILE = 'mynah.config.yml'
const CALL = 'config:get-all'
const TYPING_MS = 300

async function load(signal: AbortSignal): Promise<Configuration> {
  const client = host()
  const [{ config, aliases }, { yaml, etag, problem }, schemas] = await Promise.all([
    client.rpc('config:get-all', {}, { signal }),
    client.rpc('config:get-yaml', {}, { signal }),
    client.rpc('schema:get-all', {}, { signal }),
  ])
  return { config, aliases, yaml, etag, schemas, ...(problem ? { problem } : {}) }
}

export function useEditing(): Editing {
  const store = draftOf(host().base)
  const draft = useStore(store)
  const resource = useResource<Configuration>(CALL, load)
  const { loaded: tools } = useLazy(loadTools)
  const [yamlProblems, setYamlProblems] = useState<readonly YamlProblem[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { data } = resource
  useEffect(() => () => clearTimeout(timer.current), [])
  useNewVersions(store, data)
  const { claimed, unclaimed } = useMemo(
    () => (data ? sectionsOf(data.config, data.aliases, data.schemas) : { claimed: [], unclaimed: [] }),
    [data],
  )
  const keys = [...claimed, ...unclaimed].map((section) => section.key)

  const problems = useProblems(tools, draft, claimed)

  const text = useText(draft, tools)
  const update = (work: (draft: Draft) => Draft): void => {
    const now = store.get()
    if (now) store.set(work(now))
  }
  const set = (key: string, path: Path, value: unknown): void =>
    update((now) => {
      const next = change(now, key, path, value)
      if (now.text === undefined || !tools) return next
      // The text is saved, so the value is changed there, too.
      return { ...next, text: tools.patch(now.text, key.split('.'), sectionValue(now, key), sectionValue(next, key)) }
    })
  const setText = (next: string): void => {
    update((now) =>
      next === now.base.yaml ? { base: now.base, sections: {}, theirs: now.theirs } : { ...now, text: next },
    )
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (!tools) return
      const parsed = tools.parse(next)
      setYamlProblems(parsed.problems)
      update((now) => fromText(now, now.text ?? now.base.yaml, parsed, keys))
    }, TYPING_MS)
  }
  const base = data ? baseOf(data) : undefined
  return {
    resource,
    tools,
    draft,
    dirty: isDirty(draft),
    sections: claimed,
    unclaimed,
    problems,
    text,
    set,
    setText,
    yamlProblems: useMemo(
      () =>
        yamlProblems.length > 0 ? yamlProblems : (tools?.schemaProblems(tools.parse, text, problems) ?? NO_PROBLEMS),
      [yamlProblems, problems, text, tools],
    ),
    take: (key) => update((now) => (key === FILE && base ? { base, sections: {}, theirs: [] } : takeTheirs(now, key))),
    keep: (key) =>
      update((now) =>
        key === FILE && base
          ? { ...now, base, theirs: [] }
          : { ...now, theirs: now.theirs.filter((item) => item !== key) },
      ),
    discard: () => {
      setYamlProblems([])
      if (base) store.set({ base, sections: {}, theirs: [] })
    },
    settle: (kept) =>
      update((now) => {
        const { text: _text, ...rest } = now
        return {
          ...rest,
          sections: Object.fromEntries(Object.entries(now.sections).filter(([key]) => kept.includes(key))),
        }
      }),
  }
}

const baseOf = ({ config, yaml, etag }: Configuration): Base => ({
  config,
  yaml,
  ...(etag === undefined ? {} : { etag }),
})

/** Returns the text of the file with the changes of the draft. */
function useText(draft: Draft | undefined, tools: typeof Tools | undefined) {
  return useMemo(
    () =>
      draft
        ? (draft.text ?? (tools && Object.keys(draft.sections).length > 0 ? draftText(tools, draft) : draft.base.yaml))
        : '',
    [draft, tools],
  )
}

/** Returns the problems of each section with a schema. */
function useProblems(tools: typeof Tools | undefined, draft: Draft | undefined, claimed: readonly Section[]) {
  return useMemo(() => {
    if (!tools || !draft) return {}
    const found: Record<string, readonly Problem[]> = {}
    for (const { key, schema } of claimed) {
      const value = sectionValue(draft, key)
      if (schema && value !== undefined) found[key] = tools.check(schema as Json, value)
    }
    return found
  }, [tools, draft?.sections, draft?.base, claimed])
}

/** Moves the draft onto versions of the file that were loaded since. */
function useNewVersions(store: Store<Draft | undefined>, data: Configuration | undefined) {
  // No event reports edits of the file that the host rejected, so it is loaded again when the tab becomes visible.
  useEffect(() => {
    const look = (): void => {
      if (store.get() && document.visibilityState === 'visible') resources.reload(CALL)
    }
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [store])
  // A clean draft starts from the new version. A changed one is rebased onto it.
  useEffect(() => {
    if (!data) return
    const base = baseOf(data)
    const now = store.get()
    if (!now || !isDirty(now)) store.set({ base, sections: {}, theirs: [] })
    else if (now.base.yaml !== base.yaml || !equal(now.base.config, base.config))
      store.set(now.text === undefined ? rebase(now, base) : { ...now, theirs: [FILE] })
    // Only a secret differs. The host fills in that of the file.
    else if (now.base.etag !== base.etag) store.set({ ...now, base })
  }, [data])
}

/** Loads the tools for YAML, which come later than the page. Without them only the host validates. */
const loadTools = async (): Promise<YamlTools> => {
  const [tools, problems] = await Promise.all([import('./yaml-tools.js'), import('./schema-problems.js')])
  return { ...tools, ...problems }
}

const NO_PROBLEMS: readonly YamlProblem[] = []
