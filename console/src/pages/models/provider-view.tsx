import { timeLeft, compactNumber } from '../../kit/time-format.js'
import { joinList } from '../../kit/join-list.js'
import { Table, type Column } from '../../ui/index.js'
import { Meter, Quote, State } from '../../ui/parts/index.js'
import { capabilityNames, isCooling, usedBy, type Binding } from './model.js'
import { ProviderTest } from './provider-test.js'
import { t } from './texts.js'
import type { Provider } from './wire.js'

const words = ['vision', 'toolCalling', 'thinking', 'audio', 'imageGeneration'] as const

const ability = (name: string): string => {
  const known = words.find((item) => item === name)
  return known ? t(`can.${known}`) : name
}

export function ProviderView({
  provider,
  best,
  hasOthers,
  bindings,
  now,
}: {
  readonly provider: Provider
  readonly best: number
  /** Whether another model answers while one cools down. */
  readonly hasOthers: boolean
  readonly bindings: readonly Binding[]
  readonly now: number
}) {
  return (
    <div class="provider">
      <div class="provider-head">
        <b>{provider.alias}</b>
        {provider.sdk === provider.alias ? null : <span class="muted">{provider.sdk}</span>}
        {provider.status === 'ready' ? null : (
          <State tone={provider.status === 'failed' ? 'wrong' : 'wait'}>{t(provider.status)}</State>
        )}
        <ProviderTest alias={provider.alias} />
      </div>
      {provider.inProcess ? (
        <p class="muted">
          {t('inProcess')} <a href="/setup/model">{t('giveModel')}</a>
        </p>
      ) : null}
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
              <Quote tone="warn" actions={hasOthers ? <span class="muted">{t('until')}</span> : undefined}>
                {model.cooldownReason}
              </Quote>
            ) : undefined
          }
          columns={modelColumns({ best, now, bindings, provider })}
        />
      )}
    </div>
  )
}

interface ModelColumnsInput {
  readonly best: number
  readonly now: number
  readonly bindings: readonly Binding[]
  readonly provider: Provider
}

function modelColumns({
  best,
  now,
  bindings,
  provider,
}: ModelColumnsInput): readonly Column<Provider['models'][number]>[] {
  return [
    {
      id: 'model',
      head: t('model'),
      rowHeader: true,
      cell: (model) => (
        <>
          <code>{model.id}</code>
          {model.omits ? (
            <div class="muted breaks">
              {t('omits')} <code>{joinList(model.omits)}</code>
            </div>
          ) : null}
        </>
      ),
    },
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
  ]
}
