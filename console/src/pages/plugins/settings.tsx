import type { PluginDetail } from '@mynah/contract/types'
import { lazyPart } from '../../lib/lazy-part.js'
import type { Resource } from '../../lib/use-resource.js'
import { Code, EmptyState, FailureNotice, Skeleton } from '../../ui/index.js'
import { t as settingsTexts } from './settings-texts.js'
import { t } from './texts.js'

const EditSettings = lazyPart(() => import('./edit-settings.js').then((module) => module.EditSettings))

interface SettingsProps {
  readonly plugin: PluginDetail
  readonly schema: Resource<unknown>
  readonly onReview: () => void
}

/** The settings of a plugin, and the schema that describes them. */
export function Settings({ plugin, schema, onReview }: SettingsProps) {
  if (schema.failure && schema.data === undefined)
    return <FailureNotice failure={schema.failure} onRetry={schema.reload} />
  if (schema.data === undefined) return <Skeleton label={t('loading')} />
  if (schema.data === null)
    return <EmptyState title={settingsTexts('noSettings')}>{settingsTexts('noSettingsText')}</EmptyState>
  return (
    <div class="stack">
      <EditSettings plugin={plugin} onReview={onReview} />
      <details class="schema">
        <summary>{t('schema')}</summary>
        <Code text={JSON.stringify(schema.data, null, 2)} label={t('schema')} />
      </details>
    </div>
  )
}
