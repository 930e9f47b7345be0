// Keyboard shortcuts of the shell and of whatever list is shown.
import { Keys } from '../lib/keys.js'
import { shortcutsOn } from '../lib/preferences.js'
import { resources } from '../lib/resources.js'
import { navigate } from '../lib/router.js'
import { pages } from '../pages/registry.js'
import { openOverlay } from './overlay.js'

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
  previous: click('main .pager button[title="["]'),
  next: click('main .pager button[title="]"]'),
  ...Object.fromEntries(pages.flatMap((page) => (page.menu ? [[`go:${page.menu.key}`, () => navigate(page.path)]] : []))),
}

export function startShortcuts(): () => void {
  const keys = new Keys()
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target
    const typing = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select, [role=menu] *'))
    const modal = document.querySelector('dialog[open]') !== null
    const press = { key: event.key, ctrl: event.ctrlKey, meta: event.metaKey, alt: event.altKey }
    const meaning = keys.read(press, { typing: typing || modal, enabled: shortcutsOn.get(), now: event.timeStamp })
    if (meaning === undefined || meaning === 'prefix' || (modal && meaning.action !== 'palette')) return
    const action = actions[meaning.action]
    if (!action) return
    event.preventDefault()
    if (!modal) action()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
