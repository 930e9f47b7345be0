import type { ExecRule, ExecStanding } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { useResource } from '../../lib/use-resource.js'
import { EmptyState, Table } from '../../ui/index.js'
import { Confirm, Loaded, Section, State } from '../../ui/parts/index.js'
import type { RuleDraft } from './rule-dialog.js'
import { t } from './texts.js'

type Asking = { readonly of: ExecStanding; readonly rule?: ExecRule }

export function PermanentRules({
  canAdd,
  onAdd,
}: {
  readonly canAdd: boolean
  readonly onAdd: (draft: RuleDraft) => void
}) {
  const [asking, setAsking] = useState<Asking>()
  const standing = useResource('exec:standing', (signal) => host().rpc('exec:standing', {}, { signal }))
  const revoke = useAction(async ({ of, rule }: Asking) => {
    const at = { adapter: of.adapter, endpointId: of.endpointId }
    await (rule ? host().rpc('exec:rule-remove', { ...at, id: rule.id }) : host().rpc('exec:revoke', at))
    toast(rule ? t('revoked') : t('again', { endpoint: of.endpointId }), 'ok')
    setAsking(undefined)
    standing.reload()
  })
  const rulesOf = (row: ExecStanding) => <RuleList row={row} canAdd={canAdd} onAsk={setAsking} onAdd={onAdd} />
  return (
    <div class="standing">
      <Section title={t('standing')} fact={t('standingFact')}>
        <Loaded resource={standing} rows={2}>
          {({ endpoints }) =>
            endpoints.length === 0 ? (
              <EmptyState title={t('noStanding')} />
            ) : (
              <Table
                caption={t('standing')}
                rows={endpoints}
                rowKey={(row) => `${row.adapter}/${row.endpointId}`}
                columns={[
                  {
                    id: 'endpoint',
                    head: t('endpoint'),
                    rowHeader: true,
                    width: '180px',
                    cell: (row) => (
                      <>
                        <p>
                          {row.endpointId} <span class="muted">{row.adapter}</span>
                        </p>
                        <span class="narrow-only">
                          <Bash row={row} />
                        </span>
                      </>
                    ),
                  },
                  { id: 'all', head: t('all'), wide: true, width: '200px', cell: (row) => <Bash row={row} /> },
                  { id: 'rules', head: t('rules'), wide: true, cell: rulesOf },
                ]}
                below={(row) => <div class="narrow-only">{rulesOf(row)}</div>}
              />
            )
          }
        </Loaded>
        <p class="muted foot-note">{t('blacklist')}</p>
        {asking ? <RevokeDialog asking={asking} revoke={revoke} onAsk={setAsking} /> : null}
      </Section>
    </div>
  )
}

interface RevokeDialogProps {
  readonly asking: Asking
  readonly revoke: Action<[Asking]>
  readonly onAsk: (asking: Asking | undefined) => void
}

function RevokeDialog({ asking, revoke, onAsk }: RevokeDialogProps) {
  return (
    <Confirm
      danger
      title={asking.rule ? t('revokeAsk') : t('againAsk', { endpoint: asking.of.endpointId })}
      action={t(asking.rule ? 'revokeDo' : 'againDo')}
      busy={revoke.busy}
      onClose={() => onAsk(undefined)}
      onConfirm={() => revoke.run(asking)}
    >
      {asking.rule ? <pre class="breaks">{asking.rule.pattern}</pre> : null}
      <p>{asking.rule ? t('revokeText', { endpoint: asking.of.endpointId }) : t('againText')}</p>
    </Confirm>
  )
}

interface RuleListProps {
  readonly row: ExecStanding
  readonly canAdd: boolean
  readonly onAsk: (asking: Asking) => void
  readonly onAdd: (draft: RuleDraft) => void
}

function RuleList({ row, canAdd, onAsk, onAdd }: RuleListProps) {
  const rules = row.bashRules
  return (
    <ul class="rules">
      {rules.map((rule) => (
        <li key={rule.id}>
          <code>{rule.pattern}</code>{' '}
          <button type="button" class="linkish" onClick={() => onAsk({ of: row, rule })}>
            {t('revoke')}
            <span class="sr"> {rule.pattern}</span>
          </button>
        </li>
      ))}
      {rules.length === 0 ? (
        <li class="muted">
          <span class="grow">{row.bashAlways ? t('notNeeded') : t('none')}</span>
          {row.bashAlways ? (
            <button type="button" class="linkish" onClick={() => onAsk({ of: row })}>
              {t('askAgain')}
              <span class="sr"> {row.endpointId}</span>
            </button>
          ) : null}
        </li>
      ) : null}
      {canAdd && !row.bashAlways ? (
        <li>
          <button
            type="button"
            class="linkish"
            onClick={() => onAdd({ adapter: row.adapter, endpointId: row.endpointId, pattern: '^$', match: '' })}
          >
            {t('add')}
            <span class="sr"> {row.endpointId}</span>
          </button>
        </li>
      ) : null}
    </ul>
  )
}

/** Shows whether all of bash runs without approval. The exception is coloured. */
function Bash({ row }: { readonly row: ExecStanding }) {
  return row.bashAlways ? (
    <span class="two">
      <State tone="wait">{t('never')}</State>
      <small>{t('neverText')}</small>
    </span>
  ) : (
    <span class="muted">{t('asks')}</span>
  )
}
