import { toast } from '../../app/toasts.js'
import { moment } from '../../kit/time-format.js'
import { failureOf } from '../../lib/failure.js'
import { currentLocale } from '../../lib/i18n.js'
import { Button, EmptyState, Skeleton } from '../../ui/index.js'
import type { Notice } from './model.js'
import { t } from './texts.js'

const SHOWN = 60
const known = ['group_increase', 'group_decrease', 'group_admin', 'group_ban', 'friend_add'] as const

function Words({ row }: { readonly row: Notice }) {
  const place = nameOr(row.channel)
  const target = nameOr(row.target) || (row.operator?.name ?? '')
  const kind = known.find((item) => item === row.kind.replaceAll('-', '_'))
  const by = row.operator && row.target ? t('notice.by', { operator: row.operator.name ?? row.operator.id }) : ''
  if (kind)
    return (
      <>
        {t(`notice.${kind}`, { target, place })}
        {by}
      </>
    )
  return (
    <>
      <b>{row.kind}</b> {[place, target, payloadText(row.payload)].filter(Boolean).join(' · ')}
    </>
  )
}

const nameOr = (named: { readonly id: string; readonly name?: string } | undefined): string =>
  named?.name ?? named?.id ?? ''

function payloadText(payload: unknown): string {
  const text = typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? '')
  return text === '{}' || text === 'null' ? '' : text.slice(0, 300)
}

export function Notices({
  rows,
  unread,
  known: ready,
  onRead,
}: {
  readonly rows: readonly Notice[]
  readonly unread: readonly Notice[]
  readonly known: boolean
  readonly onRead: (rows: readonly Notice[]) => Promise<void>
}) {
  const markAll = (): void => {
    onRead(unread).catch((error: unknown) => toast(failureOf(error).text, 'err'))
  }
  return (
    <section class="notices" aria-label={t('notices')}>
      <header>
        <h2>{t('notices')}</h2>
        <span class="muted grow">{unread.length > 0 ? t('countUnread', { count: unread.length }) : ''}</span>
        {unread.length > 0 ? (
          <Button kind="quiet" onClick={markAll}>
            {t('markAll')}
          </Button>
        ) : null}
      </header>
      {ready ? null : <Skeleton rows={3} label={t('loading')} />}
      {ready && rows.length === 0 ? <EmptyState title={t('noNotices')} /> : null}
      <ul>
        {rows.slice(0, SHOWN).map((row) => (
          <li key={`${row.adapter}/${row.endpoint}/${row.id}`} class={row.read ? 'read' : undefined}>
            <p class="line">
              {row.read ? null : <i class="dot first" />}
              <span class="grow">
                <Words row={row} />
              </span>
              <time>{moment(row.timestamp, Date.now(), currentLocale())}</time>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
