import { useMemo, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { useQuery } from '../../lib/router.js'
import { useOpenItem } from '../../lib/document-title.js'
import { LazyPage } from '../../app/lazy-page.js'
import { EmptyState, Field, Icon, Menu, PageHead } from '../../ui/index.js'
import { Loaded, Segments, Stale, Workbench } from '../../ui/parts/index.js'
import { ConfigBody, type ConfigQuery } from './body.js'
import { Disputes } from './disputes.js'
import { ConfigDraftBar } from './lazy-draft-bar.js'
import { FileProblem } from './file-problem.js'
import type { Mistake } from './mistakes.js'
import { foldSections, namedSection, type ShownSection } from './model.js'
import './page.css'
import { useReviewStep } from './review-step.js'
import { SectionList } from './section-list.js'
import { focusSetting } from './setting-path.js'
import { useDraftWork } from './use-draft-work.js'
import { FILE, useEditing, type Editing } from './use-editing.js'
import { t } from './texts.js'

const Versions = lazyPart(() => import('./versions.js').then((module) => module.Versions))
const loadSearch = () => import('./search.js').then((module) => module.SearchResults)

export function ConfigPage() {
  const query = useQuery({ section: '', mode: '', line: '', setting: '' })
  const { page: review, onReview } = useReviewStep()
  return review ?? <Editor query={query} onReview={onReview} />
}

interface EditorProps {
  readonly query: ConfigQuery
  readonly onReview: () => void
}

function Editor({ query, onReview }: EditorProps) {
  const editing = useEditing()
  const shown = useMemo(() => foldSections(editing.sections), [editing.sections])
  const all = [...shown, ...editing.unclaimed.map((section) => ({ ...section, folded: [] }))]
  const current = namedSection(all, query.values.section)
  useOpenItem(current?.key)
  const opened = current ?? shown[0]
  const open = (section: string, setting: string): void => {
    query.set({ section, setting })
    // The address may be the same as before.
    if (setting) focusSetting(setting)
  }
  const show = ({ section, setting, line }: Mistake): void => {
    if (line !== undefined) return query.set({ mode: 'yaml', line: String(line) })
    query.set({ mode: '', line: '' })
    open(section, setting)
  }
  const work = useDraftWork(editing, show, onReview)
  // A line is a line of the file, so an address that names one means the text.
  const isText = query.values.mode === '' ? query.values.line !== '' : query.values.mode === 'yaml'
  // No form can be saved into a file that cannot be read.
  const yaml = isText || editing.resource.data?.problem?.readable === false
  return (
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
      bar={editing.dirty ? <ConfigDraftBar editing={editing} work={work} /> : undefined}
    >
      <FileProblem editing={editing} onLine={(line) => query.set({ mode: 'yaml', line: String(line) })} />
      <Disputes editing={editing} />
      <Loaded resource={editing.resource} rows={10}>
        {() => <ConfigBody editing={editing} query={query} yaml={yaml} all={all} opened={opened} />}
      </Loaded>
    </Workbench>
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

interface ConfigHeadProps {
  readonly editing: Editing
  readonly query: ConfigQuery
  readonly yaml: boolean
}

function ConfigHead({ editing, query, yaml }: ConfigHeadProps) {
  const [showsVersions, setShowsVersions] = useState(false)
  const hasVersions = useCatalogue().has('config:versions')
  const { resource } = editing
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
          <Menu
            label={t('more')}
            items={[
              { label: t('refresh'), onSelect: resource.reload },
              ...(hasVersions ? [{ label: t('versions'), onSelect: () => setShowsVersions(true) }] : []),
            ]}
          >
            <Icon name="more" />
          </Menu>
          {showsVersions ? (
            <Versions
              yaml={resource.data?.yaml ?? ''}
              onRestored={resource.reload}
              onClose={() => setShowsVersions(false)}
            />
          ) : null}
        </>
      }
    />
  )
}
