import type { PackagePlan, PackageRun } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction, useReadAction } from '../../kit/use-action.js'
import { useEvent } from '../../kit/use-event.js'
import { useTimer } from '../../kit/use-timer.js'
import { navigate } from '../../lib/router.js'
import { Button, Dialog } from '../../ui/index.js'
import { shortName } from './model.js'
import { canCancel, hasEnded, scriptsOf, stateText, type PackageAction } from './package-runs.js'
import { PlanView } from './plan-view.js'
import { t } from './texts.js'

/** Events may be missed while the host starts again. */
const POLL_MS = 2_000
const titles = { add: 'planAdd', update: 'planUpdate', remove: 'planRemove', rollback: 'planRollback' } as const
const verbs = { add: 'installDo', update: 'updateDo', remove: 'removeDo', rollback: 'rollBackDo' } as const

interface PlanDialogProps {
  readonly action: PackageAction
  readonly name: string
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Shows what an action would change, carries it out when it is confirmed, and says how far it is. */
export function PlanDialog({ action, name, onClose, onDone }: PlanDialogProps) {
  const [plan, setPlan] = useState<PackagePlan>()
  const [allowed, setAllowed] = useState<readonly string[]>([])
  const { run, follow, cancel } = useRun(onDone)
  const planning = useReadAction(async () => {
    setPlan(await planOf(action, name))
  }, 'here')
  useEffect(() => planning.run(), [])
  const apply = useAction(async () => {
    if (plan) follow(await host().rpc('packages:apply', { planId: plan.planId, scripts: [...allowed] }))
  }, 'here')
  const failure = planning.failure ?? apply.failure ?? cancel.failure
  const isReady =
    plan !== undefined &&
    plan.refusals.length === 0 &&
    plan.changes.length > 0 &&
    scriptsOf(plan).every((script) => allowed.includes(script))
  const actions = run ? (
    <RunActions action={action} name={name} run={run} onCancel={() => cancel.run()} onClose={onClose} />
  ) : (
    <>
      <Button onClick={onClose}>{t('cancelRun')}</Button>
      <Button
        kind={action === 'remove' ? 'danger' : 'primary'}
        busy={apply.busy}
        disabled={!isReady || apply.blocked.disabled === true}
        onClick={() => apply.run()}
      >
        {t(verbs[action])}
      </Button>
    </>
  )
  return (
    <Dialog title={t(titles[action], { name })} onClose={onClose} actions={actions} sheet wide>
      <div aria-live="polite">
        {run ? <RunText run={run} /> : null}
        {plan || failure ? null : <p class="muted">{t('planning')}</p>}
      </div>
      {failure ? (
        <p class="bad" role="alert">
          {failure}
        </p>
      ) : null}
      {plan && !run ? (
        <PlanView
          plan={plan}
          allowed={allowed}
          onAllow={(script, isAllowed) =>
            setAllowed(isAllowed ? [...allowed, script] : allowed.filter((other) => other !== script))
          }
        />
      ) : null}
    </Dialog>
  )
}

const planOf = (action: PackageAction, name: string): Promise<PackagePlan> =>
  action === 'rollback' ? host().rpc('packages:rollback', {}) : host().rpc('packages:plan', { [action]: [name] })

/** Follows a run by events, and by asking where none comes. */
function useRun(onDone: () => void) {
  const [runId, setRunId] = useState<string>()
  const [run, setRun] = useState<PackageRun>()
  const take = (next: PackageRun): void => {
    if (next.runId !== runId || (run && hasEnded(run))) return
    setRun(next)
    if (hasEnded(next)) onDone()
  }
  useEvent<PackageRun>('packages:run', take)
  const ask = useReadAction(async () => {
    const { runs } = await host().rpc('packages:runs', { limit: 20 })
    const found = runs.find((one) => one.runId === runId)
    if (found) take(found)
  }, 'here')
  useEffect(() => {
    if (runId !== undefined) ask.run()
  }, [runId])
  useTimer(POLL_MS, () => {
    if (runId !== undefined && !(run && hasEnded(run))) ask.run()
  })
  const cancel = useAction(async () => {
    if (runId !== undefined) await host().rpc('packages:cancel', { runId })
  }, 'here')
  return { run, cancel, follow: (started: { readonly runId: string }) => setRunId(started.runId) }
}

function RunText({ run }: { readonly run: PackageRun }) {
  const failed = hasEnded(run) && run.state !== 'done'
  return (
    <>
      <p class={failed ? 'bad' : undefined}>{stateText(run)}</p>
      {run.message ? <p>{run.message}</p> : null}
      {run.state === 'fetching' ? (
        <progress value={run.done ?? 0} max={run.of ?? 1} aria-label={stateText(run)} />
      ) : null}
    </>
  )
}

interface RunActionsProps {
  readonly action: PackageAction
  readonly name: string
  readonly run: PackageRun
  readonly onCancel: () => void
  readonly onClose: () => void
}

function RunActions({ action, name, run, onCancel, onClose }: RunActionsProps) {
  const plugin = shortName(name)
  const page = `/plugins/${encodeURIComponent(plugin)}`
  const enable = useAction(async () => {
    await host().rpc('config:enable', { plugins: [plugin] })
    toast(t('enabled', { name: plugin }), 'ok')
    onClose()
    navigate(page)
  })
  if (canCancel(run)) return <Button onClick={onCancel}>{t('cancelRun')}</Button>
  const isNew = action === 'add' && run.state === 'done'
  return (
    <>
      <Button onClick={onClose}>{t('closeRun')}</Button>
      {isNew ? (
        <>
          <Button
            onClick={() => {
              onClose()
              navigate(page)
            }}
          >
            {t('openPlugin')}
          </Button>
          <Button kind="primary" busy={enable.busy} onClick={() => enable.run()} {...enable.blocked}>
            {t('enableDo')}
          </Button>
        </>
      ) : null}
    </>
  )
}
