import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
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
  readonly onKeyDown?: (event: KeyboardEvent) => void
}

export function Dialog({ title, onClose, children, actions, sheet, wide, onKeyDown }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Typed text is lost with the dialog: the first try to leave it asks.
  const typed = useRef(false)
  const [asking, setAsking] = useState(false)
  const leave = (): void => (typed.current && !asking ? setAsking(true) : onClose())
  // Before the paint, so that the focus moves directly from the opener.
  useLayoutEffect(() => {
    const element = dialog.current
    const opener = focusedElement()
    element?.showModal()
    return () => {
      element?.close()
      // After the element, which held the focus, is removed.
      queueMicrotask(() => returnFocus(opener))
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog${sheet ? ' sheet' : ''}${wide ? ' wide' : ''}`}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onInput={(event) => {
        typed.current = (event.target as HTMLInputElement).value !== ''
        setAsking(false)
      }}
      onClick={(event) => {
        if (event.target === dialog.current) leave()
      }}
    >
      <div class="frame">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label={t('close')} onClick={leave}>
            <Icon name="close" />
          </button>
        </header>
        <div class="body">{children}</div>
        {asking ? (
          <p class="ask" role="alert">
            {t('close.ask')}
          </p>
        ) : null}
        {actions ? <footer>{actions}</footer> : null}
      </div>
    </dialog>
  )
}
