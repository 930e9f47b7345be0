// All plugins of the host.
import type { PluginItem } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { t } from '../../lib/i18n.js'
import { navigate } from '../../lib/router.js'
import { useList } from '../../lib/use-list.js'
import { Badge, Icon, ListPage, Menu, Select, type Column } from '../../ui/index.js'
import { featureCount, pluginPage } from './model.js'

const address = (plugin: PluginItem): string => `/plugins/${encodeURIComponent(plugin.name)}`

export function PluginsPage() {
  const list = useList<PluginItem[], PluginItem>({
    key: 'GET /plugins',
    load: (signal) => host().rest('GET /plugins', { signal }),
    page: pluginPage,
    defaults: { status: '' },
  })
  const columns: readonly Column<PluginItem>[] = [
    { id: 'name', head: t('plugins.name'), rowHeader: true, sortable: true, cell: (plugin) => <a href={address(plugin)}>{plugin.name}</a> },
    { id: 'status', head: t('plugins.status'), sortable: true, width: '130px', cell: (plugin) => <Badge tone={plugin.status === 'active' ? 'ok' : 'plain'} shape={plugin.status === 'active' ? 'full' : 'ring'}>{t(`status.${plugin.status}`)}</Badge> },
    { id: 'features', head: t('plugins.features'), sortable: true, wide: true, cell: (plugin) => <Features plugin={plugin} /> },
    { id: 'description', head: t('plugins.description'), wide: true, cell: (plugin) => <span class="muted">{plugin.description}</span> },
    { id: 'actions', head: t('actions'), numeric: true, width: '60px', cell: (plugin) => (
      <Menu label={t('plugins.actions', { name: plugin.name })} items={[
        { label: t('plugins.open', { name: plugin.name }), onSelect: () => navigate(address(plugin)) },
        { label: t('plugins.copyName'), onSelect: () => void navigator.clipboard.writeText(plugin.name).then(() => toast(t('copied'), 'ok'), () => toast(t('copy.refused'), 'err')) },
      ]}><Icon name="more" /></Menu>
    ) },
  ]
  return (
    <ListPage title={t('page.plugins')} what={t('plugins.what')} list={list} columns={columns} rowKey={(plugin) => plugin.name}
      fact={list.known ? t('pager.total', { total: list.total }) : null}
      empty={{ title: t('plugins.empty'), text: t('plugins.empty.text') }}
      filters={<Select compact label={t('plugins.status')} value={list.query.values['status'] ?? ''} onChange={(status) => list.query.set({ status, page: '1' })} options={[
        { value: '', label: t('plugins.status.all') }, { value: 'active', label: t('status.active') }, { value: 'inactive', label: t('status.inactive') },
      ]} />} />
  )
}

function Features({ plugin }: { readonly plugin: PluginItem }) {
  if (featureCount(plugin) === 0) return <span class="muted">–</span>
  return <>{plugin.features.map((feature, index) => <span key={feature.name}>{index > 0 ? <span class="muted"> · </span> : null}<span class="nowrap">{feature.name} <b>{feature.count}</b></span></span>)}</>
}
