import type { DevFailure, DevStatus } from '@mynah/contract/types'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLocale } from '../lib/i18n.js'
import { resources } from '../lib/resources.js'
import { useResource } from '../lib/use-resource.js'
import { useCatalogue } from './catalogue.js'
import { t } from './dev-strip-texts.js'
import { host } from './host.js'

const CALL = 'dev:status'

/** Shows above the page the last failure of the code that `mynah dev` watches. Returns how to end it. */
export function showDevStrip(): () => void {
  const place = document.createElement('div')
  document.getElementById('main')?.before(place)
  render(<WhereWatched />, place)
  return () => {
    render(null, place)
    place.remove()
  }
}

function WhereWatched() {
  useLocale()
  const { has } = useCatalogue()
  // A host that lists no methods counts as having all of them, also one without a name.
  return has(CALL) && !has('') ? <DevStrip /> : null
}

const placeOf = ({ location }: DevFailure): string | undefined =>
  location && [location.file, location.line, location.column].filter((part) => part !== undefined).join(':')

/** The last failure of the watched code, until it is fixed. */
function DevStrip() {
  const { data } = useResource<DevStatus>(CALL, (signal) => host().rpc(CALL, {}, { signal }))
  useEffect(() => host().events.on('dev:changed', (status) => resources.patch<DevStatus>(CALL, () => status)), [])
  const [failure] = data?.failures ?? []
  if (!data || !failure) return null
  const { part, plugin = '', message } = failure
  const place = placeOf(failure)
  return (
    <div class="banner" role="status">
      <span class="grow break">
        <strong>{part === 'code' ? t('code', { plugin }) : t(part)}</strong>{' '}
        {place === undefined || message.includes(place) ? null : (
          <>
            <code>{place}</code>{' '}
          </>
        )}
        <span class="said">{message}</span>
        {data.total > 1 ? ` ${t('more', { count: data.total - 1 })}` : null}
      </span>
    </div>
  )
}
