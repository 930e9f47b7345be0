// What runs without asking, endpoint by endpoint.
import type { ExecRule, ExecStanding } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { useResource } from '../../lib/use-resource.js'
import { EmptyState, Table } from '../../ui/index.js'
import { Confirm, Loaded, Section, State } from '../../ui/parts/index.js'
import type { RuleDraft } from './rule-dialog.js'
import { p } from './texts.js'

type Asking = { readonly of: ExecStanding; readonly rule?: ExecRule }

export function StandingList({
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
    toast(rule ? p('revoked') : p('again', { endpoint: of.endpointId }), 'ok')
    setAsking(undefined)
    standing.reload()
  })
  return (
    <div class="standing">
      <Section title={p('standing')} fact={p('standingFact')}>
        <Loaded resource={standing} rows={2}>
          {({ endpoints }) =>
            endpoints.length === 0 ? (
              <EmptyState title={p('noStanding')} />
            ) : (
              <Table
                caption={p('standing')}
                rows={endpoints}
                rowKey={(row) => `${row.adapter}/${row.endpointId}`}
                columns={[
                  {
                    id: 'endpoint',
                    head: p('endpoint'),
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
                  { id: 'all', head: p('all'), wide: true, width: '200px', cell: (row) => <Bash row={row} /> },
                  {
                    id: 'rules',
                    head: p('rules'),
                    cell: (row) => {
                      const rules = row.bashRules
                      return (
                        <ul class="rules">
                          {rules.map((rule) => (
                            <li key={rule.id}>
                              <code>{rule.pattern}</code>{' '}
                              <button type="button" class="linkish" onClick={() => setAsking({ of: row, rule })}>
                                {p('revoke')}
                                <span class="sr"> {rule.pattern}</span>
                              </button>
                            </li>
                          ))}
                          {rules.length === 0 ? (
                            <li class="muted">
                              <span class="grow">{row.bashAlways ? p('notNeeded') : p('none')}</span>
                              {row.bashAlways ? (
                                <button type="button" class="linkish" onClick={() => setAsking({ of: row })}>
                                  {p('askAgain')}
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
                                onClick={() =>
                                  onAdd({ adapter: row.adapter, endpointId: row.endpointId, pattern: '^$', match: '' })
                                }
                              >
                                {p('add')}
                                <span class="sr"> {row.endpointId}</span>
                              </button>
                            </li>
                          ) : null}
                        </ul>
                      )
                    },
                  },
                ]}
              />
            )
          }
        </Loaded>
        <p class="muted foot-note">{p('blacklist')}</p>
        {asking ? (
          <Confirm
            danger
            title={asking.rule ? p('revokeAsk') : p('againAsk', { endpoint: asking.of.endpointId })}
            action={p(asking.rule ? 'revokeDo' : 'againDo')}
            busy={revoke.busy}
            onClose={() => setAsking(undefined)}
            onConfirm={() => revoke.run(asking)}
          >
            {asking.rule ? <pre class="breaks">{asking.rule.pattern}</pre> : null}
            <p>{asking.rule ? p('revokeText', { endpoint: asking.of.endpointId }) : p('againText')}</p>
          </Confirm>
        ) : null}
      </Section>
    </div>
  )
}

/** Whether all of bash runs without a question: the exception is what has a colour. */
function Bash({ row }: { readonly row: ExecStanding }) {
  return row.bashAlways ? (
    <span class="two">
      <State tone="wait">{p('never')}</State>
      <small>{p('neverText')}</small>
    </span>
  ) : (
    <span class="muted">{p('asks')}</span>
  )
}
