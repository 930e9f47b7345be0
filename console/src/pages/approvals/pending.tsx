import type { ExecApproval, ExecDecisionView } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { useResource } from '../../lib/use-resource.js'
import { call } from '../../kit/call.js'
import { Button, Table } from '../../ui/index.js'
import { Countdown, State } from '../../ui/parts/index.js'
import { useCatalogue } from '../../app/catalogue.js'
import { pieces, reachOf, repeatsCommand, type Part, type RuleReach } from './model.js'
import { Offers, offered, keysOf } from './offers.js'
import { Reach } from './reach.js'
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

/** Kinds with words of their own. Plugins have others. */
const KINDS = ['bash', 'home', 'skill', 'job', 'pairing', 'host', 'path', 'package'] as const

function kindText(kind: string): string {
  const known = KINDS.find((name) => name === kind)
  return known === undefined ? t('kind.other') : t(`kind.${known}`)
}

const VERDICT_TONE = { allow: 'plain', ask: 'wait', deny: 'wrong' } as const

export function PendingCard({ approval, answered, canRule, onAnswered, onRule }: CardProps) {
  const { kind } = approval
  const checked = useResource<ExecDecisionView | null>(
    `${kind === 'bash' ? '' : 'absent '}exec:check ${approval.id}`,
    (signal) =>
      kind === 'bash' ? host().rpc('exec:check', { command: approval.command }, { signal }) : Promise.resolve(null),
    'exec:check',
  )
  const parts: readonly Part[] = approval.parts ?? checked.data?.parts ?? []
  const answer = useAction(async (approve: boolean, forGood: boolean) => {
    await host().rpc('exec:answer', { id: approval.id, approve, ...(forGood ? { forGood } : {}) })
    if (forGood) toast(t('allowed', { what: offered(approval), key: keysOf(approval) }), 'ok')
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
  // The position of the time in the sentence depends on the language.
  const [before, after] = t('left').split('{time}')
  const coveredNow = kind === 'bash' && checked.data?.verdict === 'allow'
  return (
    <article class="approval" aria-label={approval.title}>
      <header>
        <State tone="wait">{kindText(kind)}</State>
        <span class="muted grow">{originOf(approval)}</span>
        {turn ? <a href={`/agent/sessions?key=${encodeURIComponent(turn.sessionKey)}`}>{t('conversation')}</a> : null}
        <span>
          {before}
          <Countdown until={approval.expiresAt} />
          {after}
        </span>
      </header>
      <Command approval={approval} parts={parts} />
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
      {canRule && !coveredNow ? <Suggestion approval={approval} parts={parts} onRule={onRule} /> : null}
      <AnswerFooter approval={approval} answered={answered} answer={answer} />
    </article>
  )
}

/** Shows the text that waits, with what may deceive in it, and where it happens. */
function Command({ approval, parts }: { readonly approval: ExecApproval; readonly parts: readonly Part[] }) {
  return (
    <div class="command">
      {repeatsCommand(approval) ? null : <p>{approval.title}</p>}
      <pre tabIndex={0}>
        {pieces(approval.shown ?? approval.command, parts).map((piece, index) =>
          piece.part && piece.part.verdict !== 'allow' ? <mark key={index}>{piece.text}</mark> : piece.text,
        )}
      </pre>
      {approval.shown === undefined ? null : <p class="amber">{t('marked')}</p>}
      <Reach approval={approval} />
    </div>
  )
}

const originOf = ({ requestedBy, channel, endpointId }: ExecApproval): string =>
  [
    requestedBy ? t('by', { who: requestedBy }) : '',
    channel ? t('in', { channel }) : '',
    endpointId ? t('on', { endpoint: endpointId }) : '',
  ]
    .join('')
    .trim()

interface SuggestionProps {
  readonly approval: ExecApproval
  readonly parts: readonly Part[]
  readonly onRule: CardProps['onRule']
}

/** Says whether a rule covers the command, or how many of the parts that nothing covers. */
const ruleTitle = ({ covered, of }: RuleReach): string =>
  covered.length < of ? t('rulePart', { covered: covered.length, of }) : t('rule')

/** Offers the rule that would cover the command. */
function Suggestion({ approval, parts, onRule }: SuggestionProps) {
  const { kind, adapter, endpointId, suggestion } = approval
  if (kind !== 'bash' || !suggestion || !adapter || !endpointId) return null
  const match = parts.find((part) => part.verdict === 'ask')?.text ?? approval.command
  return (
    <div class="suggest">
      <div class="grow">
        <p class="muted">{ruleTitle(reachOf(suggestion, parts))}</p>
        <p>
          <code>{suggestion}</code>{' '}
          <span class="muted">
            {t('ruleFor', { endpoint: endpointId })}
            <Coverage adapter={adapter} endpointId={endpointId} pattern={suggestion} />
          </span>
        </p>
      </div>
      <Button onClick={() => onRule({ adapter, endpointId, pattern: suggestion, match })}>{t('addThis')}</Button>
    </div>
  )
}

interface AnswerFooterProps {
  readonly approval: ExecApproval
  readonly answered: CardProps['answered']
  readonly answer: Action<[approve: boolean, forGood: boolean]>
}

function AnswerFooter({ approval, answered, answer }: AnswerFooterProps) {
  const { id, offers = [] } = approval
  const mayKeep = offers.length > 0 && offers.every(({ problem }) => problem === undefined)
  const say = (approve: boolean, forGood = false) => ({
    busy: answer.busy,
    ...answer.blocked,
    onClick: () => answer.run(approve, forGood),
  })
  return (
    <footer>
      {answered ? (
        <p role="status" class="grow">
          <b>{t(answered)}</b>
        </p>
      ) : (
        <>
          <Button kind="primary" {...say(true)}>
            {t('approve')}
          </Button>
          {mayKeep ? <Button {...say(true, true)}>{t('approveForGood')}</Button> : null}
          <Button {...say(false)}>{t('deny')}</Button>
        </>
      )}
      {answer.failure ? (
        <p class="bad" role="alert">
          {answer.failure}
        </p>
      ) : null}
      {answered ? null : <Offers offers={offers} />}
      <span class="muted end">{t('bound', { id })}</span>
    </footer>
  )
}

/** Shows the verdict of each part of a command. */
export function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const rows = parts.map((part, index) => ({ ...part, index: index + 1 }))
  return (
    <Table
      caption={t('part')}
      rows={rows}
      rowKey={(row) => String(row.index)}
      below={({ verdict, reason }) => <p class={verdict === 'allow' ? 'narrow-only muted' : 'narrow-only'}>{reason}</p>}
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
