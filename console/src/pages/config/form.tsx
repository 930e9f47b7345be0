import type { PluginItem } from '@mynah/contract/types'
import { useEffect } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState } from '../../ui/index.js'
import { Quote } from '../../ui/parts/index.js'
import type { FormPart } from './form-part.js'
import { getIn, isRecord, type Folded, type Json, type Section, type ShownSection } from './model.js'
import { describe, kindOf, propertiesOf, propertyOf, resolve } from './schema.js'
import { Row, type FieldsProps } from './row.js'
import { focusSetting, pathText, problemsBelow } from './setting-path.js'
import { t } from './texts.js'

interface FormProps extends FormPart {
  readonly section: ShownSection
  /** All sections. A nested section is not repeated in its parent. */
  readonly sections: readonly Section[]
  readonly folded: readonly FoldedSetting[]
  readonly onYaml: () => void
  /** The setting to go to, as `http.port`. */
  readonly setting: string
  /** The ways out of a section that no plugin claims. */
  readonly leftOver: LeftOver | undefined
}

/** The setting of a section that is folded into this one. */
export interface FoldedSetting extends FormPart {
  readonly section: Folded
}

export interface LeftOver {
  readonly onRemove: () => void
  readonly near: string | undefined
  readonly onUse: () => void
}

export function SectionForm({
  section,
  sections,
  value,
  before,
  problems: own,
  context,
  folded,
  onYaml,
  setting,
  leftOver,
}: FormProps) {
  const wrong = [
    ...own.map(({ path }) => pathText(section.key, path)),
    ...folded.flatMap((item) => item.problems.map(({ path }) => pathText(item.section.key, path))),
  ]
  useEffect(() => {
    if (setting) focusSetting(setting)
  }, [setting])
  const schema = section.schema && resolve(section.schema, value)
  const about = schema ? describe(schema) : ''
  const elsewhere = (name: string): boolean =>
    sections.some(({ key }) => `${key}.`.startsWith(`${section.key}.${name}.`))
  return (
    <div class="inner config-form">
      <header class="config-head">
        <h2>
          <code>{section.key}</code>
        </h2>
        <span class="muted grow">
          {about}
          {about ? '. ' : ''}
          {section.plugin ? (
            <>
              {' '}
              {t('plugin')} <a href={`/plugins/${encodeURIComponent(section.plugin)}`}>{section.plugin}</a>
            </>
          ) : null}
        </span>
        <WrongSettings section={section.key} settings={wrong} />
      </header>
      <PluginError plugin={section.plugin} />
      {schema ? (
        <Fields schema={schema} value={value} before={before} problems={own} context={context} elsewhere={elsewhere} />
      ) : (
        <EmptyState title={t('noSchema')} action={<LeftOverActions onYaml={onYaml} leftOver={leftOver} />} />
      )}
      {folded.map(({ section: { key, path, schema: inner }, ...rest }) => (
        <Row
          key={key}
          {...rest}
          name={[key.slice(section.key.length + 1), ...path].join('.')}
          path={path}
          schema={path.reduce<Json>((found, name) => propertyOf(found, String(name)), inner ?? {})}
          value={getIn(rest.value, path)}
          before={getIn(rest.before, path)}
        />
      ))}
    </div>
  )
}

/** Settings that the head of a section names. */
const NAMED = 3

interface WrongSettingsProps {
  readonly section: string
  /** With the section, as `http.port`. One with two problems is there twice. */
  readonly settings: readonly string[]
}

/** Names the settings of a section that are not valid, each with a way to it. */
function WrongSettings({ section, settings }: WrongSettingsProps) {
  if (settings.length === 0) return null
  /** The name without the section and without a place in a list. */
  const nameOf = (setting: string): string =>
    (setting.startsWith(`${section}.`) ? setting.slice(section.length + 1) : setting).replace(/(?:\.\d+)+$/, '')
  const named = [...new Map(settings.map((setting) => [nameOf(setting), setting])).values()]
  const rest = named.length - NAMED
  return (
    <span class="wrong-settings bad">
      {t('invalid', { count: settings.length })}{' '}
      {named.slice(0, NAMED).map((setting) => (
        <button key={setting} type="button" class="linkish bad" title="F8" onClick={() => focusSetting(setting)}>
          {nameOf(setting)}
        </button>
      ))}
      {rest > 0 ? t('andMore', { count: rest }) : null}
    </span>
  )
}

/** Says why the plugin of a section does not run. It may refuse values that its schema allows. */
function PluginError({ plugin }: { readonly plugin: string | undefined }) {
  const plugins = useResource<PluginItem[]>('GET /plugins', (signal) => host().rest('GET /plugins', { signal }))
  const found = plugins.data?.find(({ name }) => name === plugin)
  return found?.state === 'failed' && found.error ? <Quote>{found.error}</Quote> : null
}

function LeftOverActions({ onYaml, leftOver }: Pick<FormProps, 'onYaml' | 'leftOver'>) {
  return (
    <>
      {leftOver?.near ? (
        <Button kind="primary" onClick={leftOver.onUse}>
          {t('use', { name: leftOver.near })}
        </Button>
      ) : null}{' '}
      {leftOver ? <Button onClick={leftOver.onRemove}>{t('removeKey')}</Button> : null}{' '}
      <Button onClick={onYaml}>{t('openYaml')}</Button>
    </>
  )
}

function Fields({
  schema,
  value,
  before,
  problems,
  context,
  elsewhere,
}: FieldsProps & { readonly elsewhere: (name: string) => boolean }) {
  if (kindOf(schema) !== 'group')
    return <Row name="" schema={schema} value={value} before={before} problems={problems} context={context} />
  const declared = propertiesOf(schema)
  const names = new Set(declared.map(([name]) => name))
  const record = isRecord(value) ? value : {}
  const former = isRecord(before) ? before : {}
  const others = [...new Set([...Object.keys(record), ...Object.keys(former)])].filter(
    (name) => !names.has(name) && !elsewhere(name),
  )
  return (
    <>
      {declared.map(([name, inner]) => (
        <Row
          key={name}
          name={name}
          schema={inner}
          value={record[name]}
          before={former[name]}
          problems={problemsBelow(problems, [name])}
          context={context}
        />
      ))}
      {others.map((name) => (
        <Row
          key={name}
          name={name}
          schema={{}}
          value={record[name]}
          before={former[name]}
          problems={problemsBelow(problems, [name])}
          context={context}
        />
      ))}
    </>
  )
}
