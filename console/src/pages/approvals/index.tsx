import type { ExecApproval, ExecDecisionView } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { useReadAction } from '../../kit/use-action.js'
import { useEvent } from '../../kit/use-event.js'
import { useNow } from '../../kit/use-now.js'
import { announce } from '../../lib/announce.js'
import { useResource } from '../../lib/use-resource.js'
import { useRowsInSteps } from '../../lib/use-rows-in-steps.js'
import { Button, Dialog, EmptyState, PageHead } from '../../ui/index.js'
import { Loaded, Stale, TextArea } from '../../ui/parts/index.js'
import './page.css'
import { History } from './history.js'
import { waiting } from './model.js'
import { Parts, PendingCard } from './pending.js'
import { Refusals } from './refusals.js'
import { RuleDialog, type RuleDraft } from './rule-dialog.js'
import { PermanentRules } from './permanent-rules.js'
import { Later } from '../../ui/parts/later.js'
import { ShowMore } from '../../ui/parts/show-more.js'
import { t } from './texts.js'

/** Commands that are shown at first, and with each *Show more*. Each asks the host for its parts. */
const STEP = 8
/** Commands that are drawn in one task. */
const DRAWN = 3

/** The texts of the levels. */
const LEVELS = { wall: 'levelWall', files: 'levelFiles', none: 'levelNone' } as const

export function ApprovalsPage() {
  const { has } = useCatalogue()
  const now = useNow(1000)
  const [rule, setRule] = useState<RuleDraft>()
  const [trying, setTrying] = useState(false)
  const [answered, setAnswered] = useState<Readonly<Record<string, 'approved' | 'denied'>>>({})
  const pending = useResource('exec:pending', (signal) => host().rpc('exec:pending', {}, { signal }))
  useEvent<ExecApproval>('exec:approval', (approval) => {
    if (approval.status === 'pending') announce(t('came', { command: approval.title }))
  })
  const rows = pending.data ? [...waiting(pending.data.pending, now)] : []
  const [most, setMost] = useState(STEP)
  const drawn = useRowsInSteps(rows.slice(0, most), ({ id }) => id, DRAWN)
  const open = rows.filter(({ id }) => answered[id] === undefined)
  const note = (id: string, how: 'approved' | 'denied'): void => {
    setAnswered((former) => ({ ...former, [id]: how }))
    // Keep the row for a moment, with its outcome.
    setTimeout(() => pending.reload(), 1500)
  }
  return (
    <>
      <PageHead
        title={t('page.approvals')}
        fact={
          pending.data ? (
            <>
              <span>{t('fact', { count: open.length })}</span> <span>{t(pending.data.stored ? 'kept' : 'memory')}</span>{' '}
              {pending.data.level ? (
                <span title={pending.data.levelReasons?.join('; ')}>{t(LEVELS[pending.data.level])}</span>
              ) : null}{' '}
              <Stale resource={pending} />
            </>
          ) : undefined
        }
        actions={
          <>
            <Button onClick={() => setTrying(true)}>{t('try')}</Button>
            <Button onClick={pending.reload} hotkey="r">
              {t('refresh')}
            </Button>
          </>
        }
      />
      <Loaded resource={pending} rows={3}>
        {() =>
          rows.length === 0 ? (
            <div class="section">
              <EmptyState title={t('nothing')}>{t('nothingText')}</EmptyState>
            </div>
          ) : (
            <div class="stack">
              {drawn.map((approval) => (
                <PendingCard
                  key={approval.id}
                  approval={approval}
                  answered={answered[approval.id]}
                  canRule={has('exec:rule-add')}
                  onAnswered={note}
                  onRule={setRule}
                />
              ))}
              <ShowMore left={rows.length - most} step={STEP} onMore={() => setMost(most + STEP)} />
            </div>
          )
        }
      </Loaded>
      <Later>
        {has('exec:refusals') ? <Refusals /> : null}
        {has('exec:standing') ? <PermanentRules canAdd={has('exec:rule-add')} onAdd={setRule} /> : null}
      </Later>
      <Later>{has('exec:history') ? <History /> : null}</Later>
      {rule ? <RuleDialog draft={rule} onClose={() => setRule(undefined)} /> : null}
      {trying ? <TryDialog onClose={() => setTrying(false)} /> : null}
    </>
  )
}

/** Evaluates a command against the policy without running it. */
function TryDialog({ onClose }: { readonly onClose: () => void }) {
  const [command, setCommand] = useState('')
  const [said, setSaid] = useState<ExecDecisionView>()
  const check = useReadAction(async () => setSaid(await host().rpc('exec:check', { command })), 'here')
  const submit = (): void => {
    if (command.trim()) check.run()
  }
  return (
    <Dialog
      title={t('tryTitle')}
      onClose={onClose}
      actions={
        <Button kind="primary" busy={check.busy} disabled={!command.trim()} onClick={submit}>
          {t('tryDo')}
        </Button>
      }
    >
      <p class="muted">{t('tryText')}</p>
      <TextArea
        mono
        label={t('command')}
        rows={3}
        value={command}
        onInput={setCommand}
        onSubmit={submit}
        error={check.failure}
      />
      {said ? (
        <div role="status">
          <p>
            <b class={said.verdict === 'allow' ? undefined : 'amber'}>{t(`verdict.${said.verdict}`)}</b> {said.reason}
          </p>
          <Parts parts={said.parts} />
        </div>
      ) : null}
    </Dialog>
  )
}
