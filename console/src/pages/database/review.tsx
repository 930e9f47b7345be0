import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { failureOf } from '../../lib/failure.js'
import { Confirm } from '../../ui/parts/index.js'
import { Value } from './cell.js'
import { countOf, toInsert, whereOf, type Column, type Pending, type Row } from './model.js'
import { t } from './texts.js'

interface ReviewProps {
  readonly table: string
  readonly columns: readonly Column[]
  readonly pending: Pending
  readonly onChange: (pending: Pending) => void
  readonly onClose: () => void
  readonly onDone: (deleted: readonly Row[]) => void
}

/** Runs all changes in sequence. Returns rejected changes with their reason, and deleted rows. */
async function apply(
  table: string,
  columns: readonly Column[],
  pending: Pending,
): Promise<{ readonly left: Pending; readonly deleted: Row[] }> {
  const client = host()
  const left = {
    inserts: [] as Pending['inserts'][number][],
    updates: {} as Record<string, Pending['updates'][string]>,
    deletes: {} as Record<string, Pending['deletes'][string]>,
  }
  const deleted: Row[] = []
  const refused = (error: unknown): string => failureOf(error).text
  for (const [key, item] of Object.entries(pending.deletes)) {
    await client.rpc('db:delete', { table, where: whereOf(item.row, columns) }).then(
      () => deleted.push(item.row),
      (error: unknown) => {
        left.deletes[key] = { ...item, error: refused(error) }
      },
    )
  }
  for (const [key, item] of Object.entries(pending.updates)) {
    await client
      .rpc('db:update', { table, row: item.change, where: whereOf(item.row, columns) })
      .catch((error: unknown) => {
        left.updates[key] = { ...item, error: refused(error) }
      })
  }
  // New rows are in reverse order of creation.
  for (const item of [...pending.inserts].reverse()) {
    await client.rpc('db:insert', { table, row: toInsert(item.row) }).catch((error: unknown) => {
      left.inserts.unshift({ ...item, error: refused(error) })
    })
  }
  return { left, deleted }
}

const named = (row: Row, columns: readonly Column[]): string =>
  Object.values(whereOf(row, columns)).map(String).join(', ')

export function Review({ table, columns, pending, onChange, onClose, onDone }: ReviewProps) {
  const [error, setError] = useState<string>()
  const count = countOf(pending)
  const run = useAction(async () => {
    const { left, deleted } = await apply(table, columns, pending)
    onChange(left)
    const refused = countOf(left)
    if (refused === 0) {
      toast(t('done', { count }), 'ok')
      return onDone(deleted)
    }
    setError(
      [...left.inserts, ...Object.values(left.updates), ...Object.values(left.deletes)]
        .map((item) => item.error)
        .filter(Boolean)
        .slice(0, 3)
        .join(' · '),
    )
    if (deleted.length > 0) onDone(deleted)
  })
  return (
    <Confirm
      title={t('reviewTitle', { table })}
      action={t('run', { count })}
      busy={run.busy}
      disabled={run.blocked.disabled === true}
      saves
      danger={Object.keys(pending.deletes).length > 0}
      onClose={onClose}
      onConfirm={() => run.run()}
    >
      <ul class="db-review">
        {pending.inserts.map((item) => (
          <li key={item.id}>
            <b class="plus">+ {t('insert')}</b>
            {Object.entries(item.row).map(([name, value]) => (
              <p key={name}>
                <code>{name}</code> <Value value={value} />
              </p>
            ))}
            {item.error ? <p class="bad">{t('failedRow', { error: item.error })}</p> : null}
          </li>
        ))}
        {Object.entries(pending.updates).map(([key, item]) => (
          <li key={key}>
            <b>
              ~ {t('update')} {named(item.row, columns)}
            </b>
            {Object.entries(item.change).map(([name, value]) => (
              <p key={name}>
                <code>{name}</code>{' '}
                <s>
                  <Value value={item.row[name]} />
                </s>{' '}
                → <Value value={value} />
              </p>
            ))}
            {item.error ? <p class="bad">{t('failedRow', { error: item.error })}</p> : null}
          </li>
        ))}
        {Object.entries(pending.deletes).map(([key, item]) => (
          <li key={key}>
            <b class="bad">
              − {t('delete')} {named(item.row, columns)}
            </b>
            {item.error ? <p class="bad">{t('failedRow', { error: item.error })}</p> : null}
          </li>
        ))}
      </ul>
      {error ? (
        <p class="bad" role="alert">
          {t('partly', { count })} {error}
        </p>
      ) : null}
    </Confirm>
  )
}
