import { useEffect, useState } from 'preact/hooks'
import { t } from '../lib/i18n.js'
import { Icon } from './icon.js'

const ICONS = { idle: 'copy', done: 'check', refused: 'close' } as const

/** Copies `text`; the tick stays for a moment. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 1500)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (): void => {
    void Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setState('done'),
      () => setState('refused'),
    )
  }
  return (
    <button
      type="button"
      class="icon-button copy"
      aria-label={label}
      title={state === 'refused' ? t('copy.refused') : label}
      onClick={copy}
    >
      <Icon name={ICONS[state]} />
    </button>
  )
}

/** Shows a block of source that scrolls on its own. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <Copy text={text} label={t('copy')} />
    </div>
  )
}
