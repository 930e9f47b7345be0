import type { PluginDetail } from '@mynah/contract/types'
import { useCatalogue } from '../../app/catalogue.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { schemaRows } from '../../lib/schema-rows.js'
import type { Resource } from '../../lib/use-resource.js'
import { Badge, Code, EmptyState, FailureNotice, Skeleton, Table, type Column } from '../../ui/index.js'
import { Section } from '../../ui/parts/section.js'
import { t as settingsTexts } from './settings-texts.js'
import { t } from './texts.js'

const EditSettings = lazyPart(() => import('./edit-settings.js').then((module) => module.EditSettings))

interface SettingsProps {
  readonly plugin: PluginDetail
  readonly schema: Resource<unknown>
  readonly onReview: () => void
}
type Row = ReturnType<typeof schemaRows>[number]

/** The settings of a plugin: to edit where the host serves the configuration, else to read about. */
export function Settings({ plugin, schema, onReview }: SettingsProps) {
  const { has } = useCatalogue()
  const isEditable = has('config:get-all')
  if (schema.failure && schema.data === undefined)
    return <FailureNotice failure={schema.failure} onRetry={schema.reload} />
  if (schema.data === undefined) return <Skeleton label={t('loading')} />
  if (schema.data === null)
    return <EmptyState title={settingsTexts('noSettings')}>{settingsTexts('noSettingsText')}</EmptyState>
  return (
    <div class="stack">
      {isEditable ? (
        <EditSettings plugin={plugin} onReview={onReview} />
      ) : (
        <Description plugin={plugin} rows={schemaRows(schema.data)} />
      )}
      <details class="schema">
        <summary>{t('schema')}</summary>
        <Code text={JSON.stringify(schema.data, null, 2)} label={t('schema')} />
      </details>
    </div>
  )
}

interface DescriptionProps {
  readonly plugin: PluginDetail
  readonly rows: readonly Row[]
}

function Description({ plugin, rows }: DescriptionProps) {
  const columns: readonly Column<Row>[] = [
    {
      id: 'key',
      head: t('key'),
      rowHeader: true,
      cell: (row) => (
        <>
          <code>{row.path}</code> {row.required ? <Badge tone="info">{t('required')}</Badge> : null}
        </>
      ),
    },
    { id: 'type', head: t('mayBe'), cell: (row) => <code>{row.type}</code> },
    {
      id: 'default',
      head: t('leftOut'),
      wide: true,
      cell: (row) => (row.fallback === undefined ? null : <code>{row.fallback}</code>),
    },
    { id: 'meaning', head: t('meaning'), wide: true, cell: (row) => row.description },
  ]
  if (rows.length === 0) return null
  return (
    <Section title={t('settings')} fact={plugin.configKey ? <code>{plugin.configKey}</code> : null}>
      <Table caption={t('settings')} rows={rows} rowKey={(row) => row.path} columns={columns} />
    </Section>
  )
}
