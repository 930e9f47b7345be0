import { compactNumber } from '../../kit/time-format.js'
import { formatNumber } from '../../lib/i18n.js'
import { t } from './texts.js'
import type { Entry, SessionRow } from './wire.js'

export function UsageLine({
  row,
  blocks,
}: {
  readonly row: SessionRow | undefined
  readonly blocks: readonly Entry[]
}) {
  const last = [...blocks].sort((a, b) => b.timestamp - a.timestamp).find((entry) => entry.usage !== undefined)
  const { usage } = row ?? {}
  if (!usage && !last) return null
  return (
    <dl class="usage-line" aria-label={t('figures')}>
      {usage ? <Totals {...usage} /> : null}
      {last?.usage ? (
        <Figure name={t('window')} value={compactNumber(last.usage.input)} unit={t('tokensWord')} />
      ) : null}
      {last?.model ? <Figure name={t('model')} value={last.model} /> : null}
      {/* The choice of a person in the chat. */}
      {row?.model || row?.thinking ? (
        <Figure name={t('chosen')} value={row.model}>
          {row.thinking ? `/think ${row.thinking}` : undefined}
        </Figure>
      ) : null}
    </dl>
  )
}

function Totals({ input, cachedInput, output, cost }: NonNullable<SessionRow['usage']>) {
  const share = input > 0 ? Math.round((cachedInput / input) * 100) : 0
  return (
    <>
      <Figure name={t('in')} value={formatNumber(input)} unit={`${t('tokensWord')},`}>
        {t('cached', { share })}
      </Figure>
      <Figure name={t('out')} value={formatNumber(output)} unit={t('tokensWord')} />
      {cost === undefined ? null : (
        <Figure name={t('cost')} value={cost.toFixed(cost < 0.1 ? 4 : 2)}>
          {t('ofPrices')}
        </Figure>
      )}
    </>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string | undefined
  readonly unit?: string
  readonly children?: string | undefined
}

function Figure({ name, value, unit, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value ? <b>{value}</b> : null} {unit ? <span class="unit">{unit}</span> : null}{' '}
        {children ? <span class="note">{children}</span> : null}
      </dd>
    </div>
  )
}
