import type { Failure } from '../lib/failure.js'
import { t } from '../lib/i18n.js'
import { hostDown } from '../lib/resources.js'
import { useStore } from '../lib/use-store.js'
import { Button } from './button.js'
import { Notice } from './notice.js'

/** Shows a failure without earlier data: the message of the host, the request, and Retry. */
export function FailureNotice({ failure, onRetry }: { readonly failure: Failure; readonly onRetry: () => void }) {
  const { kind, status, call = '', text } = failure
  const down = useStore(hostDown)
  // The shell reports once that the host does not answer.
  if (kind === 'network' && down)
    return (
      <div class="empty">
        <p>{t('list.waiting')}</p>
      </div>
    )
  const title = t(
    ({ 'not-ready': 'list.notReady', network: 'list.network', host: 'list.error', missing: 'list.error' } as const)[
      kind
    ],
  )
  return (
    <Notice
      tone={kind === 'not-ready' ? 'warn' : 'err'}
      title={title}
      actions={<Button onClick={onRetry}>{t('retry')}</Button>}
    >
      {text}
      <div class="muted">
        {status === undefined ? t('list.call', { call }) : t('list.callStatus', { call, status })}
        {kind === 'not-ready' ? ` · ${t('list.notReady.text')}` : ''}
      </div>
    </Notice>
  )
}
