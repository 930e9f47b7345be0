import type { EndpointRow } from '@mynah/contract/types'
import { type Resource } from '../../lib/use-resource.js'
import { Field, Select } from '../../ui/index.js'
import { type Form, type FormProblem } from './model.js'
import { t } from './texts.js'

interface ChatTargetProps {
  readonly form: Form
  readonly onChange: (change: Partial<Form>) => void
  readonly chosen: EndpointRow | undefined
  readonly endpoints: Resource<EndpointRow[]>
  readonly errorOf: (problem: FormProblem) => string | undefined
}

export function ChatTarget({ form, onChange, chosen, endpoints, errorOf }: ChatTargetProps) {
  return form.channel === 'im' ? (
    <div class="triple">
      <Select
        label={t('endpoint')}
        value={`${form.platform}/${form.endpointId}`}
        onChange={(value) => {
          const at = value.indexOf('/')
          onChange({ platform: value.slice(0, at), endpointId: value.slice(at + 1) })
        }}
        options={[
          ...(chosen ? [] : [{ value: `${form.platform}/${form.endpointId}`, label: form.endpointId || '–' }]),
          ...(endpoints.data ?? []).map((row) => ({
            value: `${row.adapter}/${row.name}`,
            label: `${row.name} (${row.adapter})`,
          })),
        ]}
      />
      <Select
        label={t('scope')}
        value={form.scope}
        onChange={(scope) => onChange({ scope })}
        options={(['private', 'group', 'channel'] as const).map((value) => ({
          value,
          label: t(`scope.${value}`),
        }))}
      />
      <Field
        label={t('scene')}
        hint={t('sceneHint')}
        value={form.sceneId}
        onInput={(sceneId) => onChange({ sceneId })}
        error={errorOf('target')}
      />
      {chosen && chosen.status !== 'online' ? <p class="amber">{t('offline', { name: chosen.name })}</p> : null}
    </div>
  ) : null
}
