// Giving text to the person: to the clipboard, or as a file.
import { toast } from '../app/toasts.js'
import { t } from '../lib/i18n.js'

/** Copies `text` and says so, in the words `said` where they are given. */
export function copyText(text: string, said?: string): void {
  navigator.clipboard.writeText(text).then(
    () => toast(said ?? t('copied'), 'ok'),
    () => toast(t('copy.refused'), 'err'),
  )
}

/** Saves `text` as a file of the browser. */
export function download(name: string, type: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
