import { t } from '../lib/i18n.js'
import { modifier } from '../lib/modifier.js'
import { openItem, useDocumentTitle } from '../lib/document-title.js'
import { useStore } from '../lib/use-store.js'
import { Icon } from '../ui/icon.js'
import { ConnectionState } from './connection-state.js'
import { DisplayMenu } from './display-menu.js'
import { openOverlay } from './overlays.js'
import { useHostLabel } from './rail.js'

export interface Crumb {
  readonly name: string
  readonly path?: string
}

/** `own` is the item named in the address. A page can replace it with a better name. */
export interface TopBarProps {
  readonly crumbs: readonly Crumb[]
  readonly own?: string | undefined
}

export function TopBar({ crumbs, own }: TopBarProps) {
  const { label, colour } = useHostLabel()
  const last = useStore(openItem) ?? own
  const places: readonly Crumb[] = last === undefined ? crumbs : [...crumbs, { name: last }]
  useDocumentTitle(...places.map(({ name }) => name))
  return (
    <>
      <header
        class="bar"
        ref={(element) => {
          if (colour) element?.style.setProperty('--bar-stripe', colour)
          else element?.style.removeProperty('--bar-stripe')
        }}
      >
        <button
          type="button"
          class="icon-button only-narrow"
          aria-label={t('nav.open')}
          onClick={() => openOverlay('pages')}
        >
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
    </>
  )
}
