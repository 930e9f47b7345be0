import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { joinList } from '../../kit/join-list.js'
import { resources } from '../../lib/resources.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { PageHead, Skeleton } from '../../ui/index.js'
import { Loaded } from '../../ui/parts/index.js'
import { getIn, isRecord, type Json } from '../config/model.js'
import '../config/page.css'
import './page.css'
import { Choice } from './choice.js'
import { EnablePlugins } from './enable-plugins.js'
import { FAMILIES, freeName, providerSchemaOf } from './offers.js'
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
      <PageHead title={t('giveModel')} fact={t('giveModelFact')} />
      {!known ? <Skeleton label={t('loading')} /> : null}
      {known ? (
        <Choice
          label={t('family')}
          text={missing.length > 0 ? t('familyText', { names: joinList(missing) }) : ''}
          options={Object.keys(FAMILIES).map((value) => ({ value, label: value }))}
        >
          {(family, isPressed) =>
            missing.length > 0 ? (
              <EnablePlugins
                title={t(missing.includes('ai') ? 'notEnabled' : 'agentOff')}
                plugins={missing}
                now={isPressed}
                onEnabled={resource.reload}
              />
            ) : (
              <Loaded resource={resource}>
                {({ schema, aliases }) =>
                  schema ? (
                    <ProviderForm key={family} family={family} schema={schema} aliases={aliases} focus={isPressed} />
                  ) : null
                }
              </Loaded>
            )
          }
        </Choice>
      ) : null}
    </>
  )
}

interface ProviderFormProps {
  readonly family: string
  readonly schema: Json
  readonly aliases: readonly string[]
  readonly focus: boolean
}

function ProviderForm({ family, schema, aliases, focus }: ProviderFormProps) {
  const alias = freeName('main', aliases)
  const save = async (provider: Json): Promise<string> => {
    const { config } = await host().rpc('config:get-all')
    const ai = recordAt(config, ['ai'])
    const providers = recordAt(config, ['ai', 'providers'])
    await host().rpc('config:set', {
      pluginName: 'ai',
      data: { ...ai, providers: { ...providers, [alias]: provider } },
    })
    resources.invalidate((key) => key === 'models:list')
    navigate('/dashboard')
    return alias
  }
  return (
    <TryForm
      name={`provider ${family}`}
      schema={schema}
      initial={{ sdk: family }}
      hidden={['sdk']}
      {...(FAMILIES[family] ? { asked: FAMILIES[family] } : {})}
      focus={focus}
      seconds={TEST_SECONDS}
      saveLabel={t('saveModel')}
      owner={() => (alias === 'main' ? family : alias)}
      test={(provider) => call<Tried>('models:test', { alias, provider })}
      save={save}
      preview={(provider) => ({ ai: { providers: { [alias]: provider } } })}
    />
  )
}
