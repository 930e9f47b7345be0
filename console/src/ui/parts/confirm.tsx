import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../lib/i18n.js'
import { modifier } from '../../lib/modifier.js'
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
  /** Whether it saves, as `Ctrl S` then does, too. */
  readonly saves?: boolean
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
  saves = false,
}: ConfirmProps) {
  const cancel = useRef<HTMLSpanElement>(null)
  // Before the paint, or it would take the focus from a button that a quick person has reached meanwhile.
  useLayoutEffect(() => {
    cancel.current?.querySelector('button')?.focus()
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!saves || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    if (!busy && !disabled) onConfirm()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onKeyDown={onKeyDown}
      actions={
        <>
          <span ref={cancel}>
            <Button onClick={onClose}>{t('cancel')}</Button>
          </span>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled} onClick={onConfirm}>
            {action}
            {saves ? (
              <>
                {' '}
                <kbd class="on-accent">{modifier()} S</kbd>
              </>
            ) : null}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
