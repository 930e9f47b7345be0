import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../lib/i18n.js'
import { Button } from '../button.js'
import { Dialog } from '../dialog.js'

export interface ConfirmProps {
  readonly title: string
  readonly children: ComponentChildren
  /** The action of the button, as a verb. */
  readonly action: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly danger?: boolean
  readonly busy?: boolean
  /** Why it cannot be done yet. */
  readonly disabled?: boolean
}

export function Confirm({
  title,
  children,
  action,
  onConfirm,
  onClose,
  danger,
  busy = false,
  disabled = false,
}: ConfirmProps) {
  const cancel = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    cancel.current?.querySelector('button')?.focus()
  }, [])
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <span ref={cancel}>
            <Button onClick={onClose}>{t('cancel')}</Button>
          </span>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
