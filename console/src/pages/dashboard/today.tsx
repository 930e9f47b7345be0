import { moment, sameDay } from '../../kit/time-format.js'
import { ago } from '../../lib/format.js'
import { currentLocale, formatNumber } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import type { Resource } from '../../lib/use-resource.js'
import { Loaded } from '../../ui/parts/loaded.js'
import { Section } from '../../ui/parts/section.js'
import { FactList } from './fact-list.js'
import { nextJobs, usageOf } from './summaries.js'
import { t } from './lazy-texts.js'
import type { CronList, Usage } from './wire.js'

const link = (path: string, text: string) =>
  pages().some((page) => page.path === path) ? <a href={path}>{text}</a> : null

export interface TodayProps {
  readonly usage: Resource<Usage> | undefined
  readonly cron: Resource<CronList> | undefined
  readonly now: number
}

export function Today({ usage, cron, now }: TodayProps) {
  return (
    <>
      {usage ? <AiToday usage={usage} /> : null}
      {cron ? <NextJobs cron={cron} now={now} /> : null}
    </>
  )
}

function AiToday({ usage }: { readonly usage: Resource<Usage> }) {
  return (
    <Section title={t('ai')} actions={link('/agent/models', t('calls'))}>
      <Loaded resource={usage} rows={3}>
        {(data) => {
          const { calls, input, cachedShare, output, cost } = usageOf(data)
          return (
            <FactList
              lines={[
                [t('calls'), formatNumber(calls)],
                [
                  t('tokensIn'),
                  <>
                    {formatNumber(input)}
                    {cachedShare > 0 ? (
                      <span class="muted"> {t('cached', { share: Math.round(cachedShare * 100) })}</span>
                    ) : null}
                  </>,
                ],
                [t('tokensOut'), formatNumber(output)],
                ...(cost === undefined
                  ? []
                  : [
                      [
                        t('cost'),
                        <>
                          {cost.toFixed(cost < 0.1 ? 4 : 2)} <span class="muted">{t('ofPrices')}</span>
                        </>,
                      ] as const,
                    ]),
              ]}
            />
          )
        }}
      </Loaded>
    </Section>
  )
}

const MOST = 3

function NextJobs({ cron, now }: { readonly cron: Resource<CronList>; readonly now: number }) {
  const locale = currentLocale()
  const jobs = cron.data ? nextJobs(cron.data, MOST) : []
  if (cron.data && jobs.length === 0) return null
  return (
    <Section title={t('jobs')} actions={link('/cron', t('cron'))}>
      <Loaded resource={cron} rows={3}>
        {() => (
          <FactList
            lines={jobs.map(
              ({ name, at }) =>
                [
                  name,
                  <span class="muted">
                    {moment(at, now, locale)}
                    {sameDay(at, now) ? ` · ${ago(at, now, locale)}` : null}
                  </span>,
                ] as const,
            )}
          />
        )}
      </Loaded>
    </Section>
  )
}
