// The top bar: where we are, the palette, the connection, how it looks.
import { useState } from 'preact/hooks'
import { t } from '../lib/i18n.js'
import { modifier } from '../lib/modifier.js'
import { openItem, useDocumentTitle } from '../lib/document-title.js'
import { useStore } from '../lib/use-store.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { ConnectionState } from './connection-state.js'
import { DisplayMenu } from './display-menu.js'
import { openOverlay } from './overlays.js'
import { Navigation, useHostLabel } from './rail.js'

export interface Crumb {
  readonly name: string
  readonly path?: string
}

/** `own` is the name of what the address itself leads to; a page that knows it by a better name says so. */
export interface TopBarProps {
  readonly crumbs: readonly Crumb[]
  readonly own?: string | undefined
}

export function TopBar({ crumbs, own }: TopBarProps) {
  const { label, colour } = useHostLabel()
  const last = useStore(openItem) ?? own
  const places: readonly Crumb[] = last === undefined ? crumbs : [...crumbs, { name: last }]
  useDocumentTitle(...places.map(({ name }) => name))
  const [sheet, setSheet] = useState(false)
  const closeOnLink = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('a')) setSheet(false)
  }
  return (
    <>
      <header
        class="bar"
        ref={(element) => {
          if (colour) element?.style.setProperty('--bar-stripe', colour)
          else element?.style.removeProperty('--bar-stripe')
        }}
      >
        <button type="button" class="icon-button only-narrow" aria-label={t('nav.open')} onClick={() => setSheet(true)}>
          <Icon name="menu" />
        </button>
        <ol class="crumbs">
          {[{ name: label, path: '/dashboard' }, ...places].map((crumb, index, all) => (
            <li key={index}>
              {crumb.path !== undefined && index < all.length - 1 ? (
                <a href={crumb.path}>{crumb.name}</a>
              ) : (
                <span title={crumb.name}>{crumb.name}</span>
              )}
            </li>
          ))}
        </ol>
        <button type="button" class="finder" aria-keyshortcuts="Control+K" onClick={() => openOverlay('palette')}>
          <Icon name="search" />
          <span>{t('palette.placeholder')}</span>
          <kbd>{modifier()} K</kbd>
        </button>
        <ConnectionState />
        {__DEMO__ ? null : (
          <button
            type="button"
            class="icon-button only-narrow"
            aria-label={t('host')}
            onClick={() => openOverlay('host')}
          >
            <Icon name="host" />
          </button>
        )}
        <DisplayMenu more={[{ label: t('shortcuts'), onSelect: () => openOverlay('shortcuts') }]} />
      </header>
      {sheet ? (
        <Dialog sheet title={label} onClose={() => setSheet(false)}>
          <div onClick={closeOnLink}>
            <Navigation />
          </div>
        </Dialog>
      ) : null}
    </>
  )
}
