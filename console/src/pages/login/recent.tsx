// A host that this browser knows, and whether it answers now; its token stays where it is.
import { probe, type ProbeResult } from '@mynah/sdk'
import { useEffect, useState } from 'preact/hooks'
import type { KnownHost } from '../../lib/hosts.js'
import { State } from '../../ui/parts/state.js'
import { t } from './texts.js'

export function RecentHost({ host, onChoose }: { readonly host: KnownHost; readonly onChoose: () => void }) {
  const [found, setFound] = useState<ProbeResult>()
  useEffect(() => {
    const controller = new AbortController()
    probe(host.base, { signal: controller.signal }).then(setFound, (error: unknown) => {
      if (!controller.signal.aborted) throw error
    })
    return () => controller.abort()
  }, [host.base])
  return (
    <li>
      <button type="button" onClick={onChoose}>
        {host.label ? <span>{host.label}</span> : null}
        <code class="grow">{host.base}</code>
        {found ? (
          <State tone={found.reachable ? 'well' : 'wrong'}>
            {found.reachable ? t('recent.up', { latency: Math.round(found.latency) }) : t('recent.down')}
          </State>
        ) : null}
      </button>
    </li>
  )
}
