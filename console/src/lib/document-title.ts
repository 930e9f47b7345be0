// Where one is, as the bar and the title of the document say it.
import { useEffect } from 'preact/hooks'
import { createStore } from './store.js'

/** What is open on the page, by name: a table, a file, a session. The last part of where one is. */
export const openItem = createStore<string | undefined>(undefined)

/** Names what is open on this page; nothing, or an empty name, when only the page itself is. */
export function useOpenItem(name: string | undefined): void {
  useEffect(() => {
    openItem.set(name || undefined)
    return () => openItem.set(undefined)
  }, [name])
}

/** The title of the document: what is nearest first, since tabs cut the end off. */
export function useDocumentTitle(...names: readonly string[]): void {
  const title = [...names].reverse().concat('Mynah').join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
