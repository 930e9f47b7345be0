// Single keys of a page; they rest inside fields, menus and dialogs, and when single keys are switched off.
import { useEffect, useRef } from 'preact/hooks'
import { isHandledByTarget } from '../lib/shortcut-keys.js'
import { shortcutsOn } from '../lib/preferences.js'

type Keys = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

/** Names are those of `event.key`; `Ctrl+s` stands for the key with Control or Command, which works inside fields too. */
export function useShortcuts(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
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
