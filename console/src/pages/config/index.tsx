// The configuration: one section a claim, form and YAML over one draft, nothing saved without its difference.
import type { PluginItem } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useWriteBlock } from '../../app/event-stream.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useLeaveGuard } from '../../kit/use-leave-guard.js'
import { useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { useOpenItem } from '../../lib/document-title.js'
import { LazyPage } from '../../app/lazy-page.js'
import { Button, EmptyState, Icon, Menu, PageHead, Select } from '../../ui/index.js'
import {
  DraftBar,
  LazyEditor,
  Loaded,
  PaneList,
  Segments,
  Stale,
  Workbench,
  type PaneRow,
} from '../../ui/parts/index.js'
import { sectionValue } from './draft.js'
import { SectionForm } from './form.js'
import { changesOf, getIn, keyPath, namedSection, type Section } from './model.js'
import './page.css'
import { pathText, describeProblem } from './problems.js'
import type { Outcome } from './save.js'
import { FILE, useEditing, type Editing } from './use-editing.js'
import { t } from './texts.js'

const loadReview = () => import('./review.js').then((module) => module.Review)
const loadSaved = () => import('./saved.js').then((module) => module.Saved)
const loadCompare = () => import('./review.js').then((module) => module.Compare)

export function ConfigPage() {
  const editing = useEditing()
  const query = useQuery({ section: '', mode: '', line: '' })
  const [step, setStep] = useState<'edit' | 'review'>('edit')
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const [comparing, setComparing] = useState<string>()
  const block = useWriteBlock()
  const { draft, dirty, tools } = editing
  const all = [...editing.sections, ...editing.unclaimed]
  const current = namedSection(all, query.values.section)
  useOpenItem(current?.key)
  useLeaveGuard(dirty)
  const wrong = Object.entries(editing.problems)
    .flatMap(([key, list]) => list.map((problem) => ({ key, problem })))
    .filter(({ key }) => draft && Object.hasOwn(draft.sections, key))
  const invalid = wrong.length + (draft?.text === undefined ? 0 : editing.yamlProblems.length) > 0
  const disputed = (draft?.theirs.length ?? 0) > 0
  const review = (): void => {
    if (!dirty || invalid || !tools) return
    // What others wrote in the meantime is asked for once more: nobody saves over what was never seen.
    editing.resource.reload()
    if (disputed) document.querySelector<HTMLElement>('.disputed button')?.focus()
    else setStep('review')
  }
  const nextWrong = (): void =>
    document.querySelector<HTMLElement>('.config-field.wrong :is(input, select, textarea, button)')?.focus()
  usePageKeys([['F8', t('kWrong')]])
  useEffect(() => {
    if (disputed) setStep('edit')
  }, [disputed])
  useShortcuts({ 'Ctrl+s': review, F8: nextWrong })
  if (outcomes) return <LazyPage load={loadSaved} props={{ outcomes, onClose: () => setOutcomes(undefined) }} />
  if (step === 'review' && draft && tools && dirty && !disputed) {
    const saved = (found: readonly Outcome[]): void => {
      const refused = found.filter((outcome) => outcome.state === 'refused')
      if (draft.text === undefined || refused.length === 0) editing.settle(refused.map((outcome) => outcome.key))
      setOutcomes(found)
      setStep('edit')
      editing.resource.reload()
    }
    return <LazyPage load={loadReview} props={{ draft, tools, onBack: () => setStep('edit'), onSaved: saved }} />
  }
  // A line is a line of the file, so that an address which names one means the text.
  const yaml = query.values.mode === '' ? query.values.line !== '' : query.values.mode === 'yaml'
  const opened = current ?? editing.sections[0]
  const first = wrong[0]
  const changed = draft ? Object.entries(draft.sections) : []
  const count = changed.reduce(
    (sum, [key, value]) => sum + changesOf(getIn(draft?.base.config, keyPath(key)), value).length,
    0,
  )
  return (
    <>
      <Workbench
        open={yaml || current !== undefined}
        head={
          <PageHead
            title={t('page.config')}
            fact={
              <>
                <code>{FILE}</code> <Stale resource={editing.resource} />
              </>
            }
            actions={
              <>
                <Segments
                  label={t('mode')}
                  value={yaml ? 'yaml' : 'form'}
                  onChange={(mode) => query.set({ mode: mode === 'yaml' ? mode : '', line: '' })}
                  options={[
                    { value: 'form', label: t('form') },
                    { value: 'yaml', label: t('yaml') },
                  ]}
                />
                <Menu label={t('more')} items={[{ label: t('refresh'), onSelect: editing.resource.reload }]}>
                  <Icon name="more" />
                </Menu>
              </>
            }
          />
        }
        side={
          yaml ? undefined : (
            <Loaded resource={editing.resource}>
              {() =>
                all.length === 0 ? (
                  <EmptyState title={t('noSections')}>{t('noSectionsText')}</EmptyState>
                ) : (
                  <SectionList editing={editing} current={opened?.key} onOpen={(section) => query.set({ section })} />
                )
              }
            </Loaded>
          )
        }
        bar={
          dirty ? (
            <DraftBar
              changes={
                changed.length === 0 ? t('changesText') : t('changes', { changes: count, sections: changed.length })
              }
              invalid={invalid}
              onDiscard={editing.discard}
              onReview={review}
              reviewLabel={t('review')}
              {...(block === undefined ? {} : { blocked: { disabled: true as const, title: block } })}
            >
              {first
                ? t('invalid', {
                    count: wrong.length,
                    first: `${pathText(first.key, first.problem.path)} ${describeProblem(first.problem)}`,
                  })
                : editing.yamlProblems[0]
                  ? t('invalid', {
                      count: editing.yamlProblems.length,
                      first: `${t('fileLine', { line: editing.yamlProblems[0].line })}: ${editing.yamlProblems[0].message}`,
                    })
                  : draft?.text === undefined
                    ? undefined
                    : t('nextStart')}
            </DraftBar>
          ) : undefined
        }
      >
        {draft?.theirs.map((key) => (
          <div key={key} class="strip-line warn disputed" role="alert">
            <span class="grow">{key === FILE ? t('textElsewhere') : t('elsewhere', { name: key })}</span>
            <Button onClick={() => setComparing(key)}>{t('compare')}</Button>
            <Button kind="quiet" onClick={() => editing.keep(key)}>
              {t('keepMine')}
            </Button>
            <Button kind="quiet" onClick={() => editing.take(key)}>
              {t('takeTheirs')}
            </Button>
          </div>
        ))}
        <Loaded resource={editing.resource} rows={10}>
          {() =>
            !draft ? null : yaml ? (
              <LazyEditor
                label={FILE}
                language="yaml"
                value={editing.text}
                onChange={editing.setText}
                problems={editing.yamlProblems}
                readOnly={block !== undefined}
                line={Number(query.values.line) || undefined}
              />
            ) : opened ? (
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
                <SectionForm
                  key={opened.key}
                  section={opened}
                  sections={all}
                  value={sectionValue(draft, opened.key)}
                  before={getIn(draft.base.config, keyPath(opened.key))}
                  problems={editing.problems[opened.key] ?? []}
                  onYaml={() => query.set({ mode: 'yaml' })}
                  context={{
                    problems: editing.problems[opened.key] ?? [],
                    readOnly: block !== undefined,
                    set: (path, value) => editing.set(opened.key, path, value),
                  }}
                />
              </>
            ) : (
              <EmptyState title={t('choose')} />
            )
          }
        </Loaded>
      </Workbench>
      {comparing && draft && tools ? (
        <LazyPage
          load={loadCompare}
          props={{
            name: comparing,
            draft,
            tools,
            theirs: editing.resource.data?.yaml ?? '',
            onClose: () => setComparing(undefined),
          }}
        />
      ) : null}
    </>
  )
}

/** Sections in need first: a draft that is not valid, or a plugin that does not run. */
function SectionList({
  editing,
  current,
  onOpen,
}: {
  readonly editing: Editing
  readonly current: string | undefined
  readonly onOpen: (key: string) => void
}) {
  const plugins = useResource<PluginItem[]>('GET /plugins', (signal) => host().rest('GET /plugins', { signal }))
  const inactive = new Set(
    (plugins.data ?? []).filter((plugin) => plugin.status === 'inactive').map((plugin) => plugin.name),
  )
  const { draft, problems } = editing
  const row = (section: Section, end?: string): PaneRow => {
    const bad = problems[section.key]?.length ?? 0
    const value = draft && sectionValue(draft, section.key)
    const size = Array.isArray(value) ? String(value.length) : undefined
    return {
      id: section.key,
      mono: true,
      bad: bad > 0,
      label: (
        <>
          {section.key}
          {draft && Object.hasOwn(draft.sections, section.key) ? (
            <i class={bad > 0 ? 'dot bad' : 'dot'} title={t('changed')} />
          ) : null}
        </>
      ),
      ...(bad > 0
        ? { end: t('notValid', { count: bad }) }
        : end === undefined
          ? size === undefined
            ? {}
            : { end: size }
          : { end }),
    }
  }
  const needs = (section: Section): boolean =>
    (problems[section.key]?.length ?? 0) > 0 || (section.plugin !== undefined && inactive.has(section.plugin))
  const first = editing.sections.filter(needs)
  const rest = editing.sections.filter((section) => !needs(section))
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
          rows={editing.unclaimed.map((section) => row(section, section.key === 'plugins' ? undefined : t('leftOver')))}
        />
      ) : null}
    </>
  )
}
