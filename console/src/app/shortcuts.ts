import { isHandledByTarget, Keys } from '../lib/shortcut-keys.js'
import { shortcutsOn } from '../lib/preferences.js'
import { resources } from '../lib/resources.js'
import { navigate } from '../lib/router.js'
import { pages } from '../lib/pages.js'
import { currentOverlay, bufferKey, openOverlay } from './overlays.js'

/** Loads again what the page shows. */
export function refreshPage(): void {
  resources.invalidate()
}

const click = (selector: string) => (): void => document.querySelector<HTMLElement>(selector)?.click()

const actions: Readonly<Record<string, () => void>> = {
  palette: () => openOverlay('palette'),
  sheet: () => openOverlay('shortcuts'),
  refresh: refreshPage,
  filter: () => document.querySelector<HTMLElement>('main input[type=search]')?.focus(),
  previous: click('main .pager button[aria-keyshortcuts="["]'),
  next: click('main .pager button[aria-keyshortcuts="]"]'),
}

/** Returns the action of `g` and the key of a page. */
function goTo(action: string): (() => void) | undefined {
  const page = pages().find(({ menu }) => menu !== undefined && action === `go:${menu.key}`)
  return page && (() => navigate(page.path))
}

/**
 * Returns the list that the arrow key enters from the heading, the page or a filter. Inside it the list handles its
 * own keys.
 */
function intoList(target: EventTarget | null): HTMLElement | null {
  const outside =
    target === document.body ||
    (target instanceof HTMLElement && target.matches('main, main h1, main input[type=search]'))
  return outside
    ? document.querySelector<HTMLElement>('main tbody tr[tabindex="0"], main [data-rows] [tabindex="0"]')
    : null
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey

/** Moves the focus into the list on the arrow key, and returns whether it did. */
function enterList(event: KeyboardEvent): boolean {
  if (event.key !== 'ArrowDown' || event.defaultPrevented || event.shiftKey || hasModifier(event)) return false
  const row = intoList(event.target)
  if (!row) return false
  event.preventDefault()
  row.focus()
  return true
}

export function startShortcuts(): () => void {
  const keys = new Keys()
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target
    const typing = isHandledByTarget(target, event.key)
    const modal = document.querySelector('dialog[open]') !== null
    if (!modal && currentOverlay.get() !== undefined && !hasModifier(event)) {
      event.preventDefault()
      bufferKey(event.key)
      return
    }
    if (!modal && enterList(event)) return
    const press = { key: event.key, ctrl: event.ctrlKey, meta: event.metaKey, alt: event.altKey }
    const meaning = keys.read(press, { typing: typing || modal, enabled: shortcutsOn.get(), now: event.timeStamp })
    if (meaning === undefined || meaning === 'prefix' || (modal && meaning.action !== 'palette')) return
    const action = actions[meaning.action] ?? goTo(meaning.action)
    if (!action) return
    event.preventDefault()
    if (!modal) action()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
