// Providers with their models, and MCP servers with their tools: what is wrong first.
import { useEffect } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { useNow } from '../../kit/use-now.js'
import { left, short } from '../../kit/when.js'
import { listed } from '../../kit/listed.js'
import { t } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, PageHead, Table } from '../../ui/index.js'
import { Loaded, Meter, Quote, Section, Stale, State } from '../../ui/parts/index.js'
import { abilities, isCooling, providersInOrder, troubleOf, usedBy, type Binding } from './model.js'
import './page.css'
import { Servers } from './servers.js'
import { p } from './texts.js'
import type { Provider, Server } from './wire.js'

const words = ['vision', 'toolCalling', 'thinking', 'audio', 'imageGeneration'] as const
const ability = (name: string): string => {
  const known = words.find((item) => item === name)
  return known ? p(`can.${known}`) : name
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
  const trouble = troubleOf(providers, servers, now)
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
  const well = trouble.failed + trouble.cooling + trouble.away + trouble.held === 0
  return (
    <>
      <PageHead
        title={t('page.models')}
        fact={
          models.data ? (
            <>
              {trouble.failed > 0 ? (
                <a class="bad" href="#providers">
                  {p('failedN', { count: trouble.failed })}
                </a>
              ) : null}
              {trouble.cooling > 0 ? (
                <a class="amber" href="#providers">
                  {p('coolingN', { count: trouble.cooling })}
                </a>
              ) : null}
              {trouble.away > 0 ? (
                <a class="bad" href="#servers">
                  {p('awayN', { count: trouble.away })}
                </a>
              ) : null}
              {trouble.held > 0 ? (
                <a class="amber" href="#servers">
                  {p('heldN', { count: trouble.held })}
                </a>
              ) : null}
              {well ? <span>{p('well')}</span> : null} <Stale resource={models} />
            </>
          ) : undefined
        }
        actions={
          <>
            {has('models:refresh') ? (
              <Button busy={refresh.busy} {...refresh.blocked} onClick={() => refresh.run()}>
                {p('discover')}
              </Button>
            ) : null}
            <Button
              onClick={() => {
                models.reload()
                mcp.reload()
              }}
              hotkey="r"
            >
              {p('refresh')}
            </Button>
          </>
        }
      />
      <div id="providers">
        <Section title={p('providers')} fact={p('providersFact')}>
          <Loaded resource={models}>
            {() =>
              providers.length === 0 ? (
                <EmptyState
                  title={p('emptyProviders')}
                  action={<Button href="/config?section=ai">{p('config')}</Button>}
                >
                  {p('emptyProvidersText')}
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
          <State tone={provider.status === 'failed' ? 'wrong' : 'wait'}>{p(provider.status)}</State>
        )}
      </p>
      {provider.error ? <Quote actions={<a href="/config?section=ai">{p('config')}</a>}>{provider.error}</Quote> : null}
      {provider.models.length === 0 ? (
        <p class="muted">{p('noModels')}</p>
      ) : (
        <Table
          caption={p('models', { name: provider.alias })}
          rows={provider.models}
          rowKey={(model) => model.id}
          rowClass={(model) => (isCooling(model, now) ? 'faded' : undefined)}
          below={(model) =>
            isCooling(model, now) && model.cooldownReason ? (
              <Quote tone="warn" actions={<span class="muted">{p('until')}</span>}>
                {model.cooldownReason}
              </Quote>
            ) : undefined
          }
          columns={[
            { id: 'model', head: p('model'), rowHeader: true, cell: (model) => <code>{model.id}</code> },
            {
              id: 'score',
              head: p('score'),
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
              head: p('window'),
              numeric: true,
              width: '80px',
              cell: (model) => (model.contextWindow === undefined ? '–' : short(model.contextWindow)),
            },
            {
              id: 'can',
              head: p('can'),
              wide: true,
              cell: (model) => <span class="muted">{listed(abilities(model).map(ability))}</span>,
            },
            {
              id: 'used',
              head: p('used'),
              wide: true,
              width: '110px',
              cell: (model) => listed(usedBy(bindings, provider.alias, model.id)),
            },
            {
              id: 'state',
              head: p('state'),
              width: '130px',
              cell: (model) =>
                isCooling(model, now) ? (
                  <State tone="wait">
                    {p('back')} {left((model.cooldownUntil ?? now) - now)}
                  </State>
                ) : null,
            },
          ]}
        />
      )}
    </div>
  )
}
