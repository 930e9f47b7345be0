import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { modifier } from '../../lib/modifier.js'
import { Button } from '../button.js'
import { t } from './texts.js'

export interface DraftBarProps {
  /** The changes, in words. */
  readonly changes: string
  /** More about it, or what is not valid. */
  readonly children?: ComponentChildren
  readonly invalid?: boolean
  readonly onDiscard: () => void
  readonly onReview: () => void
  /** Instead of "Review changes". */
  readonly reviewLabel?: string
  readonly blocked?: { readonly disabled?: true; readonly title?: string }
  readonly busy?: boolean
}

export function DraftBar({
  changes,
  children,
  invalid = false,
  onDiscard,
  onReview,
  reviewLabel,
  blocked = {},
  busy = false,
}: DraftBarProps) {
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (!asking) return
    const timer = setTimeout(() => setAsking(false), 4000)
    return () => clearTimeout(timer)
  }, [asking])
  return (
    <div class={invalid ? 'draft-bar invalid' : 'draft-bar'} role="region" aria-label={changes} data-dock>
      <p class="grow">
        <b>{changes}</b>
        {children ? (
          <>
            {' '}
            <span class={invalid ? 'bad' : 'muted'}>{children}</span>
          </>
        ) : null}
      </p>
      <Button kind={asking ? 'danger' : 'plain'} onClick={() => (asking ? onDiscard() : setAsking(true))}>
        {asking ? t('discardAsk', { count: changes }) : t('discard')}
      </Button>
      <Button kind="primary" busy={busy} disabled={invalid} {...blocked} onClick={onReview}>
        {reviewLabel ?? t('review')} <kbd class="on-accent">{modifier()} S</kbd>
      </Button>
    </div>
  )
}
