// How a plugin is set: each key with its value, what it may be, and what holds when it is left out.
import type { PluginDetail } from '@mynah/contract/types'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { pages } from '../../lib/pages.js'
import { schemaRows } from '../../lib/schema-rows.js'
import { useResource } from '../../lib/use-resource.js'
import { Badge, Code, EmptyState, FailureNotice, Skeleton, Table, type Column } from '../../ui/index.js'
import { Section } from '../../ui/parts/section.js'
import { valueAt } from './model.js'
import { t } from './texts.js'

interface SettingsProps {
  readonly plugin: PluginDetail
  readonly schema: ReturnType<typeof useResource<unknown>>
}
type Row = ReturnType<typeof schemaRows>[number]

export function Settings({ plugin, schema }: SettingsProps) {
  const { has } = useCatalogue()
  const readable = has('config:get') && plugin.configKey !== undefined
  const config = useResource<unknown>(
    readable ? `config:get ${plugin.configKey}` : 'absent config:get',
    (signal) =>
      readable
        ? host().rpc('config:get', { pluginName: plugin.configKey ?? plugin.name }, { signal })
        : Promise.resolve(undefined),
    'config:get',
  )
  if (schema.failure && schema.data === undefined)
    return <FailureNotice failure={schema.failure} onRetry={schema.reload} />
  if (schema.data === undefined) return <Skeleton label={t('loading')} />
  if (schema.data === null) return <EmptyState title={t('noSettings')}>{t('noSettingsText')}</EmptyState>
  const rows = schemaRows(schema.data)
  const known = typeof config.data === 'object' && config.data !== null
  const columns: readonly Column<Row>[] = [
    {
      id: 'key',
      head: t('key'),
      rowHeader: true,
      cell: (row) => (
        <>
          <code>{row.path}</code>
          {row.required ? (
            <>
              {' '}
              <Badge tone="info">{t('required')}</Badge>
            </>
          ) : null}
        </>
      ),
    },
    ...(known
      ? [{ id: 'is', head: t('is'), cell: (row: Row) => <Value value={valueAt(config.data, row.path)} /> }]
      : []),
    { id: 'type', head: t('mayBe'), wide: known, cell: (row) => <code>{row.type}</code> },
    {
      id: 'default',
      head: t('leftOut'),
      wide: true,
      cell: (row) => (row.fallback === undefined ? null : <code>{row.fallback}</code>),
    },
    { id: 'meaning', head: t('meaning'), wide: true, cell: (row) => row.description },
  ]
  return (
    <div class="stack">
      {rows.length > 0 ? (
        <Section
          title={t('settings')}
          fact={plugin.configKey ? <code>{plugin.configKey}</code> : null}
          actions={
            pages().some(({ path }) => path === '/config') ? (
              <a href={`/config?section=${encodeURIComponent(plugin.configKey ?? plugin.name)}`}>{t('edit')}</a>
            ) : null
          }
        >
          <Table caption={t('settings')} rows={rows} rowKey={(row) => row.path} columns={columns} />
        </Section>
      ) : null}
      <Section title={t('schema')}>
        <Code text={JSON.stringify(schema.data, null, 2)} label={t('schema')} />
      </Section>
    </div>
  )
}

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="quiet-zero">{t('notSet')}</span>
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <code class="break">{text.length > 120 ? `${text.slice(0, 119)}…` : text}</code>
}
