import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useWriteBlock } from '../../app/event-stream.js'
import { toast } from '../../app/toasts.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { Button } from '../../ui/index.js'
import { type Row } from './model.js'
import { t } from './texts.js'

const UNDO_MS = 10_000

interface UndoLineProps {
  readonly deleted: readonly Readonly<Record<string, unknown>>[]
  readonly restore: Action<[]>
}

export function UndoLine({ deleted, restore }: UndoLineProps) {
  return deleted.length > 0 ? (
    <p class="strip-line" role="status">
      <span class="grow">{t('deletedUndo', { count: deleted.length })}</span>
      <Button onClick={() => restore.run()} busy={restore.busy} {...restore.blocked}>
        {t('undoDelete')}
      </Button>
    </p>
  ) : null
}

/** Keeps deleted rows for a while, so that they can be inserted again. */
export function useUndoDelete(table: string, onRestored: () => void) {
  const [deleted, setDeleted] = useState<readonly Row[]>([])
  const block = useWriteBlock()
  // The time stops while writing is blocked.
  useEffect(() => {
    if (deleted.length === 0 || block !== undefined) return
    const timer = setTimeout(() => setDeleted([]), UNDO_MS)
    return () => clearTimeout(timer)
  }, [deleted, block])
  const restore = useAction(async () => {
    let remaining = deleted
    try {
      for (const row of deleted) {
        await host().rpc('db:insert', { table, row })
        remaining = remaining.filter((other) => other !== row)
      }
      toast(t('restored'), 'ok')
    } finally {
      // Offer refused rows again.
      setDeleted(remaining)
      onRestored()
    }
  })
  return { deleted, setDeleted, restore }
}
