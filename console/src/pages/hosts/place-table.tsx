import type { ClusterHost, ClusterPlace } from '@mynah/contract/types'
import { momentSeconds } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { Button, Table, type Column } from '../../ui/index.js'
import { State } from '../../ui/parts/index.js'
import { cannotMove, isHouse, wishOf } from './model.js'
import { t } from './texts.js'

interface PlaceTableProps {
  readonly places: readonly ClusterPlace[]
  readonly hosts: readonly ClusterHost[]
  readonly onAsk: (place: ClusterPlace) => void
}

export function PlaceTable({ places, hosts, onAsk }: PlaceTableProps) {
  return (
    <div class="cluster-places">
      <Table
        caption={t('places')}
        rows={places}
        rowKey={({ id }) => id}
        below={(place) => (
          <>
            <p class="narrow-only muted">
              {t('sinceNarrow', { time: momentSeconds(place.since, Date.now(), currentLocale()) })}
            </p>
            {reasonOf(place)}
          </>
        )}
        columns={columnsOf(hosts, onAsk)}
      />
    </div>
  )
}

/** Returns why a place rests, or that it may soon. */
function reasonOf({ falls, restsUntil }: ClusterPlace) {
  if (restsUntil !== null) {
    const time = momentSeconds(restsUntil, Date.now(), currentLocale())
    return <p class="amber">{t('rests', { time, count: falls })}</p>
  }
  return falls > 0 ? <p class="muted">{t('falls', { count: falls })}</p> : undefined
}

function columnsOf(hosts: readonly ClusterHost[], onAsk: PlaceTableProps['onAsk']): readonly Column<ClusterPlace>[] {
  const now = Date.now()
  return [
    {
      id: 'place',
      head: t('place'),
      rowHeader: true,
      cell: (place) => (
        <span class="two">
          <span>{place.id}</span>
          {isHouse(place) ? <small>{t('house')}</small> : null}
        </span>
      ),
    },
    { id: 'host', head: t('name'), cell: (place) => <Owner place={place} hosts={hosts} /> },
    {
      id: 'since',
      head: t('since'),
      wide: true,
      cell: ({ since }) => momentSeconds(since, now, currentLocale()),
    },
    {
      id: 'actions',
      head: t('actions'),
      numeric: true,
      cell: (place) => (
        <Button
          label={t('moveLabel', { place: place.id })}
          onClick={() => onAsk(place)}
          {...(cannotMove(place, hosts) ? { disabled: true, title: t('noOther') } : {})}
        >
          {t('move')}
        </Button>
      ),
    },
  ]
}

function Owner({ place, hosts }: { readonly place: ClusterPlace; readonly hosts: readonly ClusterHost[] }) {
  const wish = wishOf(place, hosts)
  return (
    <span class="two">
      {place.owner ? <span>{place.owner.name}</span> : <State tone="wait">{t('noHost')}</State>}
      {wish ? <small>{t(wish.key, { host: wish.host })}</small> : null}
    </span>
  )
}
