import type { EndpointInfo } from '@mynah/contract/types'
import { elapsed, moment } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { EmptyState } from '../../ui/index.js'
import { Section } from '../../ui/parts/index.js'
import { incidentsOf, uptime } from './incidents.js'
import { t } from './texts.js'

const MOST = 20

/** The times without a connection, and the time online of a day and of a week. */
export function IncidentList({ endpoint, now }: { readonly endpoint: EndpointInfo; readonly now: number }) {
  const changes = endpoint.changes ?? []
  const incidents = incidentsOf(changes, now)
  const share = (days: number): string => {
    const found = uptime(changes, now, days).share
    // Down, so that no incident rounds away.
    return found === undefined ? '–' : `${Math.floor(found * 1000) / 10}\u00a0%`
  }
  return (
    <Section title={t('incidents')} fact={t('uptime', { day: share(1), week: share(7) })}>
      {incidents.length === 0 ? (
        <EmptyState title={t('noIncidents')} />
      ) : (
        <ul class="incidents">
          {incidents.slice(0, MOST).map((incident) => (
            <li key={incident.from} class={incident.until === undefined ? 'bad' : undefined}>
              <time dateTime={new Date(incident.from).toISOString()}>{timeOf(incident.from, now)}</time>
              <b>
                {t(incident.until === undefined ? 'lasts' : 'lasted', { length: elapsed(incident.length) })}
                {incident.retries > 0 ? `, ${t('retries', { count: incident.retries })}` : ''}
              </b>
              <span class="muted break">{incident.reason}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const timeOf = (at: number, now: number): string => moment(at, now, currentLocale())
