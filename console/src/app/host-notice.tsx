// The one notice that says that the host restarts or does not answer.
import { clock } from '../kit/time-format.js'
import { currentLocale, t } from '../lib/i18n.js'
import { hostDown, resources } from '../lib/resources.js'
import { useStore } from '../lib/use-store.js'
import { Button } from '../ui/button.js'
import { host } from './host.js'
import { justRestarted } from './event-stream.js'

/** Asks the host again for everything that is shown. */
function tryAgain(): void {
  host().events.start()
  resources.invalidate()
}

export function HostNotice({ restarting }: { readonly restarting: boolean }) {
  const down = useStore(hostDown)
  const back = useStore(justRestarted)
  if (restarting)
    return (
      <div class="banner" role="alert">
        {t('restart.banner')}
      </div>
    )
  // Where it was said that it is away, and over nothing that one reads or types.
  if (!down)
    return back ? (
      <div class="banner ok" role="status">
        {t('restart.done')}
      </div>
    ) : null
  return (
    <div class="banner" role="alert">
      <span class="grow">
        {t('host.down', { time: clock(down.since, currentLocale()) })} <span class="said">{down.text}</span>
      </span>
      <Button onClick={tryAgain}>{t('retry')}</Button>
    </div>
  )
}
