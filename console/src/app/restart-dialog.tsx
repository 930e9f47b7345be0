import { useState } from 'preact/hooks'
import { failureOf } from '../lib/failure.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { useWriteBlock } from './event-stream.js'
import { host } from './host.js'
import { t } from './restart-texts.js'
import { toast } from './toasts.js'

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
      <p>{t('how')}</p>
    </Dialog>
  )
}
