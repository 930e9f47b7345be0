import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Code } from '../../ui/code.js'
import { Button, Dialog } from '../../ui/index.js'
import { Loaded, Quote } from '../../ui/parts/index.js'
import type { FieldContext } from '../config/controls.js'
import { getIn, setIn, type Json } from '../config/model.js'
import '../config/page.css'
import { Row } from '../config/row.js'
import { installCommandIn } from '../setup/offers.js'
import { reloadPlugins } from './reload-plugins.js'
import { missingSettings, withValues, type DescribedSection, type RequiredSetting } from './required-settings.js'
import { t } from './switch-texts.js'

export interface EnableProps {
  /** The name of the plugin, or that of its package. */
  readonly name: string
  readonly onClose: () => void
}

interface Described {
  readonly sections: readonly DescribedSection[]
  readonly config: Json
}

type Values = Readonly<Record<string, Json>>

/** Enables a plugin, after asking for the settings that it cannot start without. */
export function Enable({ name, onClose }: EnableProps) {
  const [values, setValues] = useState<Values>({})
  const described = useResource<Described>(`config:describe ${name}`, async (signal) => {
    const [{ sections }, { config }] = await Promise.all([
      host().rpc('config:describe', { plugin: name }, { signal }),
      host().rpc('config:get-all', {}, { signal }),
    ])
    return { sections, config }
  })
  const missing = described.data ? missingSettings(described.data.sections, described.data.config) : []
  const enable = useAction(async () => {
    const sections = withValues(described.data?.config ?? {}, values)
    const { reloaded } = await host().rpc('config:enable', { plugins: [name], sections })
    toast(t(reloaded ? 'enabled' : 'going', { name }), reloaded ? 'ok' : 'warn')
    reloadPlugins()
    onClose()
    navigate(`/plugins/${encodeURIComponent(name)}`)
  }, 'here')
  const isComplete = missing.every((setting) => getIn(values, [setting.section, setting.name]) !== undefined)
  const command = enable.failure === undefined ? undefined : installCommandIn(enable.failure)
  return (
    <Dialog
      wide={missing.length > 0}
      title={t('enableTitle', { name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            kind="primary"
            busy={enable.busy}
            disabled={described.data === undefined || !isComplete}
            {...enable.blocked}
            onClick={() => enable.run()}
          >
            {t('enable')}
          </Button>
        </>
      }
    >
      <p>{t('enableText')}</p>
      <Loaded resource={described} rows={3}>
        {() => (missing.length > 0 ? <Required missing={missing} values={values} onChange={setValues} /> : null)}
      </Loaded>
      <div role="status">
        {enable.failure === undefined ? null : <Quote>{enable.failure}</Quote>}
        {command === undefined ? null : (
          <>
            <p>{t('runCommand')}</p>
            <Code text={command} label={t('copyCommand')} />
          </>
        )}
      </div>
    </Dialog>
  )
}

interface RequiredProps {
  readonly missing: readonly RequiredSetting[]
  readonly values: Values
  readonly onChange: (values: Values) => void
}

function Required({ missing, values, onChange }: RequiredProps) {
  const contextOf = (section: string): FieldContext => ({
    section,
    problems: [],
    readOnly: false,
    valueAt: (path) => getIn(values, [section, ...path]),
    set: (path, next) => onChange(setIn(values, [section, ...path], next) as Values),
  })
  return (
    <div>
      <p class="muted">{t('required')}</p>
      {missing.map(({ section, name, schema }) => (
        <Row
          key={`${section}.${name}`}
          name={name}
          schema={schema}
          value={getIn(values, [section, name])}
          before={undefined}
          hints={false}
          problems={[]}
          context={contextOf(section)}
        />
      ))}
    </div>
  )
}
