import { useNow } from '../../kit/use-now.js'
import { Button } from '../../ui/index.js'
import { t } from './texts.js'
import type { Feed } from './use-feed.js'

export function FollowBar({
  feed,
  following,
  onPause,
  onResume,
}: {
  readonly feed: Feed
  readonly following: boolean
  readonly onPause: () => void
  readonly onResume: () => void
}) {
  const now = useNow(1000, feed.retryAt !== undefined)
  if (feed.failure && feed.known) {
    return (
      <p class="follow err" role="status">
        <span class="grow">
          {t('notFollowing', {
            error: feed.failure.text,
            seconds: Math.max(0, Math.ceil(((feed.retryAt ?? now) - now) / 1000)),
          })}
        </span>
        <Button kind="quiet" onClick={feed.reload}>
          {t('retry')}
        </Button>
      </p>
    )
  }
  return (
    <p class={following ? 'follow on' : 'follow'}>
      <span class="grow">
        {following ? (
          <>
            <i class="dot first" /> <b>{t('following')}</b> <span class="muted hint">{t('followText')}</span>
          </>
        ) : (
          <b>{feed.held > 0 ? t('pausedNew', { count: feed.held }) : t('paused')}</b>
        )}
      </span>
      <Button kind="quiet" title="Space" onClick={following ? onPause : onResume}>
        {t(following ? 'pause' : 'resume')}
      </Button>
    </p>
  )
}
