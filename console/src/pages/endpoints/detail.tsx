import type { EndpointInfo } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { copyText } from '../../kit/export-text.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useNow } from '../../kit/use-now.js'
import { elapsed, moment } from '../../kit/time-format.js'
import { currentLocale, formatNumber } from '../../lib/i18n.js'
import { navigate } from '../../lib/router.js'
import { useLazy } from '../../lib/use-lazy.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Icon, Menu, PageHead, Skeleton, Ticks, Updated } from '../../ui/index.js'
import { Countdown, Loaded, Quote, Section, Stale } from '../../ui/parts/index.js'
import type { PageProps } from '../../lib/pages.js'
import './page.css'
import { dayTicks, outages, settingRows } from './model.js'
import { People } from './people.js'
import { Since, StatusWord } from './status.js'
import { t } from './texts.js'

/** They come after what is seen first. */
const loadLater = async () => {
  const parts = [import('./send-form.js'), import('./incident-list.js'), import('./unsent-list.js')] as const
  const [sendForm, incidentList, unsentList] = await Promise.all(parts)
  return { ...sendForm, ...incidentList, ...unsentList }
}

export function EndpointPage({ params }: PageProps) {
  const adapter = params['adapter'] ?? ''
  const endpointId = params['endpointId'] ?? ''
  const info = useResource<EndpointInfo>(
    `endpoint:info ${adapter} ${endpointId}`,
    (signal) => host().rpc('endpoint:info', { adapter, endpointId }, { signal }),
    'endpoint:info',
  )
  const now = useNow(15_000)
  const inbox = `/inbox?endpoint=${encodeURIComponent(endpointId)}`
  useShortcuts({ i: () => navigate(inbox) })
  const { data } = info
  const copyRaw = (): void => copyText(JSON.stringify(data, null, 2))
  return (
    <>
      <PageHead
        title={endpointId}
        fact={
          data ? (
            <>
              <StatusWord status={data.status} />{' '}
              <span>
                <Since row={data} now={now} />
              </span>{' '}
              <span>
                {data.adapter}
                {data.selfName && data.selfName !== data.name ? ` · ${data.selfName}` : ''}
              </span>{' '}
              <Stale resource={info} /> <Updated at={info.updatedAt} />
            </>
          ) : undefined
        }
        actions={
          data ? (
            <>
              <Button href={inbox} hotkey="i">
                {t('openInbox')}
              </Button>
              <Menu
                label={t('more')}
                items={[
                  { label: t('refresh'), onSelect: info.reload },
                  { label: t('raw'), onSelect: copyRaw },
                ]}
              >
                <Icon name="more" />
              </Menu>
            </>
          ) : undefined
        }
      />
      <Loaded
        resource={info}
        missing={() => (
          <EmptyState
            title={t('missing', { name: endpointId })}
            action={<Button href="/endpoints">{t('back')}</Button>}
          />
        )}
      >
        {(endpoint) => <Content endpoint={endpoint} now={now} />}
      </Loaded>
    </>
  )
}

function Content({ endpoint, now }: { readonly endpoint: EndpointInfo; readonly now: number }) {
  const inbox = `/inbox?endpoint=${encodeURIComponent(endpoint.name)}`
  const settings = settingRows(endpoint.config)
  const log = `/logs?filter=${encodeURIComponent(endpoint.name)}`
  const { loaded: later } = useLazy(loadLater)
  return (
    <>
      {endpoint.error && endpoint.status !== 'online' ? (
        <Quote
          tone={endpoint.status === 'offline' ? 'err' : 'warn'}
          actions={
            <>
              {endpoint.nextTryAt && endpoint.nextTryAt > now ? (
                <span class="muted">
                  {t('nextTry')} <Countdown until={endpoint.nextTryAt} />
                </span>
              ) : null}
              <Button href={log}>{t('log')}</Button>
              <Button href="/config?section=endpoints">{t('settings')}</Button>
            </>
          }
        >
          {endpoint.error}
        </Quote>
      ) : null}
      <Day endpoint={endpoint} now={now} />
      <Counts endpoint={endpoint} inbox={inbox} />
      <div class="columns-2">
        <div class="stack">
          {later ? <later.UnsentList endpoint={endpoint} now={now} /> : null}
          <People endpoint={endpoint} />
          <Section
            title={t('settingsTitle')}
            fact={t('settingsFact')}
            actions={<a href="/config?section=endpoints">{t('editConfig')}</a>}
          >
            {settings.length === 0 ? (
              <EmptyState title={t('noSettings')} />
            ) : (
              <dl class="settings-grid">
                {settings.map((row) => (
                  <div key={row.path}>
                    <dt>{row.path}</dt>
                    <dd>{row.value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </Section>
        </div>
        <div class="stack">
          {later ? (
            <>
              <later.SendForm endpoint={endpoint} />
              <later.IncidentList endpoint={endpoint} now={now} />
            </>
          ) : (
            <Skeleton rows={6} label={t('loading')} />
          )}
          {endpoint.lastError ? (
            <Section title={t('errors')} actions={<a href={log}>{t('itsLog')}</a>}>
              <div class="lone">
                <Quote>{endpoint.lastError}</Quote>
              </div>
            </Section>
          ) : null}
        </div>
      </div>
    </>
  )
}

function Counts({ endpoint, inbox }: { readonly endpoint: EndpointInfo; readonly inbox: string }) {
  const { stats, unread } = endpoint
  return (
    <ul class="counts" aria-label={t('figures')}>
      <li>
        {t('received')} <b>{formatNumber(stats.received)}</b>
      </li>
      <li>
        {t('sent')} <b>{formatNumber(stats.sent)}</b>
      </li>
      <li class={stats.notSent > 0 ? 'bad' : undefined}>
        {t('notSent')} <b>{formatNumber(stats.notSent)}</b>
      </li>
      <li class={stats.lost > 0 ? 'bad' : undefined}>
        {t('lost')} <b>{formatNumber(stats.lost)}</b>
      </li>
      <li>
        {t('unread')} <a href={inbox}>{t('unreadMessages', { count: unread.messages })}</a>,{' '}
        <a href={`${inbox}&tab=requests`}>{t('unreadRequests', { count: unread.requests })}</a>,{' '}
        <a href={`${inbox}&tab=notices`}>{t('unreadNotices', { count: unread.notices })}</a>
      </li>
    </ul>
  )
}

/** Shows the strip of a day. Hidden if the host keeps no changes of state. */
function Day({ endpoint, now }: { readonly endpoint: EndpointInfo; readonly now: number }) {
  const locale = currentLocale()
  const changes = endpoint.changes ?? [{ at: endpoint.since, status: endpoint.status }]
  const { ticks, share } = dayTicks(changes, now)
  const from = now - 86_400_000
  const out = outages(changes)
    .filter((item) => (item.until ?? now) > from)
    .slice(0, 3)
    .reverse()
  const at = (time: number): string => moment(time, now, locale)
  return (
    <div class="day-strip">
      {out.length > 0 ? (
        <p class="outs">
          {out.map((item) => (
            <span key={item.from}>
              {t(item.until === undefined ? 'awayNow' : 'away', {
                time: at(item.from),
                length: elapsed((item.until ?? now) - item.from),
              })}
              {item.reason ? `, ${item.reason}` : ''}
            </span>
          ))}
        </p>
      ) : null}
      <Ticks
        ticks={ticks}
        label={t('dayStrip', { up: share === undefined ? '–' : `${Math.round(share * 100)}\u00a0%` })}
      />
      <p class="scale" aria-hidden="true">
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour}>{at(from + hour * 3_600_000)}</span>
        ))}
        <span>{t('now')}</span>
      </p>
    </div>
  )
}
