import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { focusedElement, returnFocus } from '../lib/focus.js'
import { modifier } from '../lib/modifier.js'
import { recentCommands, rememberCommand } from '../lib/recent-commands.js'
import { search } from '../lib/search.js'
import { Icon } from '../ui/icon.js'
import { t } from './palette-texts.js'
import { commands, type Command, type CommandGroup } from './commands.js'
import { takeBufferedKeys, type OverlayProps } from './overlays.js'
import { useHostItems } from './host-items.js'
import { useNavigation } from './use-navigation.js'
import type { RefObject } from 'preact'

type Heading = CommandGroup | 'recent'
/** Items are sorted by score within their group. Hosts have many items, so only the best are shown. */
const MOST: Readonly<Record<CommandGroup, number>> = { pages: 40, things: 12, commands: 40 }

/** Returns the commands for a query. Without one: recent commands, then pages and commands. */
function listed(
  all: readonly Command[],
  query: string,
): readonly { readonly heading: Heading; readonly items: readonly Command[] }[] {
  const group = (id: CommandGroup, items: readonly Command[]) => ({
    heading: id,
    items: items.filter((item) => item.group === id).slice(0, MOST[id]),
  })
  if (query.trim() === '') {
    const recent = recentCommands().flatMap((id) => all.filter((command) => command.id === id))
    return [
      { heading: 'recent', items: recent },
      group(
        'pages',
        all.filter((item) => !recent.includes(item)),
      ),
      group(
        'commands',
        all.filter((item) => !recent.includes(item)),
      ),
    ]
  }
  const found = search(all, query, (command) => `${command.name} ${command.kind}`)
  return [group('pages', found), group('things', found), group('commands', found)]
}

export function Palette({ onClose }: OverlayProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [ahead] = useState(takeBufferedKeys)
  const [query, setQuery] = useState(ahead.text)
  const [active, setActive] = useState(0)
  const groups = useNavigation()
  const things = useHostItems()
  const all = useMemo(() => [...commands(groups), ...things], [groups, things.length])
  const sections = useMemo(() => listed(all, query).filter(({ items }) => items.length > 0), [all, query])
  const found = sections.flatMap(({ items }) => items)
  const current = Math.min(active, Math.max(0, found.length - 1))

  useModal(dialog)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, query])

  const close = (): void => {
    dialog.current?.close()
    onClose()
  }
  const run = (command: Command | undefined, inNewTab = false): void => {
    if (!command) return
    rememberCommand(command.id)
    if (inNewTab && command.path !== undefined) return void open(command.path, '_blank', 'noopener')
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
      run(found[current], event.ctrlKey || event.metaKey)
    }
  }
  useEffect(() => {
    if (ahead.entered) run(found[0])
  }, [])
  return (
    <dialog
      class="palette"
      ref={dialog}
      aria-label={t('label')}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      <QueryField
        found={found}
        id={id}
        current={current}
        query={query}
        onQuery={setQuery}
        onActive={setActive}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 ? <p role="status">{t('none', { query })}</p> : null}
      <CommandList
        id={id}
        list={list}
        found={found}
        sections={sections}
        current={current}
        onRun={run}
        onActive={setActive}
        query={query}
      />
      <KeysFooter />
    </dialog>
  )
}

interface CommandListProps {
  readonly id: string
  readonly list: RefObject<HTMLDivElement | null>
  readonly found: readonly Command[]
  readonly sections: { readonly heading: Heading; readonly items: readonly Command[] }[]
  readonly current: number
  readonly onRun: (command: Command, inNewTab: boolean) => void
  readonly onActive: (index: number) => void
  readonly query: string
}

function CommandList({ id, list, found, sections, current, onRun, onActive, query }: CommandListProps) {
  return (
    <div role="listbox" id={id} aria-label={t('label')} ref={list} hidden={found.length === 0}>
      {sections.map(({ heading, items }) => (
        <div key={heading} role="group" aria-labelledby={`${id}-${heading}`}>
          <div class="head" role="presentation" id={`${id}-${heading}`}>
            {t(`group.${heading}`)}
          </div>
          {items.map((command) => {
            const at = found.indexOf(command)
            return (
              <Option
                key={command.id}
                command={command}
                id={id}
                at={at}
                current={current}
                onRun={onRun}
                onActive={onActive}
                query={query}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

function useModal(dialog: RefObject<HTMLDialogElement | null>) {
  useLayoutEffect(() => {
    const opener = focusedElement()
    dialog.current?.showModal()
    return () => {
      dialog.current?.close()
      queueMicrotask(() => returnFocus(opener))
    }
  }, [])
}

interface QueryFieldProps {
  readonly found: readonly Command[]
  readonly id: string
  readonly current: number
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly onActive: (index: number) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function QueryField({ found, id, current, query, onQuery, onActive, onKeyDown }: QueryFieldProps) {
  return (
    <div class="query">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label={t('palette.placeholder')}
        placeholder={t('palette.placeholder')}
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => {
          onQuery(event.currentTarget.value)
          onActive(0)
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

interface OptionProps {
  readonly command: Command
  readonly id: string
  readonly at: number
  readonly current: number
  readonly onRun: (command: Command, inNewTab: boolean) => void
  readonly onActive: (index: number) => void
  readonly query: string
}

function Option({ command, id, at, current, onRun, onActive, query }: OptionProps) {
  return (
    <div
      role="option"
      id={`${id}-${at}`}
      aria-selected={at === current}
      onClick={(event) => onRun(command, event.ctrlKey || event.metaKey)}
      onPointerMove={() => onActive(at)}
    >
      <span class={command.mono ? 'mono' : undefined}>
        <Marked text={command.name} query={query} />
      </span>
      {command.kind ? <small>{command.kind}</small> : null}
      {command.alert ? <small class="alert">{command.alert}</small> : null}
      {command.keys ? (
        <span class="hint">
          {command.keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      ) : null}
    </div>
  )
}

function KeysFooter() {
  return (
    <footer aria-hidden="true">
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> {t('keys.choose')}
      </span>
      <span>
        <kbd>↵</kbd> {t('keys.open')}
      </span>
      <span>
        <kbd>{modifier()}</kbd>
        <kbd>↵</kbd> {t('keys.beside')}
      </span>
      <span class="grow" />
      <span>
        <kbd>Esc</kbd> {t('keys.close')}
      </span>
    </footer>
  )
}

/** Highlights the first match of the first query word. */
function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  const word = query.trim().split(/\s+/)[0]?.toLowerCase() ?? ''
  const at = word === '' ? -1 : text.toLowerCase().indexOf(word)
  return at < 0 ? (
    <>{text}</>
  ) : (
    <>
      {text.slice(0, at)}
      <b>{text.slice(at, at + word.length)}</b>
      {text.slice(at + word.length)}
    </>
  )
}
