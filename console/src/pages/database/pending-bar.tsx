import type { TableInfo } from '@mynah/contract/types'
import { DraftBar } from '../../ui/parts/index.js'
import { NOTHING, type Pending } from './model.js'
import { t } from './texts.js'

interface PendingBarProps {
  readonly count: number
  readonly table: TableInfo
  readonly onChange: (next: Pending) => void
  readonly onReview: (reviewing: boolean) => void
  readonly pending: Pending
}

export function PendingBar({ count, table, onChange, onReview, pending }: PendingBarProps) {
  return count > 0 ? (
    <div class="db-bar">
      <DraftBar
        changes={t('changes', { count, table: table.name })}
        onDiscard={() => onChange(NOTHING)}
        onReview={() => onReview(true)}
        reviewLabel={t('review', { count })}
      >
        {pendingSummary(pending)}
      </DraftBar>
    </div>
  ) : null
}

function pendingSummary({ inserts, updates, deletes }: Pending): string {
  const values = Object.values(updates).reduce((sum, item) => sum + Object.keys(item.change).length, 0)
  const gone = Object.keys(deletes).length
  return [
    inserts.length > 0 ? t('plusRows', { count: inserts.length }) : '',
    values > 0 ? t('tildeValues', { count: values }) : '',
    gone > 0 ? t('minusRows', { count: gone }) : '',
  ]
    .filter(Boolean)
    .join('  ')
}
