import { useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/event-stream.js'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { failureOf } from '../../lib/failure.js'
import { Button } from '../../ui/button.js'
import { Dialog } from '../../ui/dialog.js'
import { t } from './texts.js'

export function RestartDialog({ onClose }: { readonly onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const block = useWriteBlock()
  const restart = async (): Promise<void> => {
    setBusy(true)
    try {
      // The notice over all pages reports the restart.
      await host().rpc('system:restart')
    } catch (error) {
      toast(failureOf(error).text, 'err')
    } finally {
      onClose()
    }
  }
  return (
    <Dialog
      title={t('restart.question')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            kind="danger"
            busy={busy}
            disabled={block !== undefined}
            {...(block === undefined ? {} : { title: block })}
            onClick={() => void restart()}
          >
            {t('restart')}
          </Button>
        </>
      }
    >
      <p>{t('restartHow')}</p>
    </Dialog>
  )
}
