import { useEffect } from 'preact/hooks'
import { t } from '../lib/i18n.js'
import { Button } from './button.js'

export interface PagerProps {
  readonly page: number
  readonly totalPages: number
  readonly total: number
  /** `replace` where the address named a page that there is not. */
  readonly onPage: (page: number, options?: { readonly replace: boolean }) => void
}

export function Pager({ page, totalPages, total, onPage }: PagerProps) {
  const isBeyond = totalPages > 0 && page > totalPages
  useEffect(() => {
    if (isBeyond) onPage(totalPages, { replace: true })
  }, [isBeyond, totalPages])
  if (totalPages <= 1 || isBeyond) return null
  const first = page <= 1
  const last = page >= totalPages
  return (
    <nav class="pager" aria-label={t('pager.label')}>
      <Button kind="quiet" label={t('pager.first')} disabled={first} onClick={() => onPage(1)}>
        «
      </Button>
      <Button kind="quiet" label={t('pager.previous')} hotkey="[" disabled={first} onClick={() => onPage(page - 1)}>
        ‹
      </Button>
      <span>{t('pager.at', { page, totalPages })}</span>
      <Button kind="quiet" label={t('pager.next')} hotkey="]" disabled={last} onClick={() => onPage(page + 1)}>
        ›
      </Button>
      <Button kind="quiet" label={t('pager.last')} disabled={last} onClick={() => onPage(totalPages)}>
        »
      </Button>
      <span class="muted">{t('pager.total', { total: total })}</span>
    </nav>
  )
}
