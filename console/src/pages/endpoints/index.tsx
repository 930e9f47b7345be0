import type { Activity, EndpointRow } from '@mynah/contract/types'
import { useEffect } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { focusedRow } from '../../kit/focused-row.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useNow } from '../../kit/use-now.js'
import { activityHistory, sampleEndpoints } from '../../lib/activity-history.js'
import { navigate } from '../../lib/router.js'
import { useList, type List } from '../../lib/use-list.js'
import { useResource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Button, EmptyState, Field, ListBody, PageHead, Select, Updated } from '../../ui/index.js'
import { Pager } from '../../ui/pager.js'
import { KeysHint, Segments, Stale } from '../../ui/parts/index.js'
import { StateChanges } from './changes.js'
import './page.css'
import { EndpointTable } from './endpoint-table.js'
import { address, countStates, endpointPage } from './model.js'
import { t } from './texts.js'

/** The form for a new account on a platform. */
const ADD = '/setup/platform'

export function EndpointsPage() {
  const now = useNow(15_000)
  const { base } = host()
  const history = useStore(activityHistory(base))
  const { has } = useCatalogue()
  const list = useList<EndpointRow[], EndpointRow>({
    key: 'endpoint:list',
    load: async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
    page: endpointPage,
    defaults: { status: '', platform: '' },
  })
  const all = useResource<EndpointRow[]>(
    'endpoint:list',
    async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
  )
  const rows = all.data ?? []
  const reported = has('chat:activity') && rows.length > 0
  const activity = useResource<Activity | null>(reported ? 'chat:activity' : 'absent chat:activity', (signal) =>
    reported ? host().rpc('chat:activity', { minutes: 60 }, { signal }) : Promise.resolve(null),
  )
  useEffect(() => {
    if (all.data)
      sampleEndpoints(base, Object.fromEntries(all.data.map((row) => [`${row.adapter}/${row.name}`, row.connected])))
  }, [base, all.updatedAt])

  const go = (to: (row: EndpointRow) => string) => (): void => {
    const row = focusedRow(list.rows)
    if (row) navigate(to(row))
  }
  const keys = usePageKeys([
    ['↑ ↓', t('kMove')],
    ['Enter', t('kOpen')],
    ['S', t('kSend')],
    ['I', t('kInbox')],
    ['/', t('kFilter')],
  ])
  useShortcuts({
    s: go((row) => `${address(row)}?send=1`),
    i: go((row) => `/inbox?endpoint=${encodeURIComponent(row.name)}`),
  })

  // As the first steps of the dashboard: an account is tested before it is saved.
  const canAdd = has('endpoint:test') && has('config:set')
  const { values } = list.query
  const platforms = [...new Set(rows.map((row) => row.adapter))].sort()
  const narrowed = Boolean(values['status'] || values['platform'] || values.filter)
  return (
    <>
      <PageHead
        title={t('page.endpoints')}
        fact={
          <>
            {all.data ? <span>{t('fact', { total: rows.length, platforms: platforms.length })}</span> : null}{' '}
            <Stale resource={all} /> <Updated at={all.updatedAt} />
          </>
        }
        actions={<Actions canAdd={canAdd} onRefresh={list.reload} />}
      />
      <Filters list={list} rows={rows} platforms={platforms} narrowed={narrowed} />
      <div class="section endpoints-table">
        <ListBody
          list={list}
          table={<EndpointTable list={list} activity={activity.data} history={history} now={now} />}
          empty={<NoEndpoints narrowed={narrowed} canAdd={canAdd} onReset={list.query.reset} />}
        />
        <Pager
          page={list.page}
          totalPages={list.totalPages}
          total={list.total}
          onPage={(page, options) => list.query.set({ page: String(page) }, options)}
        />
      </div>
      {rows.length > 0 && has('endpoint:info') ? <StateChanges rows={rows} now={now} /> : null}
      <KeysHint keys={keys} />
    </>
  )
}

const Actions = ({ canAdd, onRefresh }: { readonly canAdd: boolean; readonly onRefresh: () => void }) => (
  <>
    <Button onClick={onRefresh} hotkey="r">
      {t('refresh')}
    </Button>
    {canAdd ? <Button href={ADD}>{t('add')}</Button> : null}
  </>
)

interface FiltersProps {
  readonly list: List<EndpointRow>
  readonly rows: readonly EndpointRow[]
  readonly platforms: readonly string[]
  readonly narrowed: boolean
}

function Filters({ list, rows, platforms, narrowed }: FiltersProps) {
  const counts = countStates(rows)
  const { values, set } = list.query
  return (
    <div class="row">
      <div class="search-field">
        <Field
          compact
          label={t('list.filter')}
          type="search"
          placeholder={t('list.filter')}
          value={list.typed}
          onInput={list.type}
        />
      </div>
      <Segments
        label={t('show')}
        value={values['status'] ?? ''}
        onChange={(status) => set({ status, page: '1' })}
        options={[
          { value: '', label: t('all'), count: rows.length },
          { value: 'offline', label: t('offline'), count: counts.offline, bad: true },
          { value: 'pending', label: t('pending'), count: counts.pending },
          { value: 'online', label: t('online'), count: counts.online },
        ]}
      />
      {platforms.length > 1 ? (
        <Select
          compact
          label={t('platform')}
          value={values['platform'] ?? ''}
          onChange={(platform) => set({ platform, page: '1' })}
          options={[{ value: '', label: t('anyPlatform') }, ...platforms.map((value) => ({ value, label: value }))]}
        />
      ) : null}
      {narrowed ? (
        <Button kind="quiet" onClick={list.query.reset}>
          {t('reset')}
        </Button>
      ) : null}
    </div>
  )
}

interface NoEndpointsProps {
  readonly narrowed: boolean
  /** Whether the host tests and saves a new account. */
  readonly canAdd: boolean
  readonly onReset: () => void
}

function NoEndpoints({ narrowed, canAdd, onReset }: NoEndpointsProps) {
  if (narrowed) return <EmptyState title={t('noMatch')} action={<Button onClick={onReset}>{t('list.clear')}</Button>} />
  const next = canAdd ? (
    <Button href={ADD}>{t('add')}</Button>
  ) : (
    <Button href="/config?section=endpoints">{t('toConfig')}</Button>
  )
  return (
    <EmptyState title={t('empty')} action={next}>
      {t('emptyText')}
    </EmptyState>
  )
}
