import { useEffect, useId } from 'preact/hooks'
import { setUnsaved } from '../lib/unsaved.js'

/** Asks before the page is closed or reloaded while something is `dirty`. */
export function useLeaveGuard(dirty: boolean): void {
  const id = useId()
  useEffect(() => {
    setUnsaved(id, dirty)
    return () => setUnsaved(id, false)
  }, [id, dirty])
}
