// One plugin: why it runs or not, what it adds, how it is configured.
import type { PluginDetail } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { entries, pageFailures } from '../../entries/load.js'
import { t } from '../../lib/i18n.js'
import { useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Badge, Button, Code, Copy, EmptyState, FailureNotice, Facts, Notice, PageHead, Panel, Skeleton, Table, Tabs, Updated } from '../../ui/index.js'
import type { PageProps } from '../registry.js'
import { entriesOf, featureCount, schemaRows, stateBadge } from './model.js'

export function PluginPage({ params }: PageProps) {
  const name = params['name'] ?? ''
  const plugin = useResource<PluginDetail>(`GET /plugins/${name}`, (signal) => host().rest('GET /plugins/:name', { params: { name }, signal }))
  const schema = useResource<unknown>(`schema:get ${name}`, (signal) => host().rpc('schema:get', { pluginName: name }, { signal }))
  const { data } = plugin
  const reload = (): void => {
    plugin.reload()
    schema.reload()
  }
  const missing = plugin.failure?.kind === 'missing'
  return (
    <>
      <PageHead title={name} fact={<>{data ? <StateBadge state={data.state} /> : null} <Updated at={plugin.updatedAt} />{plugin.failure && data ? <> <Badge tone="warn">{t('list.stale')}</Badge></> : null}</>}
        actions={<><Button href="/plugins">{t('plugin.back')}</Button><Button onClick={reload} title="r">{t('refresh')}</Button></>} />
      {missing
        ? <div class="panel"><EmptyState title={t('plugin.missing', { name })} action={<Button href="/plugins">{t('plugin.back')}</Button>}>{t('plugin.missing.text')}</EmptyState></div>
        : data
          ? <Content plugin={data} schema={schema} />
          : plugin.failure ? <FailureNotice failure={plugin.failure} onRetry={reload} /> : <div class="panel"><Skeleton label={t('loading')} /></div>}
    </>
  )
}

function StateBadge({ state }: { readonly state: PluginDetail['state'] }) {
  const { tone, shape } = stateBadge(state)
  return <Badge tone={tone} shape={shape}>{t(`state.${state}`)}</Badge>
}

interface ContentProps { readonly plugin: PluginDetail; readonly schema: ReturnType<typeof useResource<unknown>> }

function Content({ plugin, schema }: ContentProps) {
  const query = useQuery({ tab: 'features' })
  const own = entriesOf(plugin.name, useStore(entries))
  const { tab } = query.values
  const list = (items: readonly string[]) => (items.length > 0 ? <>{items.map((item, index) => <span key={item}>{index > 0 ? ', ' : ''}<code>{item}</code></span>)}</> : undefined)
  return (
    <>
      {plugin.error ? <Notice tone={plugin.state === 'failed' ? 'err' : 'warn'} title={t('plugin.error')}>{plugin.error}</Notice> : null}
      {plugin.waitingFor.length > 0 ? <Notice tone="warn" title={t('plugin.waiting')}>{plugin.waitingFor.join('; ')}</Notice> : null}
      <Panel title={t('plugin.facts')}>
        {plugin.description ? <p class="lead">{plugin.description}</p> : null}
        <Facts facts={[
          { label: t('plugin.version'), value: plugin.version },
          { label: t('plugin.configKey'), value: plugin.configKey ? <span class="row"><code>{plugin.configKey}</code><Copy text={plugin.configKey} label={t('copy')} /></span> : undefined },
          { label: t('plugin.provides'), value: list(plugin.provides) },
          { label: t('plugin.requires'), value: list(plugin.requires) },
          { label: t('plugin.path'), value: plugin.filePath ? <code>{plugin.filePath}</code> : undefined },
          { label: t('plugin.file'), value: plugin.filename ? <code>{plugin.filename}</code> : undefined },
        ]} />
      </Panel>
      <Tabs label={t('plugin.tabs')} current={tab} onSelect={(id) => query.set({ tab: id }, { replace: true })} tabs={[
        { id: 'features', label: t('plugin.features'), count: featureCount(plugin) },
        { id: 'contexts', label: t('plugin.contexts'), count: plugin.contexts.length },
        { id: 'schema', label: t('plugin.schema') },
        { id: 'console', label: t('plugin.console'), count: own.length },
      ]}>
        {tab === 'contexts' ? <Contexts plugin={plugin} /> : tab === 'schema' ? <Schema schema={schema} /> : tab === 'console' ? <Console states={own} /> : <FeatureList plugin={plugin} />}
      </Tabs>
    </>
  )
}

function FeatureList({ plugin }: { readonly plugin: PluginDetail }) {
  if (featureCount(plugin) === 0) return <EmptyState title={t('plugin.features.empty')}>{t('plugin.features.empty.text')}</EmptyState>
  return (
    <div class="stack">
      {plugin.features.filter((feature) => feature.count > 0).map((feature) => (
        <Panel key={feature.name} title={`${feature.name} (${feature.count})`}>
          <Facts mono facts={feature.items.map((item) => ({ label: item.name, value: item.description ?? '–' }))} />
        </Panel>
      ))}
    </div>
  )
}

function Contexts({ plugin }: { readonly plugin: PluginDetail }) {
  if (plugin.contexts.length === 0) return <EmptyState title={t('plugin.contexts.empty')}>{t('plugin.contexts.empty.text')}</EmptyState>
  return <Panel title={t('plugin.contexts')}><Facts mono facts={plugin.contexts.map((context) => ({ label: context.name, value: context.description ?? '–' }))} /></Panel>
}

function Schema({ schema }: { readonly schema: ContentProps['schema'] }) {
  if (schema.failure && schema.data === undefined) return <FailureNotice failure={schema.failure} onRetry={schema.reload} />
  if (schema.data === undefined) return <Skeleton label={t('loading')} />
  if (schema.data === null) return <EmptyState title={t('plugin.schema.empty')}>{t('plugin.schema.empty.text')}</EmptyState>
  const rows = schemaRows(schema.data)
  return (
    <div class="stack">
      {rows.length > 0
        ? <Panel title={t('plugin.schema.table')} flush>
            <Table caption={t('plugin.schema.table')} rows={rows} rowKey={(row) => row.path} columns={[
              { id: 'key', head: t('plugin.schema.key'), rowHeader: true, cell: (row) => <><code>{row.path}</code>{row.required ? <> <Badge tone="info">{t('plugin.schema.required')}</Badge></> : null}</> },
              { id: 'type', head: t('plugin.schema.type'), cell: (row) => <code>{row.type}</code> },
              { id: 'default', head: t('plugin.schema.default'), wide: true, cell: (row) => (row.fallback === undefined ? null : <code>{row.fallback}</code>) },
              { id: 'meaning', head: t('plugin.schema.meaning'), wide: true, cell: (row) => row.description },
            ]} />
          </Panel>
        : null}
      <Panel title={t('plugin.schema.raw')}><Code text={JSON.stringify(schema.data, null, 2)} label={t('plugin.schema.raw')} /></Panel>
    </div>
  )
}

function Console({ states }: { readonly states: ReturnType<typeof entriesOf> }) {
  const failures = useStore(pageFailures)
  if (states.length === 0) return <EmptyState title={t('plugin.console.empty')}>{t('plugin.console.empty.text')}</EmptyState>
  return (
    <div class="stack">
      {states.map((state) => {
        const said = state.error?.message ?? failures[state.id]
        const status = said === undefined ? state.status : 'failed'
        return (
          <Panel key={state.id} title={state.entry.meta.name}>
            {said === undefined ? null : <Notice tone="err" title={t('entry.failed')}>{said}</Notice>}
            <Facts facts={[
              { label: t('endpoint.status'), value: <Badge tone={{ loaded: 'ok', failed: 'err', disabled: 'plain', loading: 'warn' }[status] as 'ok'} shape={{ loaded: 'full', failed: 'ring', disabled: 'ring', loading: 'half' }[status] as 'full'}>{t(`entry.${status}`)}</Badge> },
              { label: t('entry.id'), value: <code>{state.id}</code> },
              { label: t('plugin.file'), value: <code>{state.entry.resolvedModule}</code> },
              { label: t('entry.pages'), value: state.routes.length > 0 ? <span class="row">{state.routes.map((route) => <a key={route.path} href={route.path}>{route.name}</a>)}</span> : undefined },
            ]} />
          </Panel>
        )
      })}
    </div>
  )
}
