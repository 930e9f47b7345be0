import type { MarketplaceDetail, PackageRun } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { joinList } from '../../kit/join-list.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { Button, FailureNotice } from '../../ui/index.js'
import { stateText, type PackageAction } from './package-runs.js'
import { PlanDialog } from './plan-dialog.js'
import { t } from './texts.js'

interface Runs {
  readonly runs: readonly PackageRun[]
  readonly rollback: boolean
}

/** Returns whether this host installs packages itself, or `undefined` while that is not known. */
export function useInstalls(): boolean | undefined {
  const { known, has } = useCatalogue()
  return known ? has('packages:plan') : undefined
}

/** Returns the last run, and whether it can be rolled back. */
export const useRuns = (): Resource<Runs> =>
  useResource<Runs>('packages:runs', (signal) => host().rpc('packages:runs', { limit: 1 }, { signal }))

interface InstallerProps {
  readonly data: MarketplaceDetail
  readonly onDone: () => void
}

/** The buttons that install, update, remove and roll back, and the last change. */
export function Installer({ data: { name, version, installed }, onDone }: InstallerProps) {
  const [action, setAction] = useState<PackageAction>()
  const known = useRuns()
  const last = known.data?.runs[0]
  const done = (): void => {
    known.reload()
    onDone()
  }
  return (
    <>
      <div class="row">
        {installed === undefined ? (
          <Button kind="primary" onClick={() => setAction('add')}>
            {t('installDo')}
          </Button>
        ) : null}
        {installed !== undefined && installed !== version ? (
          <Button kind="primary" onClick={() => setAction('update')}>
            {t('updateDo')}
          </Button>
        ) : null}
        {installed === undefined ? null : <Button onClick={() => setAction('remove')}>{t('removeDo')}</Button>}
        {known.data?.rollback ? <Button onClick={() => setAction('rollback')}>{t('rollBackDo')}</Button> : null}
      </div>
      {known.failure && known.data === undefined ? (
        <FailureNotice failure={known.failure} onRetry={known.reload} />
      ) : null}
      {last ? <p class="muted">{t('lastRun', { packages: joinList(last.packages), state: stateText(last) })}</p> : null}
      {action ? <PlanDialog action={action} name={name} onClose={() => setAction(undefined)} onDone={done} /> : null}
    </>
  )
}
