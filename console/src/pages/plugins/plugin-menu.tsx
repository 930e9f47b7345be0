import type { PluginItem } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { Icon } from '../../ui/icon.js'
import { Menu, type MenuItem } from '../../ui/menu.js'
import { t } from './switch-texts.js'

const Enable = lazyPart(() => import('./enable.js').then((module) => module.Enable))
const SwitchOff = lazyPart(() => import('./switch-off.js').then((module) => module.SwitchOff))

type Switch = 'enable' | 'disable' | 'remove'

interface PluginMenuProps {
  readonly plugin: Pick<PluginItem, 'name' | 'state'>
  readonly label: string
  /** Items before those that switch the plugin. */
  readonly items: readonly MenuItem[]
}

/** A menu for one plugin, which enables it, disables it, and takes it out of the list. It may be empty. */
export function PluginMenu({ plugin: { name, state }, label, items }: PluginMenuProps) {
  const [asking, setAsking] = useState<Switch>()
  const { has } = useCatalogue()
  const switches: readonly Switch[] = [state === 'disabled' ? 'enable' : 'disable', 'remove']
  const own = switches
    .filter((how) => has(`config:${how}`))
    .map((how): MenuItem => ({ label: t(how), danger: how === 'remove', onSelect: () => setAsking(how) }))
  const onClose = (): void => setAsking(undefined)
  if (items.length + own.length === 0) return null
  return (
    <>
      <Menu label={label} items={[...items, ...own]}>
        <Icon name="more" />
      </Menu>
      {asking === 'enable' ? <Enable name={name} onClose={onClose} /> : null}
      {asking === 'disable' || asking === 'remove' ? <SwitchOff name={name} how={asking} onClose={onClose} /> : null}
    </>
  )
}
