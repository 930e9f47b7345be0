// Providers with their models, and MCP servers with their tools: what is wrong first.
import { useEffect } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { useNow } from '../../kit/use-now.js'
import { timeLeft, compactNumber } from '../../kit/time-format.js'
import { joinList } from '../../kit/join-list.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, PageHead, Table } from '../../ui/index.js'
import { Loaded, Meter, Quote, Section, Stale, State } from '../../ui/parts/index.js'
import { capabilityNames, isCooling, providersInOrder, countProblems, usedBy, type Binding } from './model.js'
import './page.css'
import { Servers } from './servers.js'
import { t } from './texts.js'
import type { Provider, Server } from './wire.js'

const words = ['vision', 'toolCalling', 'thinking', 'audio', 'imageGeneration'] as const
const ability = (name: string): string => {
  const known = words.find((item) => item === name)
  return known ? t(`can.${known}`) : name
}

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
        fact={
          models.data ? (
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
      <div id="providers">
        <Section title={t('providers')} fact={t('providersFact')}>
          <Loaded resource={models}>
            {() =>
              providers.length === 0 ? (
                <EmptyState
                  title={t('emptyProviders')}
                  action={<Button href="/config?section=ai">{t('config')}</Button>}
                >
                  {t('emptyProvidersText')}
                </EmptyState>
              ) : (
                providers.map((provider) => (
                  <ProviderView
                    key={provider.alias}
                    provider={provider}
                    best={best}
                    bindings={bindings.data ?? []}
                    now={now}
                  />
                ))
              )
            }
          </Loaded>
        </Section>
      </div>
      {withMcp ? (
        <div id="servers">
          <Servers resource={mcp} now={now} />
        </div>
      ) : null}
    </>
  )
}

function ProviderView({
  provider,
  best,
  bindings,
  now,
}: {
  readonly provider: Provider
  readonly best: number
  readonly bindings: readonly Binding[]
  readonly now: number
}) {
  return (
    <div class="provider">
      <p class="provider-head">
        <b>{provider.alias}</b> <span class="muted">{provider.sdk}</span>
        <span class="grow" />
        {provider.status === 'ready' ? null : (
          <State tone={provider.status === 'failed' ? 'wrong' : 'wait'}>{t(provider.status)}</State>
        )}
      </p>
      {provider.error ? <Quote actions={<a href="/config?section=ai">{t('config')}</a>}>{provider.error}</Quote> : null}
      {provider.models.length === 0 ? (
        <p class="muted">{t('noModels')}</p>
      ) : (
        <Table
          caption={t('models', { name: provider.alias })}
          rows={provider.models}
          rowKey={(model) => model.id}
          rowClass={(model) => (isCooling(model, now) ? 'faded' : undefined)}
          below={(model) =>
            isCooling(model, now) && model.cooldownReason ? (
              <Quote tone="warn" actions={<span class="muted">{t('until')}</span>}>
                {model.cooldownReason}
              </Quote>
            ) : undefined
          }
          columns={[
            { id: 'model', head: t('model'), rowHeader: true, cell: (model) => <code>{model.id}</code> },
            {
              id: 'score',
              head: t('score'),
              wide: true,
              width: '190px',
              cell: (model) => (
                <span class="nowrap">
                  <span class="score">{model.score}</span>{' '}
                  <Meter value={model.score} max={best} faded={isCooling(model, now)} />
                </span>
              ),
            },
            {
              id: 'window',
              head: t('window'),
              numeric: true,
              width: '80px',
              cell: (model) => (model.contextWindow === undefined ? '–' : compactNumber(model.contextWindow)),
            },
            {
              id: 'can',
              head: t('can'),
              wide: true,
              cell: (model) => <span class="muted">{joinList(capabilityNames(model).map(ability))}</span>,
            },
            {
              id: 'used',
              head: t('used'),
              wide: true,
              width: '110px',
              cell: (model) => joinList(usedBy(bindings, provider.alias, model.id)),
            },
            {
              id: 'state',
              head: t('state'),
              width: '130px',
              cell: (model) =>
                isCooling(model, now) ? (
                  <State tone="wait">
                    {t('back')} {timeLeft((model.cooldownUntil ?? now) - now)}
                  </State>
                ) : null,
            },
          ]}
        />
      )}
    </div>
  )
}
