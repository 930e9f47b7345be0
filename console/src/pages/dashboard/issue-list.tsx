import { useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/event-stream.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { moment } from '../../kit/time-format.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { failureOf } from '../../lib/failure.js'
import { currentLocale } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import { navigate } from '../../lib/router.js'
import { Button } from '../../ui/button.js'
import { Countdown } from '../../ui/parts/countdown.js'
import type { Issue } from './issues.js'
import { t } from './lazy-texts.js'

const SHOWN = 5
const encoded = encodeURIComponent
const hasPage = (path: string): boolean => pages().some((page) => page.path === path)

const linksOf = (issue: Issue): { readonly open: string | undefined; readonly log: string | undefined } => ({
  open: pageOf(issue),
  log: hasPage('/logs') && !issue.waits ? `/logs?plugin=${encoded(loggerOf(issue))}` : undefined,
})

/** Whether the host would refuse the configuration file on disk: its plugin works in part then. */
const isOfFile = ({ kind, name }: Pick<Issue, 'kind' | 'name'>): boolean => kind === 'degraded' && name === 'workspace'

/** Returns the page that shows more about an issue, when this console has it. */
function pageOf({ kind, name, of }: Issue): string | undefined {
  switch (kind) {
    case 'offline':
    case 'connecting':
      return hasPage('/endpoints/:adapter/:endpointId') ? `/endpoints/${encoded(of ?? '')}/${encoded(name)}` : undefined
    case 'job':
      return hasPage('/cron') ? '/cron' : undefined
    case 'entry':
      return of === undefined ? undefined : `/plugins/${encoded(of)}?tab=console`
    case 'check':
      return undefined
    case 'approval':
      return '/agent/approvals'
    case 'question':
      return `/agent/sessions?key=${encoded(of ?? '')}`
    default:
      return isOfFile({ kind, name }) ? '/config' : `/plugins/${encoded(name)}`
  }
}

/** Returns the plugin whose log lines concern an issue. */
function loggerOf({ kind, name, of }: Issue): string {
  switch (kind) {
    case 'offline':
    case 'connecting':
      return `adapter-${of ?? ''}`
    case 'entry':
      return of ?? 'entries'
    case 'job':
      return 'cron'
    default:
      return name
  }
}

/** Returns the name of the page that `Open` leads to. */
function pageName({ kind, name, of }: Issue): string {
  if (kind === 'job') return t('cron')
  if (isOfFile({ kind, name })) return t('config')
  if (kind === 'approval') return t('approvals')
  if (kind === 'question') return t('conversation')
  return kind === 'entry' ? (of ?? name) : name
}

export function IssueList({ items }: { readonly items: readonly Issue[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? items : items.slice(0, SHOWN)
  usePageKeys([
    [
      shown
        .slice(0, 9)
        .map((_, index) => index + 1)
        .join(' '),
      t('kOpen'),
    ],
  ])
  useShortcuts(
    Object.fromEntries(
      shown.slice(0, 9).flatMap((item, index) => {
        const { open } = linksOf(item)
        return open === undefined ? [] : [[String(index + 1), () => navigate(open)]]
      }),
    ),
  )
  const waiting = shown.filter(({ waits }) => waits)
  const wrong = shown.filter(({ waits }) => !waits)
  const waits = items.filter((item) => item.waits).length
  return (
    <>
      {waiting.length > 0 ? (
        <section class="waits-for-you" aria-labelledby="waits">
          <h2 id="waits">{t('wait', { count: waits })}</h2>
          <ul>
            {waiting.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ul>
        </section>
      ) : null}
      {wrong.length > 0 ? (
        <section class={wrong.some(({ tone }) => tone === 'err') ? 'wrongs' : 'wrongs mild'} aria-labelledby="wrongs">
          <h2 id="wrongs">{t('wrong', { count: items.length - waits })}</h2>
          <ul>
            {wrong.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ul>
        </section>
      ) : null}
      {items.length > shown.length ? (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {t('andMore', { count: items.length - shown.length })}
        </Button>
      ) : null}
    </>
  )
}

function Item({ item }: { readonly item: Issue }) {
  const { kind, name, of, since, said, id, expiresAt } = item
  const { open, log } = linksOf(item)
  const block = useWriteBlock()
  const [busy, setBusy] = useState(false)
  const runAgain = async (): Promise<void> => {
    if (__DEMO__) return
    setBusy(true)
    try {
      await call('jobs:run', { id: id.slice('job:'.length) })
      toast(t('running'), 'ok')
    } catch (error) {
      toast(failureOf(error).text, 'err')
    } finally {
      setBusy(false)
    }
  }
  const when =
    since === undefined
      ? undefined
      : t(kind === 'job' ? 'at' : 'sinceTime', {
          time: moment(since, Date.now(), currentLocale()),
        })
  return (
    <li>
      <div class="what">
        <p>
          <strong class="break">{name}</strong> {t(kind)}
          <span class="muted">
            {[kind === 'question' ? undefined : of, when].filter(Boolean).map((text) => ` · ${text}`)}
          </span>
          {expiresAt === undefined ? null : (
            <span>
              {' · '}
              {t('timeLeft')} <Countdown until={expiresAt} />
            </span>
          )}
        </p>
        {said ? <code class="break">{said}</code> : null}
      </div>
      <div class="row">
        {kind === 'job' && !__DEMO__ ? (
          <Button
            busy={busy}
            disabled={block !== undefined}
            {...(block === undefined ? {} : { title: block })}
            onClick={() => void runAgain()}
          >
            {t('runAgain')}
          </Button>
        ) : null}
        {log ? <Button href={log}>{t('log')}</Button> : null}
        {open ? <Button href={open}>{t('open', { name: pageName(item) })}</Button> : null}
      </div>
    </li>
  )
}
