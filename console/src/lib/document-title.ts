import { useEffect } from 'preact/hooks'
import { createStore } from './store.js'

/** Name of the item that is open on the page, such as a table, a file or a session. */
export const openItem = createStore<string | undefined>(undefined)

/** Sets the name of the open item, or undefined if none is open. */
export function useOpenItem(name: string | undefined): void {
  useEffect(() => {
    openItem.set(name || undefined)
    return () => openItem.set(undefined)
  }, [name])
}

/** Sets the title of the document, the innermost name first, because tabs cut off the end. */
export function useDocumentTitle(...names: readonly string[]): void {
  const title = [...names].reverse().concat('Mynah').join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
