import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { resources } from '../../lib/resources.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, PageHead, Skeleton } from '../../ui/index.js'
import { Loaded } from '../../ui/parts/index.js'
import { getIn, isRecord, type Json } from '../config/model.js'
import { choicesOf, propertiesOf } from '../config/schema.js'
import '../config/page.css'
import './page.css'
import { EnablePlugins } from './enable-plugins.js'
import { freeName, providerSchemaOf } from './model.js'
import { t } from './texts.js'
import { lazyPart } from '../../lib/lazy-part.js'
import type { Tried } from './wire.js'

const TryForm = lazyPart(async () => (await import('./try-form.js')).TryForm)

const TEST_SECONDS = 45

interface Known {
  readonly schema: Json | undefined
  readonly aliases: readonly string[]
}

const recordAt = (config: Json, path: readonly string[]): Json => {
  const found = getIn(config, path)
  return isRecord(found) ? found : {}
}

async function load(signal: AbortSignal): Promise<Known> {
  const [schema, { config }] = await Promise.all([
    host().rpc('schema:get', { pluginName: 'ai' }, { signal }),
    host().rpc('config:get-all', {}, { signal }),
  ])
  return { schema: providerSchemaOf(schema), aliases: Object.keys(recordAt(config, ['ai', 'providers'])) }
}

export function ProviderPage() {
  const { has, known } = useCatalogue()
  const resource = useResource<Known>('schema:get ai', load, 'schema:get')
  const missing = [...(has('models:test') ? [] : ['ai']), ...(has('agent:sessions') ? [] : ['agent'])]
  return (
    <>
      <PageHead
        title={t('giveModel')}
        fact={t('giveModelFact')}
        actions={<Button href="/dashboard">{t('toDashboard')}</Button>}
      />
      {!known ? <Skeleton label={t('loading')} /> : null}
      {known && missing.length > 0 ? (
        <EnablePlugins
          title={t(missing.includes('ai') ? 'notEnabled' : 'agentOff')}
          plugins={missing}
          onEnabled={resource.reload}
        />
      ) : null}
      {known && missing.length === 0 ? (
        <Loaded resource={resource}>
          {({ schema, aliases }) => (schema ? <ProviderForm schema={schema} aliases={aliases} /> : null)}
        </Loaded>
      ) : null}
    </>
  )
}

function ProviderForm({ schema, aliases }: { readonly schema: Json; readonly aliases: readonly string[] }) {
  const alias = freeName('main', aliases)
  const sdk = choicesOf(new Map(propertiesOf(schema)).get('sdk') ?? {})?.[0]
  const save = async (provider: Json): Promise<void> => {
    const { config } = await host().rpc('config:get-all')
    const ai = recordAt(config, ['ai'])
    const providers = recordAt(config, ['ai', 'providers'])
    await host().rpc('config:set', {
      pluginName: 'ai',
      data: { ...ai, providers: { ...providers, [alias]: provider } },
    })
    resources.invalidate((key) => key === 'models:list')
    toast(t('saved', { name: alias }), 'ok')
    navigate('/dashboard')
  }
  return (
    <div class="setup">
      <TryForm
        name="provider"
        schema={schema}
        initial={sdk === undefined ? {} : { sdk }}
        seconds={TEST_SECONDS}
        saveLabel={t('saveModel')}
        owner={({ sdk: family }) => (alias === 'main' ? String(family) : alias)}
        test={(provider) => call<Tried>('models:test', { alias, provider })}
        save={save}
        preview={(provider) => ({ ai: { providers: { [alias]: provider } } })}
      />
    </div>
  )
}
