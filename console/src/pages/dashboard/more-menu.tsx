import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useWriteBlock } from '../../app/event-stream.js'
import { toast } from '../../app/toasts.js'
import { failureOf } from '../../lib/failure.js'
import { Button } from '../../ui/button.js'
import { Dialog } from '../../ui/dialog.js'
import { Icon } from '../../ui/icon.js'
import { Menu } from '../../ui/menu.js'
import { t } from './texts.js'

const periods = [0, 10, 30, 60] as const
export type Period = (typeof periods)[number]

export interface MoreMenuProps {
  readonly period: Period
  readonly onPeriod: (period: Period) => void
}

export function MoreMenu({ period, onPeriod }: MoreMenuProps) {
  const [asking, setAsking] = useState(false)
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
      setBusy(false)
      setAsking(false)
    }
  }
  return (
    <>
      <Menu
        label={t('more')}
        items={[
          ...periods.map((value) => ({
            label: value === 0 ? t('timerOff') : t('timer', { seconds: value }),
            checked: value === period,
            onSelect: () => onPeriod(value),
          })),
          {
            label: t('restart'),
            danger: true,
            onSelect: () => (block === undefined ? setAsking(true) : toast(block, 'warn')),
          },
        ]}
      >
        <Icon name="more" />
      </Menu>
      {asking ? (
        <Dialog
          title={t('restart.question')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{t('cancel')}</Button>
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
      ) : null}
    </>
  )
}
