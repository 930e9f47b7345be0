import type { LogEntry, Trace } from '@mynah/contract/types'
import { moment, momentSeconds } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import type { Resource } from '../../lib/use-resource.js'
import { Loaded } from '../../ui/parts/loaded.js'
import { Section } from '../../ui/parts/section.js'
import { lastProblems } from './summaries.js'
import { t } from './lazy-texts.js'

const MOST = 5

export interface RecentTracesProps {
  readonly problems: Resource<LogEntry[]> | undefined
  readonly traces: Resource<{ traces: Trace[] }> | undefined
  readonly now: number
}

export function RecentTraces({ problems, traces, now }: RecentTracesProps) {
  return (
    <>
      {problems ? <Problems problems={problems} now={now} /> : null}
      {traces ? <LastMessages traces={traces} now={now} /> : null}
    </>
  )
}

const has = (path: string): boolean => pages().some((page) => page.path === path)

function Problems({ problems, now }: { readonly problems: Resource<LogEntry[]>; readonly now: number }) {
  const locale = currentLocale()
  return (
    <Section
      title={t('problems')}
      fact={t('newest')}
      actions={has('/logs') ? <a href="/logs?levels=warn,error">{t('allLogs')}</a> : null}
    >
      <Loaded resource={problems} rows={MOST}>
        {(entries) => {
          const lines = lastProblems(entries, MOST)
          if (lines.length === 0) return <p class="nothing muted">{t('noProblems')}</p>
          return (
            <ul class="last">
              {lines.map((line) => {
                const time = Date.parse(line.timestamp)
                return (
                  <li key={line.id}>
                    <time dateTime={line.timestamp} class="muted">
                      {momentSeconds(time, now, locale)}
                    </time>
                    <b class={line.level === 'error' ? 'bad' : 'amber'} title={line.level}>
                      {line.level === 'error' ? 'E' : 'W'}
                      <span class="sr"> {line.level}</span>
                    </b>
                    <a href={`/plugins/${encodeURIComponent(line.name)}`} class="who">
                      {line.name}
                    </a>
                    <span class="break">
                      {line.message}
                      {line.times > 1 ? (
                        <span class="muted">
                          {' '}
                          · {t(line.atLeast ? 'timesAtLeast' : 'times', { count: line.times })}
                        </span>
                      ) : null}
                    </span>
                  </li>
                )
              })}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}

function replyCount(count: number): string {
  if (count === 1) return t('oneReply')
  return count > 0 ? t('replies', { count }) : t('noReply')
}

function LastMessages({ traces, now }: { readonly traces: Resource<{ traces: Trace[] }>; readonly now: number }) {
  const locale = currentLocale()
  return (
    <Section title={t('talk')} actions={has('/traces') ? <a href="/traces">{t('traces')}</a> : null}>
      <Loaded resource={traces} rows={MOST}>
        {({ traces: list }) =>
          list.length === 0 ? (
            <p class="nothing muted">{t('noTalk')}</p>
          ) : (
            <ul class="last talk">
              {list.slice(0, MOST).map((trace) => (
                <li key={`${trace.endpointId} ${trace.messageId}`}>
                  <time dateTime={new Date(trace.startedAt).toISOString()} class="muted">
                    {moment(trace.startedAt, now, locale)}
                  </time>
                  <span class="who">
                    <b>{trace.sender.name ?? trace.sender.id}</b> <span class="muted">{trace.endpointId}</span>
                  </span>
                  <span class="cut">{trace.text}</span>
                  <span class="muted nowrap">{replyCount(trace.replies)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
