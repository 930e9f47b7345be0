// Requests that wait for an answer, and those that were answered.
import { useNow } from '../../kit/use-now.js'
import { whenShort } from '../../kit/when.js'
import { currentLocale, t } from '../../lib/i18n.js'
import { Button, EmptyState, Skeleton } from '../../ui/index.js'
import { UNDO_MS, type Decision, type Decisions } from './decisions.js'
import type { Request } from './model.js'
import { p } from './texts.js'

const EARLIER = 30

export function Requests({
  rows,
  decisions,
  known,
  waiting,
}: {
  readonly rows: readonly Request[]
  readonly decisions: Decisions
  readonly known: boolean
  readonly waiting: number
}) {
  const open = rows.filter((row) => row.status === 'pending')
  const earlier = rows.filter((row) => row.status !== 'pending').slice(0, EARLIER)
  return (
    <section class="requests" aria-label={p('requests')}>
      <header>
        <h2>{p('requests')}</h2>
        <span class="muted">{waiting > 0 ? p('countWait', { count: waiting }) : ''}</span>
      </header>
      {!known ? (
        <Skeleton rows={3} label={t('loading')} />
      ) : open.length === 0 ? (
        <EmptyState title={p('noRequests')} />
      ) : null}
      <ul>
        {open.map((row) => {
          const decision = decisions.pending.find((item) => item.row.id === row.id)
          return (
            <li key={row.id}>
              {decision ? (
                <Held decision={decision} onUndo={() => decisions.undo(row)} />
              ) : (
                <Open row={row} decisions={decisions} />
              )}
            </li>
          )
        })}
      </ul>
      {earlier.length > 0 ? (
        <details>
          <summary>{p('earlier')}</summary>
          <ul>
            {earlier.map((row) => (
              <li key={row.id}>
                <p>
                  <b>{row.sender.name ?? row.sender.id}</b> <Wish row={row} /> · {p(`status.${row.status}`)}
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
    {p(`ask.${row.kind}`, { place: row.channel?.name ?? row.channel?.id ?? p('aGroup') })} · {row.endpoint}
  </span>
)

function Open({ row, decisions }: { readonly row: Request; readonly decisions: Decisions }) {
  const off = decisions.block === undefined ? {} : { disabled: true, title: decisions.block }
  return (
    <>
      <p class="line">
        {row.read ? null : <i class="dot first" />}
        <b>{row.sender.name ?? row.sender.id}</b>
        <time>{whenShort(row.timestamp, Date.now(), currentLocale())}</time>
      </p>
      <p>
        <Wish row={row} />
      </p>
      {row.comment ? <p class="comment">“{row.comment}”</p> : null}
      {row.canAct ? (
        <p class="row">
          <Button hotkey="a" onClick={() => decisions.decide(row, true)} {...off}>
            {p('approve')}
          </Button>
          <Button kind="quiet" hotkey="x" onClick={() => decisions.ask(row)} {...off}>
            {p('reject')}
          </Button>
        </p>
      ) : (
        <p class="muted">{p('status.pending')}</p>
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
        {p(decision.approve ? 'approved' : 'rejected', { name: decision.row.sender.name ?? decision.row.sender.id })}
        <br />
        <span class="muted">{p('goesOut', { seconds })}</span>
      </p>
      <Button hotkey="z" onClick={onUndo}>
        {p('undo')}
      </Button>
    </div>
  )
}
