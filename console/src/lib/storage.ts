// The storages of the browser, which may be full or disabled. Values then last as long as the page.

/** `tab` ends with the tab, `browser` does not end. */
export type Keeping = 'tab' | 'browser'

const storageOf = (keeping: Keeping): Storage => (keeping === 'tab' ? sessionStorage : localStorage)

export function readStored(key: string, keeping: Keeping = 'browser'): string | null {
  try {
    return storageOf(keeping).getItem(key)
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}

export function writeStored(key: string, value: string, keeping: Keeping = 'browser'): void {
  try {
    storageOf(keeping).setItem(key, value)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
