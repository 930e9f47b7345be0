import type { KeyRow } from '../../kit/page-keys.js'
import { shortcutsOn } from '../../lib/preferences.js'
import { useStore } from '../../lib/use-store.js'

export function KeysHint({ keys }: { readonly keys: readonly KeyRow[] }) {
  if (!useStore(shortcutsOn)) return null
  return (
    <p class="keys-hint" aria-hidden="true">
      {keys.map(([names, meaning]) => (
        <span key={meaning}>
          {names.split(' ').map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}{' '}
          {meaning}
        </span>
      ))}
    </p>
  )
}
