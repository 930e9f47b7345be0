import { useEffect, useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/event-stream.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useLeaveGuard } from '../../kit/use-leave-guard.js'
import { useQuery, type Query } from '../../lib/router.js'
import { useOpenItem } from '../../lib/document-title.js'
import { LazyPage } from '../../app/lazy-page.js'
import { Button, EmptyState, Icon, Menu, PageHead, Select } from '../../ui/index.js'
import { DraftBar, LazyEditor, Loaded, Segments, Stale, Workbench } from '../../ui/parts/index.js'
import { sectionValue, type Draft } from './draft.js'
import { changesOf, getIn, keyPath, namedSection, type Path, type Section } from './model.js'
import './page.css'
import { pathText, describeProblem } from './problems.js'
import type { Outcome } from './save.js'
import { SectionList } from './section-list.js'
import { FILE, useEditing, type Editing } from './use-editing.js'
import { t } from './texts.js'

const loadForm = () => import('./form.js').then((module) => module.SectionForm)
const loadReview = () => import('./review.js').then((module) => module.Review)
const loadSaved = () => import('./saved.js').then((module) => module.Saved)
const loadCompare = () => import('./review.js').then((module) => module.Compare)

type ConfigQuery = Query<{ section: string; mode: string; line: string }>

export function ConfigPage() {
  const editing = useEditing()
  const query = useQuery({ section: '', mode: '', line: '' })
  const [step, setStep] = useState<'edit' | 'review'>('edit')
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const { draft, dirty, tools } = editing
  useLeaveGuard(dirty)
  const disputed = (draft?.theirs.length ?? 0) > 0
  useEffect(() => {
    if (!disputed || step === 'edit') return
    setStep('edit')
    // The review and its focus are gone: go to what keeps it from being shown.
    focusDispute()
  }, [disputed, step])
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
  return <Editor editing={editing} query={query} disputed={disputed} onReview={() => setStep('review')} />
}

const focusDispute = (): void => document.querySelector<HTMLElement>('.disputed button')?.focus()

interface EditorProps {
  readonly editing: Editing
  readonly query: ConfigQuery
  /** Whether a section of the draft was changed elsewhere. */
  readonly disputed: boolean
  readonly onReview: () => void
}

function Editor({ editing, query, disputed, onReview }: EditorProps) {
  const [comparing, setComparing] = useState<string>()
  const { draft, dirty, tools } = editing
  const all = [...editing.sections, ...editing.unclaimed]
  const current = namedSection(all, query.values.section)
  useOpenItem(current?.key)
  const opened = current ?? editing.sections[0]
  const invalid = draftProblems(editing).length + (draft?.text === undefined ? 0 : editing.yamlProblems.length) > 0
  const review = (): void => {
    if (!dirty || invalid || !tools) return
    // Load changes made elsewhere once more, so that no unseen version is overwritten.
    editing.resource.reload()
    if (disputed) focusDispute()
    else onReview()
  }
  const nextInvalid = (): void =>
    document.querySelector<HTMLElement>('.config-field.wrong :is(input, select, textarea, button)')?.focus()
  usePageKeys([['F8', t('kWrong')]])
  useShortcuts({ 'Ctrl+s': review, F8: nextInvalid })
  // A line is a line of the file, so an address that names one means the text.
  const yaml = query.values.mode === '' ? query.values.line !== '' : query.values.mode === 'yaml'
  const sections =
    all.length === 0 ? (
      <EmptyState title={t('noSections')}>{t('noSectionsText')}</EmptyState>
    ) : (
      <SectionList editing={editing} current={opened?.key} onOpen={(section) => query.set({ section })} />
    )
  return (
    <>
      <Workbench
        open={yaml || current !== undefined}
        head={<ConfigHead editing={editing} query={query} yaml={yaml} />}
        side={yaml ? undefined : <Loaded resource={editing.resource}>{() => sections}</Loaded>}
        bar={dirty ? <ConfigDraftBar editing={editing} invalid={invalid} onReview={review} /> : undefined}
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
          {() => <ConfigBody editing={editing} query={query} yaml={yaml} all={all} opened={opened} />}
        </Loaded>
      </Workbench>
      <CompareDialog comparing={comparing} draft={draft} tools={tools} editing={editing} onCompare={setComparing} />
    </>
  )
}

interface CompareDialogProps {
  readonly comparing: string | undefined
  readonly draft: Draft | undefined
  readonly tools: Editing['tools']
  readonly editing: Editing
  readonly onCompare: (key: string | undefined) => void
}

function CompareDialog({ comparing, draft, tools, editing, onCompare }: CompareDialogProps) {
  return comparing && draft && tools ? (
    <LazyPage
      load={loadCompare}
      props={{
        name: comparing,
        draft,
        tools,
        theirs: editing.resource.data?.yaml ?? '',
        onClose: () => onCompare(undefined),
      }}
    />
  ) : null
}

/** Returns the problems of the sections that were edited in the form. */
const draftProblems = ({ draft, problems }: Editing) =>
  Object.entries(problems)
    .flatMap(([key, list]) => list.map((problem) => ({ key, problem })))
    .filter(({ key }) => draft && Object.hasOwn(draft.sections, key))

interface ConfigHeadProps {
  readonly editing: Editing
  readonly query: ConfigQuery
  readonly yaml: boolean
}

function ConfigHead({ editing, query, yaml }: ConfigHeadProps) {
  return (
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
  )
}

interface ConfigDraftBarProps {
  readonly editing: Editing
  readonly invalid: boolean
  readonly onReview: () => void
}

function ConfigDraftBar({ editing, invalid, onReview }: ConfigDraftBarProps) {
  const block = useWriteBlock()
  const { draft } = editing
  const changed = draft ? Object.entries(draft.sections) : []
  const count = changed.reduce(
    (sum, [key, value]) => sum + changesOf(getIn(draft?.base.config, keyPath(key)), value).length,
    0,
  )
  return (
    <DraftBar
      changes={changed.length === 0 ? t('changesText') : t('changes', { changes: count, sections: changed.length })}
      invalid={invalid}
      onDiscard={editing.discard}
      onReview={onReview}
      reviewLabel={t('review')}
      {...(block === undefined ? {} : { blocked: { disabled: true as const, title: block } })}
    >
      {changesNote(editing)}
    </DraftBar>
  )
}

/** Names the first problem of a draft, or says when an edited file takes effect. */
function changesNote(editing: Editing): string | undefined {
  const problems = draftProblems(editing)
  const [first] = problems
  if (first) {
    const { key, problem } = first
    return t('invalid', {
      count: problems.length,
      first: `${pathText(key, problem.path)} ${describeProblem(problem)}`,
    })
  }
  const [yamlProblem] = editing.yamlProblems
  if (yamlProblem)
    return t('invalid', {
      count: editing.yamlProblems.length,
      first: `${t('fileLine', { line: yamlProblem.line })}: ${yamlProblem.message}`,
    })
  return editing.draft?.text === undefined ? undefined : t('nextStart')
}

interface ConfigBodyProps extends ConfigHeadProps {
  readonly all: readonly Section[]
  readonly opened: Section | undefined
}

function ConfigBody({ editing, query, yaml, all, opened }: ConfigBodyProps) {
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
  const problems = editing.problems[opened.key] ?? []
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
          sections: all,
          value: sectionValue(draft, opened.key),
          before: getIn(draft.base.config, keyPath(opened.key)),
          problems,
          onYaml: () => query.set({ mode: 'yaml' }),
          context: { problems, readOnly, set: (path: Path, value: unknown) => editing.set(opened.key, path, value) },
        }}
      />
    </>
  )
}
