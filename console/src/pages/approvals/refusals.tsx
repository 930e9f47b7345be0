import type { ExecRefusal } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { moment } from '../../kit/time-format.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { currentLocale, type Locale } from '../../lib/i18n.js'
import { resources } from '../../lib/resources.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Table, type Column } from '../../ui/index.js'
import { Loaded, Section } from '../../ui/parts/index.js'
import { t } from './texts.js'

/** Shows the hosts and paths that commands were kept from lately, with what allows them. */
export function Refusals() {
  const refusals = useResource('exec:refusals', (signal) => host().rpc('exec:refusals', {}, { signal }))
  const allow = useAction(async ({ offer, target }: ExecRefusal) => {
    if (!offer) return
    const { key } = await host().rpc('exec:allow', { addition: offer.addition })
    toast(t('allowed', { what: target, key }), 'ok')
    resources.invalidate((name) => name.startsWith('exec:'))
  })
  return (
    <Section title={t('refused')} fact={t('refusedFact')}>
      <Loaded resource={refusals} rows={2}>
        {({ refusals: rows }) =>
          rows.length === 0 ? (
            <EmptyState title={t('noRefusals')} />
          ) : (
            <Table
              caption={t('refused')}
              rows={rows}
              rowKey={({ kind, target, reason, offer }) => [kind, target, reason, offer?.key].join(' ')}
              columns={refusalColumns(allow, Date.now(), currentLocale())}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

function refusalColumns(allow: Action<[ExecRefusal]>, now: number, locale: Locale): readonly Column<ExecRefusal>[] {
  return [
    {
      id: 'time',
      head: t('time'),
      width: '104px',
      wide: true,
      cell: ({ lastAt }) => <span class="muted">{moment(lastAt, now, locale)}</span>,
    },
    {
      id: 'target',
      head: t('target'),
      rowHeader: true,
      cell: ({ target, kind, count, reason }) => (
        <>
          <code class="breaks">{target}</code>{' '}
          <span class="muted">
            {t(`refused.${kind}`)}, {t('times', { count })}
          </span>
          <p class="muted narrow-only">{reason}</p>
        </>
      ),
    },
    {
      id: 'command',
      head: t('lastCommand'),
      wide: true,
      cell: ({ command }) => <code class="breaks">{command}</code>,
    },
    {
      id: 'because',
      head: t('because'),
      wide: true,
      width: '190px',
      cell: ({ reason }) => <span class="muted">{reason}</span>,
    },
    {
      id: 'allow',
      head: t('allow'),
      width: '150px',
      cell: (row) => <AllowCell row={row} allow={allow} />,
    },
  ]
}

function AllowCell({ row, allow }: { readonly row: ExecRefusal; readonly allow: Action<[ExecRefusal]> }) {
  const { offer, target, allowed } = row
  if (allowed) return <span class="muted">{t('allowedNow')}</span>
  if (!offer) return <span class="muted">{t('neverAllowed')}</span>
  if (offer.problem !== undefined) return <span class="muted">{offer.problem}</span>
  return (
    <Button busy={allow.busy} title={t('writes', { key: offer.key })} {...allow.blocked} onClick={() => allow.run(row)}>
      {t('allowForGood')}
      <span class="sr"> {target}</span>
    </Button>
  )
}
