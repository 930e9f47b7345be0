// Whether the console hears the host: the one place that says so.
import { useEffect, useState } from 'preact/hooks'
import { t } from '../lib/i18n.js'
import { useStore } from '../lib/use-store.js'
import { Shape } from '../ui/badge.js'
import { host } from './host.js'
import { streamState } from './event-stream.js'

export function ConnectionState() {
  const state = useStore(streamState)
  const [, tick] = useState(0)
  useEffect(() => {
    if (state.status !== 'waiting') return
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [state])
  if (state.status === 'live')
    return (
      <span class="state ok">
        <Shape shape="full" />
        {t('state.live')}
      </span>
    )
  if (state.status === 'connecting')
    return (
      <span class="state warn">
        <Shape shape="half" />
        {t('state.connecting')}
      </span>
    )
  if (state.status === 'waiting') {
    const seconds = Math.max(0, Math.ceil((state.retryAt - Date.now()) / 1000))
    return (
      <button type="button" class="state warn" title={state.reason} onClick={() => host().events.start()}>
        <Shape shape="half" />
        {seconds > 0 ? t('state.waiting', { seconds }) : t('state.retrying')}
      </button>
    )
  }
  return (
    <button
      type="button"
      class="state err"
      title={t('state.stopped.because', { reason: state.message ?? state.reason })}
      onClick={() => host().events.start()}
    >
      <Shape shape="ring" />
      {t('state.stopped')}
    </button>
  )
}
