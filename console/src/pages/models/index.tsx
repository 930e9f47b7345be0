import { useEffect } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { useNow } from '../../kit/use-now.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { Button, EmptyState, PageHead } from '../../ui/index.js'
import { Loaded, Section, Stale } from '../../ui/parts/index.js'
import { providersInOrder, countProblems, hasFree, type Binding } from './model.js'
import './page.css'
import { Servers } from './servers.js'
import { t } from './texts.js'
import type { Provider, Server } from './wire.js'
import { ProviderView } from './provider-view.js'

export function ModelsPage() {
  const now = useNow(1000)
  const { has } = useCatalogue()
  const withMcp = has('mcp:list')
  const models = useResource<{ providers: Provider[] }>('models:list', (signal) => call('models:list', {}, signal))
  const mcp = useResource<{ servers: Server[] }>(
    withMcp ? 'mcp:list' : 'absent mcp',
    (signal) => (withMcp ? call('mcp:list', {}, signal) : Promise.resolve({ servers: [] })),
    'mcp:list',
  )
  const bindings = useResource<readonly Binding[]>(
    'GET /introspection/bindings all',
    async (signal) => (await host().rest('GET /introspection/bindings', { query: { pageSize: 200 }, signal })).items,
    'GET /introspection/bindings',
  )
  const providers = providersInOrder(models.data?.providers ?? [])
  const servers = mcp.data?.servers ?? []
  const trouble = countProblems(providers, servers, now)
  const discovering = providers.some((provider) => provider.status === 'discovering')
  useEffect(() => {
    if (!discovering) return
    const timer = setTimeout(models.reload, 2000)
    return () => clearTimeout(timer)
  }, [discovering, models.updatedAt])
  const refresh = useAction(async () => {
    await call('models:refresh')
    models.reload()
  })
  const best = Math.max(1, ...providers.flatMap((provider) => provider.models.map((model) => model.score)))
  const well = trouble.failed + trouble.cooling + trouble.disconnected + trouble.held === 0
  return (
    <>
      <PageHead
        title={t('page.models')}
        fact={troubleFact(models, trouble, well)}
        actions={
          <>
            {has('models:refresh') ? (
              <Button busy={refresh.busy} {...refresh.blocked} onClick={() => refresh.run()}>
                {t('discover')}
              </Button>
            ) : null}
            <Button
              onClick={() => {
                models.reload()
                mcp.reload()
              }}
              hotkey="r"
            >
              {t('refresh')}
            </Button>
          </>
        }
      />
      <Providers models={models} providers={providers} best={best} bindings={bindings} now={now} />
      {withMcp ? (
        <div id="servers">
          <Servers resource={mcp} now={now} />
        </div>
      ) : null}
    </>
  )
}

interface ProvidersProps {
  readonly models: Resource<{ providers: Provider[] }>
  readonly providers: readonly Provider[]
  readonly best: number
  readonly bindings: Resource<readonly Binding[]>
  readonly now: number
}

function Providers({ models, providers, best, bindings, now }: ProvidersProps) {
  const { has } = useCatalogue()
  return (
    <div id="providers">
      <Section title={t('providers')} fact={t(has('models:test') ? 'providersFactTest' : 'providersFact')}>
        <Loaded resource={models}>
          {() =>
            providers.length === 0 ? (
              <EmptyState title={t('emptyProviders')} action={<Button href="/config?section=ai">{t('config')}</Button>}>
                {t('emptyProvidersText')}
              </EmptyState>
            ) : (
              providers.map((provider) => (
                <ProviderView
                  key={provider.alias}
                  provider={provider}
                  best={best}
                  hasOthers={hasFree(providers, now)}
                  bindings={bindings.data ?? []}
                  now={now}
                />
              ))
            )
          }
        </Loaded>
      </Section>
    </div>
  )
}

function troubleFact(
  models: Resource<{ providers: Provider[] }>,
  trouble: ReturnType<typeof countProblems>,
  well: boolean,
) {
  return models.data ? (
    <>
      {trouble.failed > 0 ? (
        <a class="bad" href="#providers">
          {t('failedN', { count: trouble.failed })}
        </a>
      ) : null}
      {trouble.cooling > 0 ? (
        <a class="amber" href="#providers">
          {t('coolingN', { count: trouble.cooling })}
        </a>
      ) : null}
      {trouble.disconnected > 0 ? (
        <a class="bad" href="#servers">
          {t('awayN', { count: trouble.disconnected })}
        </a>
      ) : null}
      {trouble.held > 0 ? (
        <a class="amber" href="#servers">
          {t('heldN', { count: trouble.held })}
        </a>
      ) : null}
      {well ? <span>{t('well')}</span> : null} <Stale resource={models} />
    </>
  ) : undefined
}
