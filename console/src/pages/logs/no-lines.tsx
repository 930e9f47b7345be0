import { Button, EmptyState, FailureNotice, Skeleton } from '../../ui/index.js'
import { t } from './texts.js'
import type { Feed } from './use-feed.js'

interface NoLinesProps {
  readonly feed: Feed
  readonly narrowed: boolean
  readonly onReset: () => void
}

/** Says why no line is shown. */
export function NoLines({ feed, narrowed, onReset }: NoLinesProps) {
  const { rows } = feed.ring
  if (feed.failure?.kind === 'missing') return <EmptyState title={t('missing')}>{t('missingText')}</EmptyState>
  if (feed.failure && !feed.known) return <FailureNotice failure={feed.failure} onRetry={feed.reload} />
  if (!feed.known && rows.length === 0) return <Skeleton rows={10} label={t('loading')} />
  if (rows.length === 0 && !narrowed) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
  return (
    <EmptyState
      title={t('noMatch')}
      action={
        <div class="row">
          <Button onClick={onReset}>{t('list.clear')}</Button>
          {feed.complete ? null : <LoadOlder feed={feed} />}
        </div>
      }
    >
      {t('noMatchText', { count: rows.length, older: feed.complete ? '' : t('olderToo') })}
    </EmptyState>
  )
}

export function LoadOlder({ feed, kind }: { readonly feed: Feed; readonly kind?: 'quiet' }) {
  return (
    <Button {...(kind ? { kind } : {})} busy={feed.loadingOlder} onClick={() => void feed.older()}>
      {t('loadOlder')}
    </Button>
  )
}
