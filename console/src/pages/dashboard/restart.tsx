// Restarting the host, asked for twice.
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useWriteBlock } from '../../app/live.js'
import { toast } from '../../app/toasts.js'
import { failureOf } from '../../lib/failure.js'
import { t } from '../../lib/i18n.js'
import { Button, Dialog } from '../../ui/index.js'

export function RestartButton() {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const block = useWriteBlock()
  const restart = async (): Promise<void> => {
    setBusy(true)
    try {
      const { message } = await host().rpc('system:restart')
      toast(message, 'info')
    } catch (error) {
      toast(failureOf(error).text, 'err')
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }
  return (
    <>
      <Button kind="danger" disabled={block !== undefined} {...(block === undefined ? {} : { title: block })} onClick={() => setAsking(true)}>{t('restart')}</Button>
      {asking
        ? <Dialog title={t('restart.question')} onClose={() => setAsking(false)} actions={<>
            <Button onClick={() => setAsking(false)}>{t('cancel')}</Button>
            <Button kind="danger" busy={busy} onClick={() => void restart()}>{t('restart')}</Button>
          </>}><p>{t('restart.text')}</p></Dialog>
        : null}
    </>
  )
}
