// What is wrong, each with the way to mend it.
import { useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/live.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { clock, dayOf, sameDay } from '../../kit/when.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useKeys } from '../../kit/use-keys.js'
import { failureOf } from '../../lib/failure.js'
import { currentLocale } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import { navigate } from '../../lib/router.js'
import { Button } from '../../ui/button.js'
import type { Wrong } from './model.js'
import { dl } from './texts-later.js'

const SHOWN = 5
const encoded = encodeURIComponent
const hasPage = (path: string): boolean => pages().some((page) => page.path === path)

/** Where one sees more of it, and where its lines are. */
function placesOf({ kind, name, of }: Wrong): { readonly open?: string; readonly log?: string } {
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

export function WrongList({ items }: { readonly items: readonly Wrong[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? items : items.slice(0, SHOWN)
  usePageKeys([
    [
      shown
        .slice(0, 9)
        .map((_, index) => index + 1)
        .join(' '),
      dl('kOpen'),
    ],
  ])
  useKeys(
    Object.fromEntries(
      shown.slice(0, 9).flatMap((item, index) => {
        const { open } = placesOf(item)
        return open === undefined ? [] : [[String(index + 1), () => navigate(open)]]
      }),
    ),
  )
  return (
    <section class={items.some(({ tone }) => tone === 'err') ? 'wrongs' : 'wrongs mild'} aria-labelledby="wrongs">
      <h2 id="wrongs">{items.length === 1 ? dl('oneWrong') : dl('manyWrong', { count: items.length })}</h2>
      <ul>
        {shown.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      {items.length > shown.length ? (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {dl('andMore', { count: items.length - shown.length })}
        </Button>
      ) : null}
    </section>
  )
}

function Item({ item }: { readonly item: Wrong }) {
  const { kind, name, of, since, said, id } = item
  const { open, log } = placesOf(item)
  const block = useWriteBlock()
  const [busy, setBusy] = useState(false)
  const runAgain = async (): Promise<void> => {
    if (__DEMO__) return
    setBusy(true)
    try {
      await call('jobs:run', { id: id.slice('job:'.length) })
      toast(dl('running'), 'ok')
    } catch (error) {
      toast(failureOf(error).text, 'err')
    } finally {
      setBusy(false)
    }
  }
  const when =
    since === undefined
      ? undefined
      : dl(kind === 'job' ? 'at' : 'since', {
          time: sameDay(since, Date.now())
            ? clock(since, currentLocale())
            : `${dayOf(since, currentLocale())} ${clock(since, currentLocale())}`,
        })
  return (
    <li>
      <div class="what">
        <p>
          <strong class="break">{name}</strong> {dl(kind)}
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
            {dl('runAgain')}
          </Button>
        ) : null}
        {log ? <Button href={log}>{dl('log')}</Button> : null}
        {open ? (
          <Button href={open}>
            {dl('open', {
              name:
                kind === 'job'
                  ? dl('cron')
                  : kind === 'approval'
                    ? dl('approvals')
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
