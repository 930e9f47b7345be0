// What is wrong, each with the way to mend it.
import { useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/event-stream.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { clock, dayOf, sameDay } from '../../kit/time-format.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { failureOf } from '../../lib/failure.js'
import { currentLocale } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import { navigate } from '../../lib/router.js'
import { Button } from '../../ui/button.js'
import type { Issue } from './model.js'
import { t } from './lazy-texts.js'

const SHOWN = 5
const encoded = encodeURIComponent
const hasPage = (path: string): boolean => pages().some((page) => page.path === path)

/** Where one sees more of it, and where its lines are. */
function linksOf({ kind, name, of }: Issue): { readonly open?: string; readonly log?: string } {
  const log = hasPage('/logs')
    ? {
        log: `/logs?plugin=${encoded(kind === 'offline' || kind === 'connecting' ? `adapter-${of ?? ''}` : kind === 'entry' ? (of ?? 'entries') : kind === 'job' ? 'cron' : name)}`,
      }
    : {}
  switch (kind) {
    case 'offline':
    case 'connecting':
      return {
        ...log,
        ...(hasPage('/endpoints/:adapter/:endpointId')
          ? { open: `/endpoints/${encoded(of ?? '')}/${encoded(name)}` }
          : {}),
      }
    case 'job':
      return { ...log, ...(hasPage('/cron') ? { open: '/cron' } : {}) }
    case 'entry':
      return of === undefined ? log : { ...log, open: `/plugins/${encoded(of)}?tab=console` }
    case 'check':
      return log
    case 'approval':
      return { open: '/agent/approvals' }
    default:
      return { ...log, open: `/plugins/${encoded(name)}` }
  }
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
  return (
    <section class={items.some(({ tone }) => tone === 'err') ? 'wrongs' : 'wrongs mild'} aria-labelledby="wrongs">
      <h2 id="wrongs">{items.length === 1 ? t('oneWrong') : t('manyWrong', { count: items.length })}</h2>
      <ul>
        {shown.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      {items.length > shown.length ? (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {t('andMore', { count: items.length - shown.length })}
        </Button>
      ) : null}
    </section>
  )
}

function Item({ item }: { readonly item: Issue }) {
  const { kind, name, of, since, said, id } = item
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
      : t(kind === 'job' ? 'at' : 'since', {
          time: sameDay(since, Date.now())
            ? clock(since, currentLocale())
            : `${dayOf(since, currentLocale())} ${clock(since, currentLocale())}`,
        })
  return (
    <li>
      <div class="what">
        <p>
          <strong class="break">{name}</strong> {t(kind)}
          <span class="muted">{[of, when].filter(Boolean).map((text) => ` · ${text}`)}</span>
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
        {open ? (
          <Button href={open}>
            {t('open', {
              name:
                kind === 'job'
                  ? t('cron')
                  : kind === 'approval'
                    ? t('approvals')
                    : of !== undefined && kind === 'entry'
                      ? of
                      : name,
            })}
          </Button>
        ) : null}
      </div>
    </li>
  )
}
