import type { PluginDetail } from '@mynah/contract/types'
import type { ComponentType } from 'preact'
import { lazyPart } from '../../lib/lazy-part.js'
import type { Resource } from '../../lib/use-resource.js'
import { Code, EmptyState, FailureNotice, Skeleton } from '../../ui/index.js'
import type { EditSettingsProps } from './edit-settings.js'
import { t as settingsTexts } from './settings-texts.js'
import { t } from './texts.js'

// A demo contains no code that writes.
const EditSettings: ComponentType<EditSettingsProps> = __DEMO__
  ? () => null
  : lazyPart(() => import('./edit-settings.js').then((module) => module.EditSettings))

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
