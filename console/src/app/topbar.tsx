// The top bar: where we are, the palette, the connection, how it looks.
import { useState } from 'preact/hooks'
import { currentLocale, setLocale, t } from '../lib/i18n.js'
import { theme, type Theme } from '../lib/preferences.js'
import { useStore } from '../lib/use-store.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { Menu } from '../ui/menu.js'
import { ConnectionState } from './connection-state.js'
import { openHostDialog } from './host-dialog.js'
import { openPalette } from './palette.js'
import { Navigation, useHostLabel } from './rail.js'
import { openShortcuts } from './shortcut-sheet.js'

export interface Crumb { readonly name: string; readonly path?: string }

const themes: readonly Theme[] = ['system', 'light', 'dark']

export function DisplayMenu({ signedIn }: { readonly signedIn: boolean }) {
  const current = useStore(theme)
  const locale = currentLocale()
  return (
    <Menu label={t('display')} items={[
      ...themes.map((choice) => ({ label: t(`theme.${choice}`), checked: choice === current, onSelect: () => theme.set(choice) })),
      { label: 'English', checked: locale === 'en', onSelect: () => void setLocale('en') },
      { label: '简体中文', checked: locale === 'zh-CN', onSelect: () => void setLocale('zh-CN') },
      ...(signedIn ? [{ label: t('shortcuts'), onSelect: openShortcuts }] : []),
    ]}><Icon name="display" /></Menu>
  )
}

export function TopBar({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  const { label, colour } = useHostLabel()
  const [sheet, setSheet] = useState(false)
  const closeOnLink = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('a')) setSheet(false)
  }
  return (
    <header class="bar" ref={(element) => { if (colour) element?.style.setProperty('--bar-stripe', colour); else element?.style.removeProperty('--bar-stripe') }}>
      <button type="button" class="icon-button only-narrow" aria-label={t('nav.open')} onClick={() => setSheet(true)}><Icon name="menu" /></button>
      <ol class="crumbs">
        {[{ name: label, path: '/dashboard' }, ...crumbs].map((crumb, index, all) => (
          <li key={index}>{crumb.path !== undefined && index < all.length - 1 ? <a href={crumb.path}>{crumb.name}</a> : crumb.name}</li>
        ))}
      </ol>
      <button type="button" class="finder" aria-label={t('palette.placeholder')} onClick={openPalette}><Icon name="search" /><span>{t('palette.placeholder')}</span><kbd>Ctrl K</kbd></button>
      <ConnectionState />
      <button type="button" class="icon-button only-narrow" aria-label={t('host')} onClick={openHostDialog}><Icon name="host" /></button>
      <DisplayMenu signedIn />
      {sheet ? <Dialog sheet title={label} onClose={() => setSheet(false)}><div onClick={closeOnLink}><Navigation /></div></Dialog> : null}
    </header>
  )
}
