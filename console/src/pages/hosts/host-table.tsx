import type { ClusterHost } from '@mynah/contract/types'
import { moment } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { Button, Table, type Column } from '../../ui/index.js'
import { State } from '../../ui/parts/index.js'
import { cannotDrain } from './model.js'
import { t } from './texts.js'

interface HostTableProps {
  readonly hosts: readonly ClusterHost[]
  readonly onAsk: (host: ClusterHost) => void
}

export function HostTable({ hosts, onAsk }: HostTableProps) {
  return (
    <div class="cluster-hosts">
      <Table
        caption={t('hosts')}
        rows={hosts}
        rowKey={({ id }) => id}
        columns={columnsOf(hosts, onAsk)}
        below={below}
      />
    </div>
  )
}

/** Returns why a live host takes no places, without having been asked to. */
function problemOf({ revisionProblem, waitsFor, state }: ClusterHost): string | undefined {
  if (state !== 'live') return undefined
  if (waitsFor !== undefined) return t('waitsFor', { reason: waitsFor })
  return revisionProblem && t('cannotRun', { problem: revisionProblem })
}

/** Returns the reason why a host takes no places, and on a narrow page the places that it has. */
function below(host: ClusterHost) {
  const places = placesText(host)
  const problem = problemOf(host)
  if (places === '' && problem === undefined) return undefined
  return (
    <>
      {problem === undefined ? null : <p class="amber">{problem}</p>}
      {places === '' ? null : <p class="narrow-only muted">{t('holdsNarrow', { places })}</p>}
    </>
  )
}

const placesText = ({ places, state }: ClusterHost): string =>
  places.length === 0 && state === 'live' ? t('none') : places.join(', ')

const TONES = { joining: 'wait', live: 'well', leaving: 'wait', gone: 'plain', dead: 'wrong' } as const

function columnsOf(hosts: readonly ClusterHost[], onAsk: HostTableProps['onAsk']): readonly Column<ClusterHost>[] {
  const now = Date.now()
  return [
    {
      id: 'name',
      head: t('name'),
      rowHeader: true,
      cell: ({ name, self }) => (
        <span class="two">
          <span>{name}</span>
          {self ? <small>{t('self')}</small> : null}
        </span>
      ),
    },
    {
      id: 'state',
      head: t('state'),
      cell: (host) => (
        <span class="two">
          <State tone={TONES[host.state]}>{t(`state.${host.state}`)}</State>
          {(host.drains && host.state === 'live') || problemOf(host) !== undefined ? (
            <small class="amber">{t('drains')}</small>
          ) : null}
        </span>
      ),
    },
    {
      id: 'version',
      head: t('version'),
      wide: true,
      cell: ({ version, revision, state }) => (
        <span class="two">
          <span>{version}</span>
          {revision !== undefined && state === 'live' ? <small>{t('revision', { revision })}</small> : null}
        </span>
      ),
    },
    {
      id: 'started',
      head: t('started'),
      wide: true,
      cell: ({ startedAt }) => moment(startedAt, now, currentLocale()),
    },
    {
      id: 'places',
      head: t('holds'),
      wide: true,
      cell: placesText,
    },
    { id: 'actions', head: t('actions'), numeric: true, cell: (host) => <Drain host={host} {...{ hosts, onAsk }} /> },
  ]
}

function Drain({ host, hosts, onAsk }: HostTableProps & { readonly host: ClusterHost }) {
  const { name, state, drains } = host
  if (state !== 'live') return null
  const onClick = (): void => onAsk(host)
  if (drains)
    return (
      <Button label={t('takeLabel', { host: name })} onClick={onClick}>
        {t('take')}
      </Button>
    )
  const blocked = cannotDrain(host, hosts) ? { disabled: true, title: t('noOther') } : {}
  return (
    <Button label={t('drainLabel', { host: name })} onClick={onClick} {...blocked}>
      {t('drain')}
    </Button>
  )
}
