import { moment } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { State } from '../../ui/parts/index.js'
import type { Status } from './model.js'
import { t } from './texts.js'

const tones = { online: 'well', pending: 'wait', offline: 'wrong' } as const

/** Shows the time when the endpoint entered its state. */
export function Since({
  row,
  now,
}: {
  readonly row: { readonly status: Status; readonly since: number }
  readonly now: number
}) {
  const locale = currentLocale()
  return <>{t('since', { time: moment(row.since, now, locale) })}</>
}

export function StatusWord({ status }: { readonly status: Status }) {
  return <State tone={tones[status]}>{t(`word.${status}`)}</State>
}
