// The command palette: one field, one list.
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { t } from '../lib/i18n.js'
import { search } from '../lib/search.js'
import { commands } from './commands.js'
import type { OverlayProps } from './overlay.js'
import { useNavigation } from './use-navigation.js'

export function Palette({ onClose }: OverlayProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const groups = useNavigation()
  const all = useMemo(() => commands(groups), [groups])
  const found = useMemo(() => search(all, query, (command) => `${command.name} ${command.kind}`), [all, query])
  const current = Math.min(active, Math.max(0, found.length - 1))

  useEffect(() => {
    dialog.current?.showModal()
    return () => dialog.current?.close()
  }, [])
  useEffect(() => { list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }) }, [current, query])

  const close = (): void => {
    dialog.current?.close()
    onClose()
  }
  const run = (index: number): void => {
    const command = found[index]
    if (!command) return
    close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1 }[event.key]
    if (to !== undefined && found.length > 0) {
      event.preventDefault()
      setActive((to + found.length) % found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(current)
    }
  }
  return (
    <dialog class="palette" ref={dialog} aria-label={t('palette.label')} onCancel={(event) => { event.preventDefault(); close() }} onClick={(event) => { if (event.target === dialog.current) close() }}>
      <input type="text" role="combobox" aria-label={t('palette.placeholder')} placeholder={t('palette.placeholder')} aria-expanded={found.length > 0} aria-controls={id} aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        autocomplete="off" spellcheck={false} value={query} onInput={(event) => { setQuery(event.currentTarget.value); setActive(0) }} onKeyDown={onKeyDown} />
      {found.length === 0 ? <p role="status">{t('palette.none', { query })}</p> : null}
      <div role="listbox" id={id} aria-label={t('palette.label')} ref={list} hidden={found.length === 0}>
        {found.map((command, index) => (
          <div key={command.id} role="option" id={`${id}-${index}`} aria-selected={index === current} onClick={() => run(index)} onPointerMove={() => setActive(index)}>
            {command.name}<small>{command.kind}</small>
          </div>
        ))}
      </div>
    </dialog>
  )
}
