import { LazyPage } from '../../app/lazy-page.js'
import { useWriteBlock } from '../../app/event-stream.js'
import type { Query } from '../../lib/router.js'
import { EmptyState, Select } from '../../ui/index.js'
import { LazyEditor } from '../../ui/parts/index.js'
import { formPart } from './form-part.js'
import { getIn, keyPath, type ShownSection } from './model.js'
import { t } from './texts.js'
import { FILE, type Editing } from './use-editing.js'

const loadForm = () => import('./form.js').then((module) => module.SectionForm)

export type ConfigQuery = Query<{ section: string; mode: string; line: string; setting: string }>

interface ConfigBodyProps {
  readonly editing: Editing
  readonly query: ConfigQuery
  readonly yaml: boolean
  readonly all: readonly ShownSection[]
  readonly opened: ShownSection | undefined
}

export function ConfigBody({ editing, query, yaml, all, opened }: ConfigBodyProps) {
  const readOnly = useWriteBlock() !== undefined
  const { draft } = editing
  if (!draft) return null
  if (yaml)
    return (
      <LazyEditor
        label={FILE}
        language="yaml"
        value={editing.text}
        onChange={editing.setText}
        problems={editing.yamlProblems}
        readOnly={readOnly}
        line={Number(query.values.line) || undefined}
      />
    )
  if (!opened) return <EmptyState title={t('choose')} />
  return (
    <>
      <div class="only-small config-choice">
        <Select
          label={t('section')}
          compact
          value={opened.key}
          onChange={(section) => query.set({ section })}
          options={all.map((section) => ({ value: section.key, label: section.key }))}
        />
      </div>
      <LazyPage
        key={opened.key}
        load={loadForm}
        props={{
          section: opened,
          sections: [...editing.sections, ...editing.unclaimed],
          ...formPart(editing, draft, opened.key, readOnly),
          folded: opened.folded.map((section) => ({ section, ...formPart(editing, draft, section.key, readOnly) })),
          setting: query.values.setting,
          leftOver:
            readOnly || opened.plugin !== undefined || opened.key === 'plugins'
              ? undefined
              : leftOver(editing, opened.key),
          onYaml: () => query.set({ mode: 'yaml' }),
        }}
      />
    </>
  )
}

/** Returns the ways out of a key that no plugin claims. They change the text of the file. */
function leftOver(editing: Editing, key: string) {
  const { tools, draft, text, sections } = editing
  if (!tools || !draft) return undefined
  const value = getIn(draft.base.config, [key])
  const without = (): string => tools.patch(text, [key], value, undefined)
  const near = tools.nearest(
    key,
    sections.map((section) => section.key).filter((name) => getIn(draft.base.config, keyPath(name)) === undefined),
  )
  return {
    near,
    onRemove: () => editing.setText(without()),
    onUse: () => editing.setText(tools.patch(without(), keyPath(near ?? key), undefined, value)),
  }
}
