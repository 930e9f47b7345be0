// One request that waits: the command with what nothing covers, why, and the two answers.
import type { ExecApproval, ExecDecisionView } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { useAction } from '../../kit/use-action.js'
import { useResource } from '../../lib/use-resource.js'
import { call } from '../../kit/call.js'
import { Button, Table } from '../../ui/index.js'
import { Countdown, State } from '../../ui/parts/index.js'
import { useCatalogue } from '../../app/catalogue.js'
import { pieces, type Part } from './model.js'
import type { RuleDraft } from './rule-dialog.js'
import { t } from './texts.js'
import type { Turn } from '../sessions/wire.js'

interface CardProps {
  readonly approval: ExecApproval
  readonly answered: 'approved' | 'denied' | undefined
  readonly canRule: boolean
  readonly onAnswered: (id: string, how: 'approved' | 'denied') => void
  readonly onRule: (draft: RuleDraft) => void
}

const VERDICT_TONE = { allow: 'plain', ask: 'wait', deny: 'wrong' } as const

export function PendingCard({ approval, answered, canRule, onAnswered, onRule }: CardProps) {
  const { kind, adapter, endpointId } = approval
  const checked = useResource<ExecDecisionView | null>(
    `${kind === 'bash' ? '' : 'absent '}exec:check ${approval.id}`,
    (signal) =>
      kind === 'bash' ? host().rpc('exec:check', { command: approval.command }, { signal }) : Promise.resolve(null),
    'exec:check',
  )
  const parts: readonly Part[] = approval.parts ?? checked.data?.parts ?? []
  const answer = useAction(async (approve: boolean) => {
    await host().rpc('exec:answer', { id: approval.id, approve })
    onAnswered(approval.id, approve ? 'approved' : 'denied')
  }, 'here')
  const { has } = useCatalogue()
  const turns = useResource<{ turns: readonly Turn[] }>(
    has('agent:turns') ? 'agent:turns' : 'absent turns of approvals',
    (signal) =>
      has('agent:turns') ? call('agent:turns', { active: true, limit: 50 }, signal) : Promise.resolve({ turns: [] }),
    'agent:turns',
  )
  const turn = turns.data?.turns.find((item) => item.waitingFor?.id === approval.id)
  const suggestion = approval.suggestion
  // Which side of the time the word stands on is a matter of the language.
  const [before, after] = t('left').split('{time}')
  const coveredNow = kind === 'bash' && checked.data?.verdict === 'allow'
  return (
    <article class="approval" aria-label={approval.title}>
      <header>
        <State tone="wait">{t(`kind.${kind}`)}</State>
        <span class="muted grow">
          {[
            approval.requestedBy ? t('by', { who: approval.requestedBy }) : '',
            approval.channel ? t('in', { channel: approval.channel }) : '',
            endpointId ? t('on', { endpoint: endpointId }) : '',
          ]
            .join('')
            .trim()}
        </span>
        {turn ? <a href={`/agent/sessions?key=${encodeURIComponent(turn.sessionKey)}`}>{t('conversation')}</a> : null}
        <span>
          {before}
          <Countdown until={approval.expiresAt} />
          {after}
        </span>
      </header>
      <div class="command">
        {approval.title === approval.command ? null : <p>{approval.title}</p>}
        <pre tabIndex={0}>
          {pieces(approval.command, parts).map((piece, index) =>
            piece.part && piece.part.verdict !== 'allow' ? <mark key={index}>{piece.text}</mark> : piece.text,
          )}
        </pre>
      </div>
      {parts.length > 0 ? (
        <div class="inner">
          <Parts parts={parts} />
        </div>
      ) : (
        <p class="inner reason">{approval.reason}</p>
      )}
      {coveredNow ? (
        <p class="inner amber" role="status">
          {t('covered')}
        </p>
      ) : null}
      {kind === 'bash' && suggestion && canRule && adapter && endpointId && !coveredNow ? (
        <div class="suggest">
          <div class="grow">
            <p class="muted">{t('rule')}</p>
            <p>
              <code>{suggestion}</code>{' '}
              <span class="muted">
                {t('ruleFor', { endpoint: endpointId })}
                <Coverage adapter={adapter} endpointId={endpointId} pattern={suggestion} />
              </span>
            </p>
          </div>
          <Button
            onClick={() =>
              onRule({
                adapter,
                endpointId,
                pattern: suggestion,
                match: parts.find((part) => part.verdict === 'ask')?.text ?? approval.command,
              })
            }
          >
            {t('addThis')}
          </Button>
        </div>
      ) : null}
      <footer>
        {answered ? (
          <p role="status" class="grow">
            <b>{t(answered)}</b>
          </p>
        ) : (
          <>
            <Button kind="primary" busy={answer.busy} {...answer.blocked} onClick={() => answer.run(true)}>
              {t('approve')}
            </Button>
            <Button busy={answer.busy} {...answer.blocked} onClick={() => answer.run(false)}>
              {t('deny')}
            </Button>
          </>
        )}
        {answer.failure ? (
          <p class="bad" role="alert">
            {answer.failure}
          </p>
        ) : null}
        <span class="muted end">{t('bound', { command: `/approve ${approval.id}` })}</span>
      </footer>
    </article>
  )
}

/** What each part of a command came to. */
export function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const rows = parts.map((part, index) => ({ ...part, index: index + 1 }))
  return (
    <Table
      caption={t('part')}
      rows={rows}
      rowKey={(row) => String(row.index)}
      columns={[
        {
          id: 'number',
          head: t('number'),
          width: '36px',
          wide: true,
          cell: (row) => <span class="muted">{row.index}</span>,
        },
        { id: 'part', head: t('part'), rowHeader: true, cell: (row) => <code>{row.text}</code> },
        {
          id: 'verdict',
          head: t('verdict'),
          width: '130px',
          cell: (row) => <State tone={VERDICT_TONE[row.verdict]}>{t(`verdict.${row.verdict}`)}</State>,
        },
        {
          id: 'because',
          head: t('because'),
          wide: true,
          cell: (row) => <span class={row.verdict === 'allow' ? 'muted' : undefined}>{row.reason}</span>,
        },
      ]}
    />
  )
}

function Coverage({
  adapter,
  endpointId,
  pattern,
}: {
  readonly adapter: string
  readonly endpointId: string
  readonly pattern: string
}) {
  const { has } = useCatalogue()
  const able = has('exec:rule-check')
  const { data } = useResource<{ readonly covered: number; readonly of: number } | null>(
    `${able ? '' : 'absent '}exec:rule-check ${adapter} ${endpointId} ${pattern}`,
    (signal) =>
      able ? host().rpc('exec:rule-check', { adapter, endpointId, pattern }, { signal }) : Promise.resolve(null),
    'exec:rule-check',
  )
  return data ? <>; {t('ruleCovers', { covered: data.covered, of: data.of })}</> : null
}
