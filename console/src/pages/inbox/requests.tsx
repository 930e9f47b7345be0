import { useNow } from '../../kit/use-now.js'
import { moment } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { Button, EmptyState, Skeleton } from '../../ui/index.js'
import { UNDO_MS, type Decision, type Decisions } from './decisions.js'
import type { Request } from './model.js'
import { t } from './texts.js'

const EARLIER = 30

export function Requests({
  rows,
  decisions,
  known,
  waiting,
  first,
}: {
  readonly rows: readonly Request[]
  readonly decisions: Decisions
  readonly known: boolean
  readonly waiting: number
  /** The one that the keys answer. */
  readonly first: Request | undefined
}) {
  const open = rows.filter((row) => row.status === 'pending')
  const earlier = rows.filter((row) => row.status !== 'pending').slice(0, EARLIER)
  return (
    <section class="requests" aria-label={t('requests')}>
      <header>
        <h2>{t('requests')}</h2>
        <span class="muted">{waiting > 0 ? t('countWait', { count: waiting }) : ''}</span>
      </header>
      {known ? null : <Skeleton rows={3} label={t('loading')} />}
      {known && open.length === 0 ? <EmptyState title={t('noRequests')} /> : null}
      <ul>
        {open.map((row) => {
          const decision = decisions.pending.find((item) => item.row.id === row.id)
          return (
            <li key={row.id}>
              {decision ? (
                <Held decision={decision} onUndo={() => decisions.undo(row)} />
              ) : (
                <Open row={row} isFirst={row.id === first?.id} decisions={decisions} />
              )}
            </li>
          )
        })}
      </ul>
      {earlier.length > 0 ? (
        <details>
          <summary>{t('earlier')}</summary>
          <ul>
            {earlier.map((row) => (
              <li key={row.id}>
                <p>
                  <b>{row.sender.name ?? row.sender.id}</b> <Wish row={row} /> · {t(`status.${row.status}`)}
                </p>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  )
}

const Wish = ({ row }: { readonly row: Request }) => (
  <span class="muted">
    {t(`ask.${row.kind}`, { place: row.channel?.name ?? row.channel?.id ?? t('aGroup') })} · {row.endpoint}
  </span>
)

interface OpenProps {
  readonly row: Request
  readonly isFirst: boolean
  readonly decisions: Decisions
}

function Open({ row, isFirst, decisions }: OpenProps) {
  const key = (hotkey: string): { hotkey?: string } => (isFirst ? { hotkey } : {})
  const off = decisions.block === undefined ? {} : { disabled: true, title: decisions.block }
  return (
    <>
      <p class="line">
        {row.read ? null : <i class="dot first" />}
        <b>{row.sender.name ?? row.sender.id}</b>
        <time>{moment(row.timestamp, Date.now(), currentLocale())}</time>
      </p>
      <p>
        <Wish row={row} />
      </p>
      {row.comment ? <p class="comment">“{row.comment}”</p> : null}
      {row.canAct ? (
        <p class="row">
          <Button {...key('a')} onClick={() => decisions.decide(row, true)} {...off}>
            {t('approve')}
          </Button>
          <Button kind="quiet" {...key('x')} onClick={() => decisions.ask(row)} {...off}>
            {t('reject')}
          </Button>
        </p>
      ) : (
        <p class="muted">{t('status.pending')}</p>
      )}
    </>
  )
}

function Held({ decision, onUndo }: { readonly decision: Decision; readonly onUndo: () => void }) {
  const now = useNow(1000)
  const seconds = Math.max(0, Math.ceil((decision.at + UNDO_MS - now) / 1000))
  return (
    <div class="held" style={{ animationDuration: `${UNDO_MS}ms` }}>
      <p class="grow">
        {t(decision.approve ? 'approved' : 'rejected', { name: decision.row.sender.name ?? decision.row.sender.id })}
        <br />
        <span class="muted">{t('goesOut', { seconds })}</span>
      </p>
      <Button hotkey="z" onClick={onUndo}>
        {t('undo')}
      </Button>
    </div>
  )
}
