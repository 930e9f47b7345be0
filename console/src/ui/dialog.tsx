// A modal dialog on the browser's own element: focus is held and given back, Escape closes the top one only.
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { focusedElement, returnFocus } from '../lib/focus.js'
import { t } from '../lib/i18n.js'
import { Icon } from './icon.js'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Buttons at the end. */
  readonly actions?: ComponentChildren
  /** From the bottom on narrow screens. */
  readonly sheet?: boolean
  /** Two columns wide, where there is room. */
  readonly wide?: boolean
}

export function Dialog({ title, onClose, children, actions, sheet, wide }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Before anything is painted: between the dialog and its opener the focus is nowhere else.
  useLayoutEffect(() => {
    const element = dialog.current
    const opener = focusedElement()
    element?.showModal()
    return () => {
      element?.close()
      // After the element is gone, and with it the focus that it held.
      queueMicrotask(() => returnFocus(opener))
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog${sheet ? ' sheet' : ''}${wide ? ' wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class="frame">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div class="body">{children}</div>
        {actions ? <footer>{actions}</footer> : null}
      </div>
    </dialog>
  )
}
