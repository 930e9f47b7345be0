// The log of the host: a tail that follows, filters, the hour at a glance, one line in full.
import type { LogLevel, LogStats } from '@mynah/contract/types'
import { useMemo, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { copyText, download } from '../../kit/export-text.js'
import { useNow } from '../../kit/use-now.js'
import { useDebouncedInput } from '../../kit/use-debounced-input.js'
import { clock, clockMillis, dayOf } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, FailureNotice, Field, Icon, Menu, PageHead, Skeleton } from '../../ui/index.js'
import { Workbench } from '../../ui/parts/index.js'
import { VirtualList } from '../../ui/parts/virtual-list.js'
import { Cleanup } from './cleanup.js'
import { useFeed, type Feed } from './use-feed.js'
import './page.css'
import { LogRecord } from './record.js'
import { countLevels, levels, levelsOf, lineOf, volume, type LogRow } from './log-buffer.js'
import { t } from './texts.js'
import { Volume } from './volume.js'

const ROW = 28
const letters: Readonly<Record<LogLevel, string>> = { error: 'E', warn: 'W', info: 'I', debug: 'D' }

/** How often the volume is counted anew. */
const STEP_MS = 5_000

export function LogsPage() {
  const locale = currentLocale()
  const query = useQuery({ filter: '', plugin: '', levels: '', at: '' })
  const { filter, plugin } = query.values
  const [typed, setTyped] = useDebouncedInput(filter, (next) => query.set({ filter: next }, { replace: true }))
  const [paused, setPaused] = useState(false)
  const [atTop, setAtTop] = useState(true)
  const [openId, setOpenId] = useState<string>()
  const [cleaning, setCleaning] = useState(false)
  const following = !paused && atTop && query.values.at === ''
  const feed = useFeed({ name: plugin, search: filter }, following)
  const stats = useResource<LogStats>('GET /logs/stats', (signal) => host().rest('GET /logs/stats', { signal }))
  const chosen = levelsOf(query.values.levels)
  const at = Number(query.values.at) || undefined
  const { rows } = feed.ring
  const shown = useMemo(
    () =>
      rows.filter(
        (row) =>
          chosen.has(row.entry.level) && (at === undefined || Math.floor(row.at / 60_000) === Math.floor(at / 60_000)),
      ),
    [rows, query.values.levels, at],
  )
  const now = useNow(STEP_MS)
  // The hour is counted again each few seconds and for other lines, not for each that comes.
  const minutes = useMemo(() => volume(rows, now), [Math.floor(now / STEP_MS), feed.known, filter, plugin])
  const narrowed = filter !== '' || plugin !== ''
  const counts = narrowed || !stats.data ? countLevels(rows) : stats.data.byLevel
  const open = rows.find((row) => row.entry.id === openId)

  const toggle = (level: LogLevel): void => {
    const next = new Set(chosen)
    if (!next.delete(level)) next.add(level)
    query.set({ levels: next.size === 0 ? '' : levels.filter((item) => next.has(item)).join(',') }, { replace: true })
  }
  const toText = (format: (row: LogRow) => string): string => shown.map(format).join('\n')
  const copyShown = (): void =>
    copyText(
      toText((row) => lineOf(row.entry)),
      t('copied', { count: shown.length }),
    )
  const save = (): void =>
    download('log.ndjson', 'application/x-ndjson', `${toText((row) => JSON.stringify(row.entry))}\n`)
  usePageKeys([
    ['Space', t('kFollow')],
    ['1 2 3 4', t('kLevels')],
    ['C', t('kCopy')],
  ])
  useShortcuts({
    ' ': () => setPaused(!paused),
    Escape: () => setOpenId(undefined),
    c: () => {
      if (open) copyText(lineOf(open.entry))
    },
    '1': () => toggle('error'),
    '2': () => toggle('warn'),
    '3': () => toggle('info'),
    '4': () => toggle('debug'),
  })
  const resume = (): void => {
    setPaused(false)
    query.set({ at: '' }, { replace: true })
    const list = document.querySelector('.virtual')
    if (list) list.scrollTop = 0
  }
  const missing = feed.failure?.kind === 'missing'
  return (
    <Workbench
      open
      head={
        <div class="logs-head">
          <PageHead
            title={t('page.logs')}
            fact={
              feed.known ? (
                <>
                  <span>{t('fact', { shown: shown.length, total: stats.data?.total ?? rows.length })}</span>
                  {stats.data?.oldestTimestamp ? (
                    <span>{t('kept', { day: dayOf(Date.parse(stats.data.oldestTimestamp), locale) })}</span>
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
                    {
                      label: t('refresh'),
                      onSelect: () => {
                        feed.reload()
                        stats.reload()
                      },
                    },
                    { label: t('download'), onSelect: save },
                    { label: t('cleanup'), danger: true, onSelect: () => setCleaning(true) },
                  ]}
                >
                  <Icon name="more" />
                </Menu>
              </>
            }
          />
          <div class="row">
            <div class="log-search">
              <Field
                compact
                label={t('search')}
                placeholder={t('search')}
                type="search"
                value={typed}
                onInput={setTyped}
              />
            </div>
            <fieldset class="level-chips">
              <legend class="sr">{t('levels')}</legend>
              {levels.map((level) => (
                <label key={level} class={level}>
                  <input type="checkbox" checked={chosen.has(level)} onChange={() => toggle(level)} />
                  <span>
                    {t(`level.${level}`)} <small>{counts[level] ?? 0}</small>
                  </span>
                </label>
              ))}
            </fieldset>
            {plugin ? (
              <Button
                onClick={() => query.set({ plugin: '' })}
                label={`${t('plugin', { name: plugin })}: ${t('clear')}`}
              >
                {t('plugin', { name: plugin })} <Icon name="close" />
              </Button>
            ) : null}
            {at === undefined ? null : (
              <Button
                onClick={() => query.set({ at: '' })}
                label={`${t('time', { time: clock(at, locale) })}: ${t('clear')}`}
              >
                {t('time', { time: clock(at, locale) })} <Icon name="close" />
              </Button>
            )}
            {narrowed || query.values.levels !== '' ? (
              <Button kind="quiet" onClick={query.reset}>
                {t('clear')}
              </Button>
            ) : null}
          </div>
          <Volume
            minutes={minutes}
            chosen={at === undefined ? undefined : Math.floor(at / 60_000) * 60_000}
            onChoose={(value) => query.set({ at: value === undefined ? '' : String(value) }, { replace: true })}
          />
        </div>
      }
      end={
        open ? (
          <LogRecord
            row={open}
            onClose={() => setOpenId(undefined)}
            onOnly={(name) => query.set({ plugin: name })}
            onShowAt={(value) =>
              query.set({ at: String(value), filter: '', plugin: '', levels: 'error,warn,info,debug' })
            }
          />
        ) : undefined
      }
    >
      {feed.failure && !feed.known ? null : (
        <FollowBar feed={feed} following={following} onPause={() => setPaused(true)} onResume={resume} />
      )}
      {missing ? (
        <EmptyState title={t('missing')}>{t('missingText')}</EmptyState>
      ) : feed.failure && !feed.known ? (
        <FailureNotice failure={feed.failure} onRetry={feed.reload} />
      ) : !feed.known && rows.length === 0 ? (
        <Skeleton rows={10} label={t('loading')} />
      ) : shown.length === 0 ? (
        rows.length === 0 && !narrowed ? (
          <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
        ) : (
          <EmptyState
            title={t('noMatch')}
            action={
              <div class="row">
                <Button onClick={query.reset}>{t('list.clear')}</Button>
                {feed.complete ? null : (
                  <Button busy={feed.loadingOlder} onClick={() => void feed.older()}>
                    {t('loadOlder')}
                  </Button>
                )}
              </div>
            }
          >
            {t('noMatchText', { count: rows.length, older: feed.complete ? '' : t('olderToo') })}
          </EmptyState>
        )
      ) : (
        <VirtualList
          label={t('list')}
          rows={shown}
          height={ROW}
          rowKey={(row) => row.entry.id}
          onEdge={setAtTop}
          current={openId}
          onOpen={(row) => setOpenId(row.entry.id)}
          rowClass={(row) => row.entry.level}
          row={(row) => <Line row={row} locale={locale} plugin={plugin === ''} needle={filter} />}
        />
      )}
      {feed.known && shown.length > 0 && !feed.complete ? (
        <div class="log-older">
          <Button kind="quiet" busy={feed.loadingOlder} onClick={() => void feed.older()}>
            {t('loadOlder')}
          </Button>
        </div>
      ) : null}
      {cleaning ? (
        <Cleanup
          onClose={() => setCleaning(false)}
          onDone={() => {
            setCleaning(false)
            feed.reload()
            stats.reload()
          }}
        />
      ) : null}
    </Workbench>
  )
}

function FollowBar({
  feed,
  following,
  onPause,
  onResume,
}: {
  readonly feed: Feed
  readonly following: boolean
  readonly onPause: () => void
  readonly onResume: () => void
}) {
  const now = useNow(1000, feed.retryAt !== undefined)
  if (feed.failure && feed.known) {
    return (
      <p class="follow err" role="status">
        <span class="grow">
          {t('notFollowing', {
            error: feed.failure.text,
            seconds: Math.max(0, Math.ceil(((feed.retryAt ?? now) - now) / 1000)),
          })}
        </span>
        <Button kind="quiet" onClick={feed.reload}>
          {t('retry')}
        </Button>
      </p>
    )
  }
  return (
    <p class={following ? 'follow on' : 'follow'}>
      <span class="grow">
        {following ? (
          <>
            <i class="dot first" /> <b>{t('following')}</b> <span class="muted hint">{t('followText')}</span>
          </>
        ) : (
          <b>{feed.held > 0 ? t('pausedNew', { count: feed.held }) : t('paused')}</b>
        )}
      </span>
      <Button kind="quiet" title="Space" onClick={following ? onPause : onResume}>
        {t(following ? 'pause' : 'resume')}
      </Button>
    </p>
  )
}

function Line({
  row,
  locale,
  plugin,
  needle,
}: {
  readonly row: LogRow
  readonly locale: string
  readonly plugin: boolean
  readonly needle: string
}) {
  const { entry } = row
  return (
    <>
      <time>{clockMillis(row.at, locale)}</time>
      <b class="letter">{letters[entry.level]}</b>
      {plugin ? <span class="who">{entry.name}</span> : null}
      <span class="text">
        <Marked text={entry.message.slice(0, 400)} needle={needle} />
      </span>
      {row.count > 1 ? <small class="times">{t('times', { count: row.count })}</small> : null}
    </>
  )
}

function Marked({ text, needle }: { readonly text: string; readonly needle: string }) {
  const at = needle ? text.toLowerCase().indexOf(needle.toLowerCase()) : -1
  return at < 0 ? (
    <>{text}</>
  ) : (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + needle.length)}</mark>
      {text.slice(at + needle.length)}
    </>
  )
}
