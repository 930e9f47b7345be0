// Pages of a list that the host cuts at an id: where a page begins stands in the address, the way back in this browser.
import { useRef } from 'preact/hooks'
import { Button } from '../button.js'
import { t } from './texts.js'

export interface CursorPagerProps {
  /** Where the page that is shown begins; empty on the first one. */
  readonly before: string
  /** Where the next one begins, if there is one and this page has come. */
  readonly next: string | undefined
  readonly onBefore: (before: string) => void
}

export function CursorPager({ before, next, onBefore }: CursorPagerProps) {
  // Where the pages before this one begin; who comes by an address knows only the first.
  const trail = useRef<readonly string[]>([])
  const toOlder = (): void => {
    if (next === undefined) return
    trail.current = [...trail.current, before]
    onBefore(next)
  }
  const toNewer = (): void => {
    if (before === '') return
    const to = trail.current.at(-1) ?? ''
    trail.current = trail.current.slice(0, -1)
    onBefore(to)
  }
  if (before === '' && next === undefined) return null
  return (
    <nav class="pager" aria-label={t('pager.label')}>
      <Button
        kind="quiet"
        disabled={before === ''}
        onClick={() => {
          trail.current = []
          onBefore('')
        }}
      >
        {t('newest')}
      </Button>
      <Button kind="quiet" hotkey="[" disabled={before === ''} onClick={toNewer}>
        {t('newer')}
      </Button>
      <Button kind="quiet" hotkey="]" disabled={next === undefined} onClick={toOlder}>
        {t('older')}
      </Button>
    </nav>
  )
}
