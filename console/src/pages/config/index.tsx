import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useLeaveGuard } from '../../kit/use-leave-guard.js'
import { useQuery } from '../../lib/router.js'
import { useOpenItem } from '../../lib/document-title.js'
import { LazyPage } from '../../app/lazy-page.js'
import { Button, EmptyState, Field, Icon, Menu, PageHead } from '../../ui/index.js'
import { Loaded, Segments, Stale, Workbench } from '../../ui/parts/index.js'
import { ConfigBody, type ConfigQuery } from './body.js'
import type { Draft } from './draft.js'
import { ConfigDraftBar, mistakesOf, type Mistake } from './mistakes.js'
import { foldSections, namedSection, type ShownSection } from './model.js'
import './page.css'
import { focusSetting } from './problems.js'
import type { Outcome } from './save.js'
import { SectionList } from './section-list.js'
import { FILE, useEditing, type Editing } from './use-editing.js'
import { t } from './texts.js'

const loadReview = () => import('./review.js').then((module) => module.Review)
const loadSaved = () => import('./saved.js').then((module) => module.Saved)
const loadCompare = () => import('./review.js').then((module) => module.Compare)

const loadSearch = () => import('./search.js').then((module) => module.SearchResults)

export function ConfigPage() {
  const editing = useEditing()
  const query = useQuery({ section: '', mode: '', line: '', setting: '' })
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
  const shown = useMemo(() => foldSections(editing.sections), [editing.sections])
  const all = [...shown, ...editing.unclaimed.map((section) => ({ ...section, folded: [] }))]
  const current = namedSection(all, query.values.section)
  useOpenItem(current?.key)
  const opened = current ?? shown[0]
  const mistakes = mistakesOf(editing)
  const invalid = mistakes.length > 0
  const review = (): void => {
    if (!dirty || invalid || !tools) return
    // Load changes made elsewhere once more, so that no unseen version is overwritten.
    editing.resource.reload()
    if (disputed) focusDispute()
    else onReview()
  }
  const last = useRef(-1)
  const jump = (mistake: Mistake): void => {
    const { section, setting, line } = mistake
    last.current = mistakes.indexOf(mistake)
    if (line !== undefined) return query.set({ mode: 'yaml', line: String(line) })
    query.set({ mode: '', line: '' })
    open(section, setting)
  }
  const open = (section: string, setting: string): void => {
    query.set({ section, setting })
    // The address may be the same as before.
    if (setting) focusSetting(setting)
  }
  const nextInvalid = (): void => {
    const next = mistakes[(last.current + 1) % Math.max(1, mistakes.length)]
    if (next) jump(next)
  }
  usePageKeys([['F8', t('kWrong')]])
  useShortcuts({ 'Ctrl+s': review, F8: nextInvalid })
  // A line is a line of the file, so an address that names one means the text.
  const yaml = query.values.mode === '' ? query.values.line !== '' : query.values.mode === 'yaml'
  return (
    <>
      <Workbench
        open={yaml || current !== undefined}
        head={<ConfigHead editing={editing} query={query} yaml={yaml} />}
        side={
          yaml ? undefined : (
            <Loaded resource={editing.resource}>
              {() => <Side editing={editing} shown={shown} opened={opened?.key} onOpen={open} />}
            </Loaded>
          )
        }
        bar={
          dirty ? <ConfigDraftBar editing={editing} mistakes={mistakes} onJump={jump} onReview={review} /> : undefined
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
          {() => <ConfigBody editing={editing} query={query} yaml={yaml} all={all} opened={opened} />}
        </Loaded>
      </Workbench>
      <CompareDialog comparing={comparing} draft={draft} tools={tools} editing={editing} onCompare={setComparing} />
    </>
  )
}

interface SideProps {
  readonly editing: Editing
  readonly shown: readonly ShownSection[]
  readonly opened: string | undefined
  readonly onOpen: (section: string, setting: string) => void
}

/** The list of sections, or what the search finds in all of them. */
function Side({ editing, shown, opened, onOpen }: SideProps) {
  const [words, setWords] = useState('')
  const choose = (section: string, setting: string): void => {
    // On a narrow screen the results are above the form, and would hide it.
    if (matchMedia('(max-width: 760px)').matches) setWords('')
    onOpen(section, setting)
  }
  if (shown.length + editing.unclaimed.length === 0)
    return <EmptyState title={t('noSections')}>{t('noSectionsText')}</EmptyState>
  return (
    <>
      <div class="side-tools">
        <Field compact type="search" label={t('find')} placeholder={t('find')} value={words} onInput={setWords} />
      </div>
      {words.trim() === '' ? (
        <div class="config-sections">
          <SectionList editing={editing} shown={shown} current={opened} onOpen={(section) => onOpen(section, '')} />
        </div>
      ) : (
        <LazyPage load={loadSearch} props={{ shown, words, onOpen: choose }} />
      )}
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
