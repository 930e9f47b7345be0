import { isElement, renderElement } from '../entries/shared-runtime.js'
import { t } from '../lib/i18n.js'
import { hosts, railCollapsed } from '../lib/preferences.js'
import { currentLocation } from '../lib/router.js'
import { useStore } from '../lib/use-store.js'
import { Icon, iconNames, type IconName } from '../ui/icon.js'
import { Boundary } from './boundary.js'
import { host } from './host.js'
import { isCurrent, type NavItem } from './nav.js'
import { openOverlay } from './overlays.js'
import { useNavigation } from './use-navigation.js'

/** Returns the label of the connected host. */
export function useHostLabel(): { label: string; colour: string | undefined } {
  const known = useStore(hosts).find((item) => item.base === host().base)
  return { label: known?.label ?? new URL(host().base).host, colour: known?.colour }
}

function Picture({ item: { icon, name } }: { readonly item: NavItem }) {
  const letter = [...name][0]
  if (typeof icon === 'string' && iconNames.includes(icon as IconName)) return <Icon name={icon as IconName} />
  return <>{isElement(icon) ? <Boundary fallback={() => letter}>{renderElement(icon)}</Boundary> : letter}</>
}

function ariaCurrent(itemPath: string, path: string): 'page' | 'true' | undefined {
  if (itemPath === path) return 'page'
  return isCurrent(itemPath, path) ? 'true' : undefined
}

function Item({ item, path }: { readonly item: NavItem; readonly path: string }) {
  const inside = (
    <>
      <span class="pic" aria-hidden="true">
        <Picture item={item} />
      </span>
      <span class="name">{item.name}</span>
      {item.count ? <small class={item.count.tone}>{item.count.text}</small> : null}
    </>
  )
  return (
    <li>
      {item.path === undefined ? (
        <span class="label">{inside}</span>
      ) : (
        <a href={item.path} title={item.name} aria-current={ariaCurrent(item.path, path)}>
          {inside}
        </a>
      )}
      {item.children.length > 0 ? (
        <ul>
          {item.children.map((child) => (
            <Item key={child.id} item={child} path={path} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

/** Shows the list of pages. */
export function Navigation() {
  const groups = useNavigation()
  const { path } = useStore(currentLocation)
  return (
    <nav class="nav" aria-label={t('nav.label')}>
      {groups.map((group) => (
        <div key={group.id}>
          <h2>{group.name}</h2>
          <ul>
            {group.items.map((item) => (
              <Item key={item.id} item={item} path={path} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

export function Rail() {
  const collapsed = useStore(railCollapsed)
  const { label } = useHostLabel()
  return (
    <div class="rail">
      <button
        type="button"
        class="brand"
        title={label}
        onClick={() => {
          if (!__DEMO__) openOverlay('host')
        }}
      >
        <i class="mark" aria-hidden="true">
          <i />
          <i />
          <i />
        </i>
        <span>{label}</span>
      </button>
      <Navigation />
      <div class="foot">
        <button
          type="button"
          class="icon-button"
          aria-label={t(collapsed ? 'nav.expand' : 'nav.collapse')}
          title={t(collapsed ? 'nav.expand' : 'nav.collapse')}
          onClick={() => railCollapsed.set(!collapsed)}
        >
          <Icon name={collapsed ? 'expand' : 'collapse'} />
        </button>
      </div>
    </div>
  )
}
