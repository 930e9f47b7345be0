import type { PluginItem } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { joinFacts, joinList } from '../../kit/join-list.js'
import { currentLocale } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import { navigate } from '../../lib/router.js'
import { useList } from '../../lib/use-list.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, ListPage, type Column } from '../../ui/index.js'
import { Quote } from '../../ui/parts/quote.js'
import { Segments } from '../../ui/parts/segments.js'
import { userFeatures, describe, originOf, pluginPage, statusOf, pluginStatuses, type PluginStatus } from './model.js'
import { Installed } from './installed.js'
import { PluginMenu } from './plugin-menu.js'
import { t } from './texts.js'
import '../../ui/parts/parts.css'
import './page.css'

const address = (plugin: PluginItem, query = ''): string => `/plugins/${encodeURIComponent(plugin.name)}${query}`
const logOf = (name: string): string | undefined =>
  pages().some(({ path }) => path === '/logs') ? `/logs?plugin=${encodeURIComponent(name)}` : undefined

/** Counts the plugins of each state, the failed ones first. A state without plugins is left out. */
function factOf(count: (status: PluginStatus) => number): string {
  const part = (status: PluginStatus, key: 'factFailed' | 'factWaiting' | 'factOff'): string =>
    count(status) === 0 ? '' : t(key, { count: count(status) })
  return joinFacts(
    part('failed', 'factFailed'),
    part('waiting', 'factWaiting'),
    t('factRunning', { count: count('running') }),
    part('off', 'factOff'),
  )
}

export function PluginsPage() {
  const list = useList<PluginItem[], PluginItem>({
    key: 'GET /plugins',
    load: (signal) => host().rest('GET /plugins', { signal }),
    page: (all, query) => pluginPage(all, query, currentLocale()),
    defaults: { status: '' },
  })
  const { data: all = [] } = useResource<PluginItem[]>('GET /plugins', (signal) =>
    host().rest('GET /plugins', { signal }),
  )
  const count = (standing: PluginStatus): number => all.filter((plugin) => statusOf(plugin) === standing).length
  const { filter, status = '', sort } = list.query.values
  const narrowed = filter !== '' || status !== ''
  const columns: readonly Column<PluginItem>[] = pluginColumns()
  return (
    <div class="list-plain plugins">
      <ListPage
        title={t('page.plugins')}
        what={t('what')}
        list={list}
        columns={columns}
        rowKey={(plugin) => plugin.name}
        fact={
          list.known &&
          (narrowed ? t('factFiltered', { total: list.total, of: list.unfilteredTotal ?? list.total }) : factOf(count))
        }
        actions={
          pages().some(({ path }) => path === '/marketplace') ? (
            <Button href="/marketplace">{t('market')}</Button>
          ) : null
        }
        empty={{ title: t('empty'), text: t('emptyText') }}
        {...(sort === '' ? { group: (plugin: PluginItem) => t(statusOf(plugin)) } : {})}
        groupClass={(plugin) =>
          ({ failed: 'bad', waiting: 'amber', running: undefined, off: undefined })[statusOf(plugin)]
        }
        below={reasonOf}
        filters={
          <Segments
            label={t('status')}
            value={status}
            onChange={(value) => list.query.set({ status: value, page: '1' })}
            options={[
              { value: '', label: t('all'), count: all.length },
              ...pluginStatuses.map((standing) => ({
                value: standing,
                label: t(standing),
                count: count(standing),
                bad: standing === 'failed',
              })),
            ]}
          />
        }
      />
      <Installed />
    </div>
  )
}

function pluginColumns(): readonly Column<PluginItem>[] {
  return [
    { id: 'name', head: t('name'), rowHeader: true, sortable: true, cell: (plugin) => <Name plugin={plugin} /> },
    {
      id: 'does',
      head: t('does'),
      wide: true,
      width: '45%',
      cell: (plugin) => <span class="muted">{describe(plugin, currentLocale())}</span>,
    },
    {
      id: 'brings',
      head: t('brings'),
      sortable: true,
      width: '18%',
      wide: true,
      cell: (plugin) => <Brings plugin={plugin} />,
    },
    {
      id: 'version',
      head: t('version'),
      sortable: true,
      numeric: true,
      wide: true,
      width: '90px',
      cell: ({ version }) => <span class="muted">{version}</span>,
    },
    { id: 'actions', head: t('actions'), numeric: true, width: '60px', cell: (plugin) => <Actions plugin={plugin} /> },
  ]
}

function Name({ plugin }: { readonly plugin: PluginItem }) {
  const origin = originOf(plugin)
  return (
    <>
      <a href={address(plugin)}>{plugin.name}</a>
      {origin === 'ours' ? null : <small class="muted"> {origin === 'third' ? t('third') : origin.path}</small>}
      <small class="narrow-only muted">{describe(plugin, currentLocale())}</small>
    </>
  )
}

function nothingText(plugin: PluginItem): string {
  const status = statusOf(plugin)
  if (status === 'waiting') return t('nothingYet')
  return status === 'failed' ? t('nothing') : '–'
}

function Brings({ plugin }: { readonly plugin: PluginItem }) {
  const brings = userFeatures(plugin)
  if (brings.length > 0)
    return <span class="brings">{joinList(brings.map(({ kind, count }) => t(kind, { count })))}</span>
  return <span class="quiet-zero">{nothingText(plugin)}</span>
}

/** Shows why a plugin does not run, with a link to fix it. */
function reasonOf(plugin: PluginItem) {
  const { name, state, error, waitingFor = [] } = plugin
  const standing = statusOf(plugin)
  const log = logOf(name)
  if (standing === 'failed')
    return (
      <Quote
        actions={
          <span class="row">
            {log ? <Button href={log}>{t('log')}</Button> : null}
            <Button href={address(plugin)}>{t('open')}</Button>
          </span>
        }
      >
        {error ?? t('hasFailed')}
      </Quote>
    )
  if (standing === 'waiting' && waitingFor.length > 0)
    return <Quote tone="warn">{t('waitsFor', { what: waitingFor.join('; ') })}</Quote>
  return state === 'degraded' && error ? <Quote tone="warn">{t('degraded', { what: error })}</Quote> : null
}

function Actions({ plugin }: { readonly plugin: PluginItem }) {
  const log = logOf(plugin.name)
  return (
    <PluginMenu
      plugin={plugin}
      label={t('actionsOf', { name: plugin.name })}
      items={[
        { label: t('open'), onSelect: () => navigate(address(plugin)) },
        ...(log ? [{ label: t('log'), onSelect: () => navigate(log) }] : []),
        { label: t('settings'), onSelect: () => navigate(address(plugin, '?tab=settings')) },
        {
          label: t('copyName'),
          onSelect: () =>
            void navigator.clipboard.writeText(plugin.name).then(
              () => toast(t('copied'), 'ok'),
              () => toast(t('copyRefused'), 'err'),
            ),
        },
      ]}
    />
  )
}
