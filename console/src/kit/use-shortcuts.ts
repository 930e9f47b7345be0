import { useLayoutEffect, useRef } from 'preact/hooks'
import { isHandledByTarget } from '../lib/shortcut-keys.js'
import { shortcutsOn } from '../lib/preferences.js'

type Keys = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

/** Binds keys by `event.key`. `Ctrl+s` means Control or Command, and works inside fields, too. */
export function useShortcuts(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  // Before the page is painted: a key pressed as soon as the page is seen counts.
  useLayoutEffect(() => {
    let prefix = Number.NEGATIVE_INFINITY
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return
      const control = event.ctrlKey || event.metaKey
      const run = latest.current[control ? `Ctrl+${event.key.toLowerCase()}` : event.key]
      const typing = isHandledByTarget(event.target, event.key)
      // The second key of a pair belongs to the shell.
      if (event.key === 'g' && !control && !typing) prefix = event.timeStamp
      else if (event.timeStamp - prefix < 1500) {
        prefix = Number.NEGATIVE_INFINITY
        return
      }
      if (!run || (!control && (typing || !shortcutsOn.get()))) return
      event.preventDefault()
      run(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
