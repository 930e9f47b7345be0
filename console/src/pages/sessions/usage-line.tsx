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
  const share = usage && usage.input > 0 ? Math.round((usage.cachedInput / usage.input) * 100) : 0
  return (
    <dl class="usage-line" aria-label={t('figures')}>
      {usage ? (
        <>
          <div>
            <dt>{t('in')}</dt>
            <dd>
              <b>{formatNumber(usage.input)}</b> {t('tokensWord')}, {t('cached', { share })}
            </dd>
          </div>
          <div>
            <dt>{t('out')}</dt>
            <dd>
              <b>{formatNumber(usage.output)}</b> {t('tokensWord')}
            </dd>
          </div>
        </>
      ) : null}
      {usage?.cost === undefined ? null : (
        <div>
          <dt>{t('cost')}</dt>
          <dd>
            <b>{usage.cost.toFixed(2)}</b>
          </dd>
        </div>
      )}
      {last?.usage ? (
        <div>
          <dt>{t('window')}</dt>
          <dd>
            <b>{compactNumber(last.usage.input)}</b> {t('tokensWord')}
          </dd>
        </div>
      ) : null}
      {last?.model ? (
        <div>
          <dt>{t('model')}</dt>
          <dd>
            <b>{last.model}</b>
          </dd>
        </div>
      ) : null}
    </dl>
  )
}
