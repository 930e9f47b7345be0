import type { PluginItem } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { useResource } from '../../lib/use-resource.js'
import { PaneList, type PaneRow } from '../../ui/parts/index.js'
import { sectionValue } from './draft.js'
import { keysOf, type ShownSection } from './model.js'
import { t } from './texts.js'
import type { Editing } from './use-editing.js'

/** Lists sections with an invalid draft or a stopped plugin first. */
export function SectionList({
  editing,
  shown,
  current,
  onOpen,
}: {
  readonly editing: Editing
  readonly shown: readonly ShownSection[]
  readonly current: string | undefined
  readonly onOpen: (key: string) => void
}) {
  const plugins = useResource<PluginItem[]>('GET /plugins', (signal) => host().rest('GET /plugins', { signal }))
  const inactive = new Set(
    (plugins.data ?? []).filter((plugin) => plugin.status === 'inactive').map((plugin) => plugin.name),
  )
  const { draft, problems } = editing
  const badIn = (section: ShownSection): number =>
    keysOf(section).reduce((sum, key) => sum + (problems[key]?.length ?? 0), 0)
  const row = (section: ShownSection, end?: string): PaneRow => {
    const bad = badIn(section)
    const value = draft && sectionValue(draft, section.key)
    const size = Array.isArray(value) ? String(value.length) : undefined
    const text = bad > 0 ? t('notValid', { count: bad }) : (end ?? size)
    return {
      id: section.key,
      mono: true,
      bad: bad > 0,
      label: (
        <>
          {section.key}
          {draft && keysOf(section).some((key) => Object.hasOwn(draft.sections, key)) ? (
            <i class={bad > 0 ? 'dot bad' : 'dot'} title={t('changed')} />
          ) : null}
        </>
      ),
      ...(text === undefined ? {} : { end: text }),
    }
  }
  const needs = (section: ShownSection): boolean =>
    badIn(section) > 0 || (section.plugin !== undefined && inactive.has(section.plugin))
  const first = shown.filter(needs)
  const rest = shown.filter((section) => !needs(section))
  return (
    <>
      {first.length > 0 ? (
        <PaneList
          title={t('needsYou')}
          label={t('needsYou')}
          current={current}
          onOpen={onOpen}
          rows={first.map((section) =>
            row(section, section.plugin && inactive.has(section.plugin) ? t('inactive') : undefined),
          )}
        />
      ) : null}
      {rest.length > 0 ? (
        <PaneList
          title={t('sections')}
          label={t('sections')}
          current={current}
          onOpen={onOpen}
          rows={rest.map((section) => row(section))}
        />
      ) : null}
      {editing.unclaimed.length > 0 ? (
        <PaneList
          title={t('unclaimed')}
          label={t('unclaimed')}
          current={current}
          onOpen={onOpen}
          rows={editing.unclaimed.map((section) =>
            row({ ...section, folded: [] }, section.key === 'plugins' ? undefined : t('leftOver')),
          )}
        />
      ) : null}
    </>
  )
}
