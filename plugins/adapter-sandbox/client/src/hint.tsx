// The line below the composer.
import type { Translate } from './texts.js'

interface HintProps {
  readonly id: string
  readonly t: Translate
  readonly error: string | undefined
  readonly live: boolean
  readonly json: boolean
}

/** Says why nothing was sent, or that no answers can come. Otherwise it names the keys. */
export function Hint({ id, t, error, live, json }: HintProps) {
  if (error)
    return (
      <p className="sb-hint error" id={id} role="alert">
        {error}
      </p>
    )
  if (!live)
    return (
      <p className="sb-hint" id={id}>
        {t('notLive')}
      </p>
    )
  return (
    <p className="sb-hint keys" id={id}>
      {(json ? JSON_KEYS : KEYS).map(([key, does]) => (
        <span key={key}>
          <kbd>{key}</kbd> {t(does)}
        </span>
      ))}
    </p>
  )
}

const KEYS = [
  ['Enter', 'keySends'],
  ['Shift Enter', 'keyNewLine'],
  ['↑', 'keyRecalls'],
] as const
const JSON_KEYS = [['Ctrl Enter', 'keySends']] as const
