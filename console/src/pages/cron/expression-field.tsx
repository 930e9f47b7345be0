import { Field } from '../../ui/index.js'
import { fieldsOf, type Form, type FormProblem } from './model.js'
import { t } from './texts.js'
import { type Preview } from './preview.js'

const presets = {
  hourly: '0 * * * *',
  daily: '0 9 * * *',
  weekdays: '0 9 * * 1-5',
  weekly: '0 9 * * 1',
  monthly: '0 9 1 * *',
} as const

type Preset = keyof typeof presets

interface ExpressionFieldProps {
  readonly form: Form
  readonly onChange: (change: Partial<Form>) => void
  readonly preview: Preview
  readonly error: (of: FormProblem) => string | undefined
}

export function ExpressionField({ form, onChange, preview, error }: ExpressionFieldProps) {
  return (
    <div>
      <Field
        mono
        label={t('expression')}
        value={form.cron}
        onInput={(cron) => onChange({ cron })}
        error={preview.error ?? error('cron')}
      />
      <CronCells expression={form.cron} error={preview.error} />
      <p class="presets" role="group" aria-label={t('presets')}>
        <span class="muted">{t('startFrom')}</span>
        {(Object.keys(presets) as Preset[]).map((preset) => (
          <button key={preset} type="button" class="linkish" onClick={() => onChange({ cron: presets[preset] })}>
            {t(`preset.${preset}`)}
          </button>
        ))}
      </p>
    </div>
  )
}

/** Shows the meaning of each field of the expression. */
function CronCells({ expression, error }: { readonly expression: string; readonly error: string | undefined }) {
  const parts = fieldsOf(expression)
  const names = [
    ...(parts.length === 6 ? ['second' as const] : []),
    'minute' as const,
    'hour' as const,
    'dayOfMonth' as const,
    'month' as const,
    'weekday' as const,
  ]
  return (
    <dl class="cron-cells">
      {names.map((name, index) => (
        <div
          key={name}
          class={error?.toLowerCase().includes(t(name).toLowerCase()) || error?.includes(name) ? 'wrong' : undefined}
        >
          <dt>{t(name)}</dt>
          <dd>
            <code>{parts[index] ?? '·'}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
