import type { ClusterHost, ClusterPlace } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useTimer } from '../../kit/use-timer.js'
import { clockSeconds } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { Button, EmptyState, Notice, PageHead, Updated } from '../../ui/index.js'
import { Loaded, Section, Stale } from '../../ui/parts/index.js'
import { DrainDialog } from './drain-dialog.js'
import { HostTable } from './host-table.js'
import { cannotMove, packageDifferences, type Known } from './model.js'
import { MoveDialog } from './move-dialog.js'
import { PackageTable } from './package-table.js'
import './page.css'
import { PlaceTable } from './place-table.js'
import { t } from './texts.js'

/** A host that dies says nothing, so the page asks. */
const POLL_MS = 3_000

/** The subject of the open dialog, with the hosts as they were then: the choices do not change under the pointer. */
type Asking = { readonly hosts: readonly ClusterHost[] } & (
  | { readonly place: ClusterPlace; readonly drained?: undefined }
  | { readonly drained: ClusterHost }
)

export function HostsPage() {
  const known = useResource<Known>('cluster:hosts', async (signal) => {
    const [{ hosts }, { places }] = await Promise.all([
      host().rpc('cluster:hosts', {}, { signal }),
      host().rpc('cluster:places', {}, { signal }),
    ])
    return { hosts, places }
  })
  useTimer(POLL_MS, () => {
    // An unavailable database takes longer to fail. A reload would abort that.
    if (!known.loading) known.reload()
  })
  const [asking, setAsking] = useState<Asking>()
  const onClose = (): void => setAsking(undefined)
  return (
    <>
      <Head known={known} />
      <OutOfDate known={known} />
      <Loaded resource={known}>
        {({ hosts, places }) =>
          hosts.length === 0 ? (
            <EmptyState title={t('empty')} />
          ) : (
            <>
              <Section title={t('hosts')} fact={t('hostsFact')}>
                <HostTable hosts={hosts} onAsk={(drained) => setAsking({ hosts, drained })} />
              </Section>
              <Packages hosts={hosts} />
              <Section
                title={t('places')}
                fact={t(places.some((place) => cannotMove(place, hosts)) ? 'noOther' : 'placesFact')}
              >
                <PlaceTable places={places} hosts={hosts} onAsk={(place) => setAsking({ hosts, place })} />
              </Section>
            </>
          )
        }
      </Loaded>
      {asking?.drained ? <DrainDialog host={asking.drained} onClose={onClose} onDone={known.reload} /> : null}
      {asking && !asking.drained ? (
        <MoveDialog place={asking.place} hosts={asking.hosts} onClose={onClose} onDone={known.reload} />
      ) : null}
    </>
  )
}

/** Each host has packages of its own. Nothing is said where they are the same. */
function Packages({ hosts }: Pick<Known, 'hosts'>) {
  const packages = packageDifferences(hosts)
  if (packages.length === 0) return null
  return (
    <Section title={t('packages')} fact={t('packagesFact')}>
      <PackageTable packages={packages} />
    </Section>
  )
}

function Head({ known }: { readonly known: Resource<Known> }) {
  const live = known.data?.hosts.filter(({ state }) => state === 'live').length ?? 0
  return (
    <PageHead
      title={t('page.hosts')}
      fact={
        known.data ? (
          <>
            <span>{t('live', { count: live })}</span> <Stale resource={known} /> <Updated at={known.updatedAt} />
          </>
        ) : undefined
      }
      actions={
        <Button onClick={known.reload} hotkey="r">
          {t('refresh')}
        </Button>
      }
    />
  )
}

/** Says that the tables are old, and the reason of the host. The shell says it where the host does not answer. */
function OutOfDate({ known: { data, failure, updatedAt } }: { readonly known: Resource<Known> }) {
  if (data === undefined || updatedAt === undefined || failure === undefined || failure.kind === 'network') return null
  return (
    <Notice tone="warn" title={t('asOf', { time: clockSeconds(updatedAt, currentLocale()) })}>
      {failure.text}
    </Notice>
  )
}
