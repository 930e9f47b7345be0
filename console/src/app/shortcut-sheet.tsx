// The list of shortcuts, and the switch that turns the single keys off.
import { t } from '../lib/i18n.js'
import { modifier } from '../lib/modifier.js'
import { shortcutsOn } from '../lib/preferences.js'
import { useStore } from '../lib/use-store.js'
import { pages } from '../lib/pages.js'
import { Dialog } from '../ui/dialog.js'
import { Switch } from '../ui/field.js'
import type { OverlayProps } from './overlays.js'

export function ShortcutSheet({ onClose }: OverlayProps) {
  const on = useStore(shortcutsOn)
  const rows: readonly (readonly [readonly string[], string])[] = [
    [[modifier(), 'K'], t('shortcuts.palette')],
    [['?'], t('shortcuts.sheet')],
    [['r'], t('shortcuts.refresh')],
    [['/'], t('shortcuts.filter')],
    [['[', ']'], t('shortcuts.pages')],
    [['↑', '↓'], t('shortcuts.rows')],
    ...pages().flatMap((page) => (page.menu ? [[['g', page.menu.key], t('shortcuts.goto', { page: t(page.name) })] as const] : [])),
  ]
  return (
    <Dialog title={t('shortcuts')} onClose={onClose}>
      <Switch label={t('shortcuts.on')} on={on} onChange={(value) => shortcutsOn.set(value)} />
      <dl class="keys">
        {rows.map(([keys, meaning]) => <div key={meaning}><dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt><dd>{meaning}</dd></div>)}
      </dl>
    </Dialog>
  )
}
