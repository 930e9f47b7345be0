import { useEffect, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { host } from '../../app/host.js'
import { copyText } from '../../kit/export-text.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { joinList } from '../../kit/join-list.js'
import { parsePageNumber } from '../../lib/paginate.js'
import { address } from '../../lib/path.js'
import { navigate } from '../../lib/router.js'
import { useList, type List } from '../../lib/use-list.js'
import {
  Button,
  EmptyState,
  FailureNotice,
  Field,
  PageHead,
  Pager,
  Skeleton,
  Table,
  Tabs,
  Updated,
  type Column,
} from '../../ui/index.js'
import { Stale } from '../../ui/parts/index.js'
import { SavedViews } from '../logs/saved-views.js'
import type { PageProps } from '../../lib/pages.js'
import { useOpenItem } from '../../lib/document-title.js'
import './page.css'
import { curl, fields, marked, resourceOf, resources, type Item, type Page, type Resource } from './model.js'
import { t } from './texts.js'

const word = (resource: Resource): string => (resource === 'commands' ? '/cmd' : `/${resource}`)

export function IntrospectionPage({ params }: PageProps) {
  const resource = resourceOf(params['resource'])
  return <Listing key={resource} resource={resource} />
}

/** Names of plugins and servers stay on one line. */
const widths: Readonly<Record<string, string>> = { source: '130px', plugin: '130px', description: '60%' }
const isProse = (field: string): boolean => field === 'desc' || field === 'description'

type Load = (
  operation: string,
  input: { readonly query: Readonly<Record<string, unknown>>; readonly signal?: AbortSignal },
) => Promise<Page>
type Url = (operation: string, input: { readonly query: Readonly<Record<string, unknown>> }) => Promise<string>

function Listing({ resource }: { readonly resource: Resource }) {
  const operation = `GET /introspection/${resource}`
  const list = useItems(operation)
  const { filter, page } = list.query.values
  useOpenItem(t(resource))
  const go = (name: string): void => navigate(address(`/introspection/${name}`, {}))
  usePageKeys([[resources.map((_, index) => index + 1).join(' '), t('tabs')]])
  useShortcuts(Object.fromEntries(resources.map((name, index) => [String(index + 1), () => go(name)])))
  const table = itemTable(resource, filter, list)
  return (
    <>
      <PageHead
        title={t('page.introspection')}
        fact={
          <>
            <span>{t('fact', { command: word(resource) })}</span>{' '}
            <Stale resource={{ ...list, data: list.known || undefined }} /> <Updated at={list.updatedAt} />
          </>
        }
        actions={
          <Button onClick={list.reload} hotkey="r">
            {t('refresh')}
          </Button>
        }
      />
      <Tabs
        label={t('tabs')}
        current={resource}
        onSelect={go}
        tabs={resources.map((name) => ({
          id: name,
          label: t(name),
          count: name === resource && list.known ? list.total : undefined,
        }))}
      >
        <div class="introspection section">
          <Filter resource={resource} list={list} filter={filter} />
          <Results list={list} table={table} resource={resource} />
          <Pager
            page={list.page}
            totalPages={list.totalPages}
            total={list.total}
            onPage={(next, options) => list.query.set({ page: String(next) }, options)}
          />
          <RestLink operation={operation} page={parsePageNumber(page)} filter={filter} />
        </div>
      </Tabs>
    </>
  )
}

interface FilterProps {
  readonly resource: Resource
  readonly list: List<Item>
  readonly filter: string
}

function Filter({ resource, list, filter }: FilterProps) {
  return (
    <div class="row">
      <div class="search-field">
        <Field
          compact
          type="search"
          label={t(`filter.${resource}`)}
          placeholder={t(`filter.${resource}`)}
          value={list.typed}
          onInput={list.type}
        />
      </div>
      {filter ? (
        <Button kind="quiet" onClick={list.query.reset}>
          {t('reset')}
        </Button>
      ) : null}
      <SavedViews page="introspection" name={filter ? t('view', { list: t(resource), filter }) : ''} />
    </div>
  )
}

/** Returns the table of a resource. */
function itemTable(resource: Resource, filter: string, list: List<Item>) {
  const columns: readonly Column<Item>[] = fields[resource].map((field, index) => ({
    id: field,
    head: field,
    rowHeader: index === 0,
    numeric: field === 'toolCount',
    wide: isProse(field),
    ...(widths[field] === undefined ? {} : { width: widths[field] }),
    cell: (row) => (
      <Value value={row[field]} needle={filter} mono={index === 0 || field === 'model'} link={field === 'plugin'} />
    ),
  }))
  const prose = fields[resource].find(isProse)
  const table = (
    <Table
      caption={t(resource)}
      below={(row) =>
        prose !== undefined && row[prose] ? (
          <p class="narrow-only muted">
            <Value value={row[prose]} needle={filter} mono={false} link={false} />
          </p>
        ) : undefined
      }
      columns={columns}
      rows={list.rows}
      rowKey={(row) =>
        fields[resource]
          .slice(0, 2)
          .map((field) => String(row[field]))
          .join('\n')
      }
      dimmed={list.loading && list.known}
    />
  )
  return table
}

function Value({
  value,
  needle,
  mono,
  link,
}: {
  readonly value: unknown
  readonly needle: string
  readonly mono: boolean
  readonly link: boolean
}) {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return <span class={value ? undefined : 'muted'}>{t(value ? 'yes' : 'no')}</span>
  if (typeof value === 'number') return <>{value}</>
  const text = Array.isArray(value) ? joinList(value.map(String)) : String(value)
  const shown = marked(text, needle).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))
  if (link) return <a href={`/plugins/${encodeURIComponent(text)}`}>{shown}</a>
  return mono ? <code>{shown}</code> : <>{shown}</>
}

/** Shows the request of this page for other clients. */
function RestLink({
  operation,
  page,
  filter,
}: {
  readonly operation: string
  readonly page: number
  readonly filter: string
}) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let gone = false
    void (host().url as unknown as Url)
      .call(host(), operation, { query: { page, ...(filter ? { filter } : {}) } })
      .then(
        (found) => {
          if (!gone) setUrl(found)
        },
        () => setUrl(undefined),
      )
    return () => {
      gone = true
    }
  }, [operation, page, filter])
  if (!url) return null
  const copy = (text: string) => (): void => copyText(text)
  return (
    <footer class="rest-link">
      <span class="muted">{t('rest')}</span>{' '}
      <a href={url} target="_blank" rel="noreferrer">
        <code>{url.slice(new URL(url).origin.length)}</code>
      </a>
      <button type="button" class="linkish" onClick={copy(url)}>
        {t('copyLink')}
      </button>{' '}
      <button type="button" class="linkish" onClick={copy(curl(url))}>
        {t('copyCurl')}
      </button>{' '}
      <span class="muted">{t('noToken')}</span>
    </footer>
  )
}

const useItems = (operation: string) =>
  useList<Page, Item>({
    key: operation,
    load: (signal, { page, filter }) =>
      (host().rest as unknown as Load).call(host(), operation, {
        query: { page: parsePageNumber(page), ...(filter ? { filter } : {}) },
        signal,
      }),
    page: (data) => ({
      rows: data.items,
      total: data.total,
      page: data.page,
      totalPages: data.totalPages,
      ...(data.note === undefined ? {} : { note: data.note }),
    }),
    remote: true,
  })

interface ResultsProps {
  readonly list: List<Item>
  readonly table: ComponentChildren
  readonly resource: Resource
}

/** Shows the table in every state, so that its columns are known before the host is ready. */
function Results({ list, table, resource }: ResultsProps) {
  if (!list.known && !list.failure) return <Skeleton label={t('loading')} />
  return (
    <>
      {list.failure && !list.known ? <FailureNotice failure={list.failure} onRetry={list.reload} /> : null}
      {table}
      {list.failure?.kind === 'not-ready' && !list.known ? (
        <p class="muted pad">{t('later', { what: t(resource) })}</p>
      ) : null}
      {list.known && list.rows.length === 0 ? <NoItems list={list} resource={resource} /> : null}
    </>
  )
}

function NoItems({ list, resource }: Omit<ResultsProps, 'table'>) {
  const { filter } = list.query.values
  if (!filter) return <EmptyState title={t(`empty.${resource}`)}>{list.note}</EmptyState>
  return (
    <EmptyState
      title={t('list.noMatch', { filter })}
      action={<Button onClick={list.query.reset}>{t('list.clear')}</Button>}
    />
  )
}
