import type { LogLevel, LogStats } from '@mynah/contract/types'
import { useMemo, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { copyText, download } from '../../kit/export-text.js'
import { useHostNames } from '../../kit/use-host-names.js'
import { joinFacts, joinList } from '../../kit/join-list.js'
import { useDebouncedInput } from '../../kit/use-debounced-input.js'
import { clock, dayOf } from '../../kit/time-format.js'
import { currentLocale, formatNumber } from '../../lib/i18n.js'
import { useQuery } from '../../lib/router.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Field, Icon, Menu, PageHead } from '../../ui/index.js'
import { Workbench } from '../../ui/parts/index.js'
import { FollowBar } from './follow-bar.js'
import { LoadOlder } from './no-lines.js'
import { useFeed, type Feed } from './use-feed.js'
import './page.css'
import { levels, levelsOf, lineOf, type LogRow } from './log-buffer.js'
import { t } from './texts.js'
import type { Figures } from './figures.js'
import { useFigures } from './use-figures.js'
import { useMinute } from './use-minute.js'
import { useVolume } from './use-volume.js'
import { Volume } from './volume.js'
import { type LogQuery, toggleLevel, useLogKeys } from './log-query.js'
import { LogLines } from './log-lines.js'
import { SavedViews } from './saved-views.js'

const HostSelect = lazyPart(async () => (await import('../../ui/parts/host-select.js')).HostSelect)
const Cleanup = lazyPart(async () => (await import('./cleanup.js')).Cleanup)
const LogRecord = lazyPart(async () => (await import('./record.js')).LogRecord)

export function LogsPage() {
  const query = useQuery({ filter: '', plugin: '', host: '', levels: '', at: '' })
  const { filter, plugin, host: hostName } = query.values
  const hosts = useHostNames()
  const [paused, setPaused] = useState(false)
  const [atTop, setAtTop] = useState(true)
  const [openId, setOpenId] = useState<string>()
  const [cleaning, setCleaning] = useState(false)
  const following = !paused && atTop && query.values.at === ''
  const lineQuery = { name: plugin, host: hostName, search: filter }
  const feed = useFeed(lineQuery, following)
  const stats = useResource<LogStats>('GET /logs/stats', (signal) => host().rest('GET /logs/stats', { signal }))
  const levelsShown = levelsOf(query.values.levels)
  const at = Number(query.values.at) || undefined
  const minuteRows = useMinute(at, lineQuery)
  const rows = minuteRows ?? feed.ring.rows
  const shown = useShownRows({ rows, levelsShown, at, query })
  const minutes = useVolume(lineQuery, feed.ring.newest)
  const figures = useFigures(stats, lineQuery, feed.ring, shown, {
    levels: levelsShown,
    isMinute: at !== undefined,
  })
  const open = rows.find((row) => row.entry.id === openId)
  const toggle = (level: LogLevel): void => toggleLevel(query, levelsShown, level)
  useLogKeys({
    onPause: () => setPaused(!paused),
    onClose: () => setOpenId(undefined),
    onCopy: () => open && copyText(lineOf(open.entry)),
    onToggle: toggle,
  })
  const resume = (): void => {
    setPaused(false)
    query.set({ at: '' }, { replace: true })
    const list = document.querySelector('.virtual')
    if (list) list.scrollTop = 0
  }
  const reload = (): void => [feed, stats].forEach((each) => each.reload())
  return (
    <Workbench
      open
      head={
        <div class="logs-head">
          <LogsHead
            feed={feed}
            stats={stats.data}
            figures={figures}
            shown={shown}
            onReload={reload}
            onCleanup={() => setCleaning(true)}
          />
          <Filters query={query} figures={figures} levelsShown={levelsShown} at={at} onToggle={toggle} hosts={hosts} />
          {minutes ? (
            <Volume
              minutes={minutes}
              chosen={at === undefined ? undefined : Math.floor(at / 60_000) * 60_000}
              onChoose={(value) => query.set({ at: value === undefined ? '' : String(value) }, { replace: true })}
            />
          ) : null}
        </div>
      }
      end={recordPane(open, setOpenId, query)}
    >
      {feed.failure && !feed.known ? null : (
        <FollowBar feed={feed} following={following} onPause={() => setPaused(true)} onResume={resume} />
      )}
      <LogLines
        feed={feed}
        query={query}
        rows={shown}
        hasHosts={hosts.length > 0}
        openId={openId}
        onOpen={setOpenId}
        onEdge={setAtTop}
      />
      {at === undefined ? <OlderLines feed={feed} shown={shown} /> : null}
      <CleanupDialog cleaning={cleaning} onCleaning={setCleaning} onDone={reload} />
    </Workbench>
  )
}

interface OlderLinesProps {
  readonly feed: Feed
  readonly shown: readonly LogRow[]
}

function OlderLines({ feed, shown }: OlderLinesProps) {
  return feed.known && shown.length > 0 && !feed.complete ? (
    <div class="log-older">
      <LoadOlder feed={feed} kind="quiet" />
    </div>
  ) : null
}

interface CleanupDialogProps {
  readonly cleaning: boolean
  readonly onCleaning: (cleaning: false) => void
  readonly onDone: () => void
}

function CleanupDialog({ cleaning, onCleaning, onDone }: CleanupDialogProps) {
  return cleaning ? (
    <Cleanup
      onClose={() => onCleaning(false)}
      onDone={() => {
        onCleaning(false)
        onDone()
      }}
    />
  ) : null
}

interface UseShownRowsInput {
  readonly rows: readonly LogRow[]
  readonly levelsShown: ReadonlySet<LogLevel>
  readonly at: number | undefined
  readonly query: LogQuery
}

function useShownRows({ rows, levelsShown, at, query }: UseShownRowsInput) {
  return useMemo(
    () =>
      rows.filter(
        (row) =>
          levelsShown.has(row.entry.level) &&
          (at === undefined || Math.floor(row.at / 60_000) === Math.floor(at / 60_000)),
      ),
    [rows, query.values.levels, at],
  )
}

function recordPane(open: LogRow | undefined, onOpen: (id: string | undefined) => void, query: LogQuery) {
  return open ? (
    <LogRecord
      row={open}
      onClose={() => onOpen(undefined)}
      onOnly={(name) => query.set({ plugin: name })}
      onShowAt={(value) => query.set({ at: String(value), filter: '', plugin: '', levels: 'error,warn,info,debug' })}
    />
  ) : undefined
}

interface LogsHeadProps {
  readonly feed: Feed
  readonly stats: LogStats | undefined
  readonly figures: Figures
  readonly shown: readonly LogRow[]
  readonly onReload: () => void
  readonly onCleanup: () => void
}

function LogsHead({ feed, stats, figures, shown, onReload, onCleanup }: LogsHeadProps) {
  const toText = (format: (row: LogRow) => string): string => shown.map(format).join('\n')
  const copyShown = (): void =>
    copyText(
      toText((row) => lineOf(row.entry)),
      t('copied', { count: shown.length }),
    )
  const save = (): void =>
    download('log.ndjson', 'application/x-ndjson', `${toText((row) => JSON.stringify(row.entry))}\n`)
  return (
    <PageHead
      title={t('page.logs')}
      fact={
        feed.known ? (
          <>
            <span>
              {figures.matching === figures.total
                ? t('factAll', { total: figures.total })
                : t('fact', { matching: figures.matching, total: figures.total })}
            </span>
            {figures.shown < figures.matching ? <span>{t('loaded', { count: figures.shown })}</span> : null}
            {stats?.oldestTimestamp ? (
              <span>{t('kept', { day: dayOf(Date.parse(stats.oldestTimestamp), currentLocale()) })}</span>
            ) : null}
          </>
        ) : undefined
      }
      actions={
        <>
          <Button onClick={copyShown}>{t('copyShown')}</Button>
          <Menu
            label={t('more')}
            items={[
              { label: t('refresh'), onSelect: onReload },
              { label: t('download'), onSelect: save },
              { label: t('cleanup'), danger: true, onSelect: onCleanup },
            ]}
          >
            <Icon name="more" />
          </Menu>
        </>
      }
    />
  )
}

interface FiltersProps {
  readonly query: LogQuery
  readonly figures: Figures
  readonly levelsShown: ReadonlySet<LogLevel>
  readonly at: number | undefined
  readonly onToggle: (level: LogLevel) => void
  readonly hosts: readonly string[]
}

function Filters({ query, figures, levelsShown, at, onToggle, hosts }: FiltersProps) {
  const { filter, plugin, host: hostName } = query.values
  const [typed, setTyped] = useDebouncedInput(filter, (next) => query.set({ filter: next }, { replace: true }))
  const narrowed = filter !== '' || plugin !== '' || hostName !== ''
  return (
    <div class="row">
      <div class="log-search">
        <Field compact label={t('search')} placeholder={t('search')} type="search" value={typed} onInput={setTyped} />
      </div>
      <fieldset class="level-chips">
        <legend class="sr">{t('levels')}</legend>
        {levels.map((level) => (
          <label key={level} class={level}>
            <input type="checkbox" checked={levelsShown.has(level)} onChange={() => onToggle(level)} />
            <span>
              {t(`level.${level}`)} <small>{formatNumber(figures.byLevel[level] ?? 0)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {hosts.length > 0 || hostName !== '' ? (
        <HostSelect hosts={hosts} value={hostName} onChange={(next) => query.set({ host: next }, { replace: true })} />
      ) : null}
      {plugin ? <Chip text={t('plugin', { name: plugin })} onRemove={() => query.set({ plugin: '' })} /> : null}
      {at === undefined ? null : (
        <Chip text={t('time', { time: clock(at, currentLocale()) })} onRemove={() => query.set({ at: '' })} />
      )}
      {narrowed || query.values.levels !== '' ? (
        <Button kind="quiet" onClick={query.reset}>
          {t('clear')}
        </Button>
      ) : null}
      <SavedViews page="logs" name={filterName(query)} />
    </div>
  )
}

/** Returns the filters in force in words. */
const filterName = ({ values: { filter, plugin, host: hostName, levels: named } }: LogQuery): string =>
  joinFacts(
    plugin,
    hostName,
    filter,
    named === ''
      ? ''
      : joinList(levels.filter((level) => levelsOf(named).has(level)).map((level) => t(`level.${level}`))),
  )

/** Shows a filter in force, which a click removes. */
function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <Button onClick={onRemove} label={`${text}: ${t('clear')}`}>
      {text} <Icon name="close" />
    </Button>
  )
}
