import { useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/event-stream.js'
import { LazyPage } from '../../app/lazy-page.js'
import { toast } from '../../app/toasts.js'
import { Icon } from '../../ui/icon.js'
import { Menu } from '../../ui/menu.js'
import { t } from './texts.js'

const loadRestart = () => import('../../app/restart-dialog.js').then((module) => module.RestartDialog)

const periods = [0, 10, 30, 60] as const
export type Period = (typeof periods)[number]

export interface MoreMenuProps {
  readonly period: Period
  readonly onPeriod: (period: Period) => void
}

export function MoreMenu({ period, onPeriod }: MoreMenuProps) {
  const [asking, setAsking] = useState(false)
  const block = useWriteBlock()
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
      {asking ? <LazyPage load={loadRestart} props={{ onClose: () => setAsking(false) }} /> : null}
    </>
  )
}
