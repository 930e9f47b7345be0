// What the platforms told: in words where the kind is known, else the kind and what came with it.
import { toast } from '../../app/toasts.js'
import { whenShort } from '../../kit/when.js'
import { failureOf } from '../../lib/failure.js'
import { currentLocale, t } from '../../lib/i18n.js'
import { Button, EmptyState, Skeleton } from '../../ui/index.js'
import type { Notice } from './model.js'
import { p } from './texts.js'

const SHOWN = 60
const known = ['group_increase', 'group_decrease', 'group_admin', 'group_ban', 'friend_add'] as const

function Words({ row }: { readonly row: Notice }) {
  const place = row.channel?.name ?? row.channel?.id ?? ''
  const target = row.target?.name ?? row.target?.id ?? row.operator?.name ?? ''
  const kind = known.find((item) => item === row.kind.replaceAll('-', '_'))
  const by = row.operator && row.target ? p('notice.by', { operator: row.operator.name ?? row.operator.id }) : ''
  if (kind)
    return (
      <>
        {p(`notice.${kind}`, { target, place })} {by}
      </>
    )
  const payload = typeof row.payload === 'string' ? row.payload : JSON.stringify(row.payload)
  return (
    <>
      <b>{row.kind}</b>{' '}
      {[place, target, payload === '{}' || payload === 'null' || payload === undefined ? '' : payload.slice(0, 300)]
        .filter(Boolean)
        .join(' · ')}
    </>
  )
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
    <section class="notices" aria-label={p('notices')}>
      <header>
        <h2>{p('notices')}</h2>
        <span class="muted grow">{unread.length > 0 ? p('countUnread', { count: unread.length }) : ''}</span>
        {unread.length > 0 ? (
          <Button kind="quiet" onClick={markAll}>
            {p('markAll')}
          </Button>
        ) : null}
      </header>
      {!ready ? (
        <Skeleton rows={3} label={t('loading')} />
      ) : rows.length === 0 ? (
        <EmptyState title={p('noNotices')} />
      ) : null}
      <ul>
        {rows.slice(0, SHOWN).map((row) => (
          <li key={`${row.adapter}/${row.endpoint}/${row.id}`} class={row.read ? 'read' : undefined}>
            <p class="line">
              {row.read ? null : <i class="dot first" />}
              <span class="grow">
                <Words row={row} />
              </span>
              <time>{whenShort(row.timestamp, Date.now(), currentLocale())}</time>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
