import type { PluginDetail } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { Button, FailureNotice } from '../../ui/index.js'
import { useRuns } from '../marketplace/installer.js'
import { packageIn } from '../marketplace/package-runs.js'
import { PlanDialog } from '../marketplace/plan-dialog.js'
import { t } from './texts.js'

interface RollBackProps {
  readonly plugin: PluginDetail
}

/** Offers the packages of before where the host installs packages itself. */
export function RollBack({ plugin }: RollBackProps) {
  return useCatalogue().has('packages:rollback') ? <Offer plugin={plugin} /> : null
}

/** Only the last change can be rolled back, so it is offered where that was one of this plugin. */
function Offer({ plugin: { name, filePath } }: RollBackProps) {
  const [isOpen, setOpen] = useState(false)
  const { data, failure, reload } = useRuns()
  if (failure && data === undefined) return <FailureNotice failure={failure} onRetry={reload} />
  const [last] = data?.runs ?? []
  const changed = filePath === undefined || last === undefined ? undefined : packageIn(last, filePath)
  if (!data?.rollback || changed === undefined) return null
  return (
    <>
      <p class="row">
        <span class="muted">{t('changedLast', { name: changed })}</span>
        <Button onClick={() => setOpen(true)}>{t('rollBack')}</Button>
      </p>
      {isOpen ? <PlanDialog action="rollback" name={name} onClose={() => setOpen(false)} onDone={reload} /> : null}
    </>
  )
}
