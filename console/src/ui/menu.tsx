import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface MenuItem {
  readonly label: string
  readonly onSelect: () => void
  /** One of several choices; ticked when true. */
  readonly checked?: boolean
  readonly danger?: boolean
}

export interface MenuProps {
  readonly label: string
  readonly children: ComponentChildren
  readonly items: readonly MenuItem[]
}

export function Menu({ label, children, items }: MenuProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)

  const choices = (): HTMLElement[] => [...(popover.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  // Items are in the document only while they are seen: each row of a list may have a menu.
  useLayoutEffect(() => {
    if (!open) return
    const box = button.current?.getBoundingClientRect()
    const element = popover.current
    if (!box || !element) return
    element.showPopover()
    const left = Math.max(8, Math.min(box.right - element.offsetWidth, innerWidth - element.offsetWidth - 8))
    const below = box.bottom + 4 + element.offsetHeight <= innerHeight
    element.style.left = `${left}px`
    element.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - 4 - element.offsetHeight)}px`
    choices()[0]?.focus()
  }, [open])
  const hide = (): void => {
    popover.current?.hidePopover()
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = choices()
    const index = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: all.length - 1 }[event.key]
    if (event.key === 'Tab') popover.current?.hidePopover()
    if (to === undefined) return
    event.preventDefault()
    all[(to + all.length) % all.length]?.focus()
  }

  return (
    <>
      <button
        type="button"
        class="icon-button"
        ref={button}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => (open ? hide() : setOpen(true))}
      >
        {children}
      </button>
      <div
        popover="auto"
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        ref={popover}
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          if (event.newState === 'closed') setOpen(false)
        }}
      >
        {open
          ? items.map((item) => (
              <button
                key={item.label}
                type="button"
                tabIndex={-1}
                role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
                aria-checked={item.checked}
                class={item.danger ? 'danger' : undefined}
                onClick={() => {
                  hide()
                  item.onSelect()
                }}
              >
                {item.label}
              </button>
            ))
          : null}
      </div>
    </>
  )
}
