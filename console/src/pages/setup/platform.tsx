import type { AdapterItem } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { currentLocale } from '../../lib/i18n.js'
import { resources } from '../../lib/resources.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { PageHead } from '../../ui/index.js'
import { Loaded } from '../../ui/parts/index.js'
import { isRecord, type Json } from '../config/model.js'
import '../config/page.css'
import './page.css'
import { Choice } from './choice.js'
import { EnablePlugins } from './enable-plugins.js'
import { Guide } from './guide.js'
import { freeName, platformsOf, type Platform } from './offers.js'
import { t } from './texts.js'
import { lazyPart } from '../../lib/lazy-part.js'
import type { Tried } from './wire.js'

const TryForm = lazyPart(async () => (await import('./try-form.js')).TryForm)

const TEST_SECONDS = 25

interface Known {
  readonly adapters: readonly AdapterItem[]
  readonly endpoints: readonly unknown[]
}

async function readEndpoints(signal?: AbortSignal): Promise<readonly unknown[]> {
  const { config } = await host().rpc('config:get-all', {}, signal ? { signal } : {})
  return Array.isArray(config['endpoints']) ? (config['endpoints'] as unknown[]) : []
}

export function PlatformPage() {
  const known = useResource<Known>(
    'endpoint:adapters',
    async (signal) => ({
      adapters: (await host().rpc('endpoint:adapters', {}, { signal })).adapters,
      endpoints: await readEndpoints(signal),
    }),
    'endpoint:adapters',
  )
  return (
    <>
      <PageHead title={t('addPlatform')} fact={t('addPlatformFact')} />
      <Loaded resource={known}>{(data) => <Platforms known={data} onEnabled={known.reload} />}</Loaded>
    </>
  )
}

function Platforms({ known, onEnabled }: { readonly known: Known; readonly onEnabled: () => void }) {
  const platforms = platformsOf(known.adapters)
  return (
    <Choice
      label={t('platform')}
      text={t('platformText')}
      options={platforms.map(({ name, label }) => ({ value: name, label }))}
    >
      {(choice, isPressed) => {
        const chosen = platforms.find(({ name }) => name === choice)
        return chosen?.schema ? (
          <AccountForm
            key={choice}
            platform={chosen}
            schema={chosen.schema}
            endpoints={known.endpoints}
            focus={isPressed}
          />
        ) : (
          <EnablePlugins
            key={choice}
            title={t('notEnabled')}
            plugins={[`adapter-${choice}`]}
            now={isPressed}
            onEnabled={onEnabled}
          />
        )
      }}
    </Choice>
  )
}

interface AccountFormProps {
  readonly platform: Platform
  readonly schema: Json
  readonly endpoints: readonly unknown[]
  readonly focus: boolean
}

function AccountForm({ platform, schema, endpoints, focus }: AccountFormProps) {
  const taken = endpoints.filter(isRecord).filter(({ adapter }) => adapter === platform.name)
  const id = freeName(
    platform.name,
    taken.map((item) => String(item['id'])),
  )
  const save = async (account: Json): Promise<string> => {
    // Read again: another account may have been added meanwhile.
    await host().rpc('config:set', { pluginName: 'endpoints', data: [...(await readEndpoints()), account] })
    resources.invalidate((key) => key === 'endpoint:list')
    navigate('/dashboard')
    return String(account['id'])
  }
  const guide = platform.guide && (platform.guide[currentLocale() as 'en'] ?? platform.guide.en)
  return (
    <>
      {guide === undefined ? null : <Guide text={guide} label={t('guide', { platform: platform.label })} />}
      <TryForm
        name={`account ${platform.name}`}
        schema={schema}
        initial={{ adapter: platform.name, id }}
        hidden={['adapter', 'enabled']}
        explainsSecrets
        focus={focus}
        seconds={TEST_SECONDS}
        saveLabel={t('saveAccount')}
        owner={(account) => String(account['id'])}
        test={(account) => call<Tried>('endpoint:test', { account })}
        save={save}
        preview={(account) => ({ endpoints: [account] })}
      />
    </>
  )
}
