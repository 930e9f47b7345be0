import { t } from './texts.js'
import type { SessionRow } from './wire.js'

/** Offers sessions whose keys are like one that was not found. */
export function Near({
  sessionKey,
  rows = [],
  onOpen,
}: {
  readonly sessionKey: string
  readonly rows: readonly SessionRow[] | undefined
  readonly onOpen: (key: string) => void
}) {
  const words = sessionKey
    .toLowerCase()
    .split(/[|/%]+/)
    .filter((word) => word.length > 2)
  const near = rows.filter((row) => words.some((word) => row.sessionKey.toLowerCase().includes(word))).slice(0, 5)
  if (near.length === 0) return null
  return (
    <div>
      <h3>{t('near')}</h3>
      <ul>
        {near.map((row) => (
          <li key={row.sessionKey}>
            <button type="button" class="linkish" onClick={() => onOpen(row.sessionKey)}>
              <code>{row.sessionKey}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
