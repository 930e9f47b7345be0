import type { AdapterItem } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { resources } from '../../lib/resources.js'
import { navigate, useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, PageHead } from '../../ui/index.js'
import { Loaded, Segments } from '../../ui/parts/index.js'
import { isRecord, type Json } from '../config/model.js'
import '../config/page.css'
import './page.css'
import { EnablePlugins } from './enable-plugins.js'
import { freeName, platformsOf, type Platform } from './model.js'
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
      <PageHead
        title={t('addPlatform')}
        fact={t('addPlatformFact')}
        actions={<Button href="/dashboard">{t('toDashboard')}</Button>}
      />
      <Loaded resource={known}>{(data) => <Choice known={data} onEnabled={known.reload} />}</Loaded>
    </>
  )
}

function Choice({ known, onEnabled }: { readonly known: Known; readonly onEnabled: () => void }) {
  const platforms = platformsOf(known.adapters)
  const query = useQuery({ platform: '' })
  const chosen = platforms.find(({ name }) => name === query.values.platform) ?? platforms[0]
  if (!chosen) return null
  return (
    <div class="setup">
      <Segments
        label={t('platform')}
        value={chosen.name}
        options={platforms.map(({ name, label }) => ({ value: name, label }))}
        onChange={(platform) => query.set({ platform }, { replace: true })}
      />
      {chosen.schema ? (
        <AccountForm key={chosen.name} platform={chosen} schema={chosen.schema} endpoints={known.endpoints} />
      ) : (
        <EnablePlugins
          key={chosen.name}
          title={t('notEnabled')}
          plugins={[`adapter-${chosen.name}`]}
          onEnabled={onEnabled}
        />
      )}
    </div>
  )
}

interface AccountFormProps {
  readonly platform: Platform
  readonly schema: Json
  readonly endpoints: readonly unknown[]
}

function AccountForm({ platform, schema, endpoints }: AccountFormProps) {
  const taken = endpoints.filter(isRecord).filter(({ adapter }) => adapter === platform.name)
  const id = freeName(
    platform.name,
    taken.map((item) => String(item['id'])),
  )
  const save = async (account: Json): Promise<void> => {
    // Read again: another account may have been added meanwhile.
    await host().rpc('config:set', { pluginName: 'endpoints', data: [...(await readEndpoints()), account] })
    resources.invalidate((key) => key === 'endpoint:list')
    toast(t('saved', { name: String(account['id']) }), 'ok')
    navigate('/dashboard')
  }
  return (
    <TryForm
      name={`account ${platform.name}`}
      schema={schema}
      initial={{ adapter: platform.name, id }}
      hidden={['adapter', 'enabled']}
      seconds={TEST_SECONDS}
      saveLabel={t('saveAccount')}
      owner={(account) => String(account['id'])}
      test={(account) => call<Tried>('endpoint:test', { account })}
      save={save}
      preview={(account) => ({ endpoints: [account] })}
    />
  )
}
