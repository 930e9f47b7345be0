import { useEffect, useRef } from 'preact/hooks'
import { t } from '../lib/i18n.js'
import { createStore } from '../lib/store.js'
import { useStore } from '../lib/use-store.js'
import { Icon } from '../ui/icon.js'

export type ToastTone = 'info' | 'ok' | 'warn' | 'err'

interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: ToastTone
  readonly count: number
}

const toasts = createStore<readonly Toast[]>([])
let last = 0
/** Time to notice a message and to read a short one. */
const SHOWN_MS = 5000
/** Time to read one character of a longer message. */
const CHARACTER_MS = 80
const MOST = 4

/** Shows a message. The same text again only increases its count. */
export function toast(text: string, tone: ToastTone = 'info'): void {
  const same = toasts.get().find((item) => item.text === text && item.tone === tone)
  last += 1
  const id = last
  const others = toasts.get().filter((item) => item !== same)
  toasts.set([...others, { id, text, tone, count: (same?.count ?? 0) + 1 }].slice(-MOST))
  if (tone !== 'err') setTimeout(() => dismiss(id), Math.max(SHOWN_MS, text.length * CHARACTER_MS))
}

const dismiss = (id: number): void => toasts.set(toasts.get().filter((item) => item.id !== id))

/** Keeps messages above controls at the lower edge (`data-dock`). */
function dockHeight(): number {
  const tops = Array.from(document.querySelectorAll('[data-dock]'), (dock) => dock.getBoundingClientRect().top).filter(
    (top) => top > innerHeight / 2,
  )
  return tops.length > 0 ? innerHeight - Math.min(...tops) : 0
}

export function Toasts() {
  const items = useStore(toasts)
  const region = useRef<HTMLDivElement>(null)
  const any = items.length > 0
  // A popover is above modal dialogs, so that failures are visible there, too.
  useEffect(() => {
    if (any) region.current?.showPopover()
    else region.current?.hidePopover()
  }, [any])
  // A page change can move the lower edge.
  useEffect(() => {
    if (!any) return
    let frame = 0
    const place = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => region.current?.style.setProperty('--above', `${dockHeight()}px`))
    }
    place()
    const observer = new MutationObserver(place)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }, [any])
  return (
    <div class="toasts" popover="manual" ref={region} role="region" aria-label={t('toasts')} aria-live="polite">
      {items.map((item) => (
        <div key={item.id} class={`toast ${item.tone}`} role={item.tone === 'err' ? 'alert' : undefined}>
          <p>
            {item.text}
            {item.count > 1 ? ` (${item.count})` : ''}
          </p>
          <button type="button" class="icon-button" aria-label={t('dismiss')} onClick={() => dismiss(item.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
