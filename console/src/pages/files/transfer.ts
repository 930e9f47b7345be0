import { host } from '../../app/host.js'
import { nameOf } from './model.js'

/** Reads a file of this machine as base64. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    // A data address is `data:<type>;base64,<text>`, and of an empty file `data:`.
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '')
    reader.onerror = () =>
      reject(new Error(`${nameOf(file instanceof File ? file.name : '')}: ${reader.error?.message}`))
    reader.readAsDataURL(file)
  })
}

/** Returns the bytes as a blob of exactly this type, whatever they are. */
export function blobOf(base64: string, type: string): Blob {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return new Blob([bytes], { type })
}

/** Saves a file of the host in the browser. Its type says nothing, so that no browser opens it on this origin. */
export async function downloadFile(path: string): Promise<void> {
  const { base64 } = await host().rpc('files:download', { filePath: path })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blobOf(base64, 'application/octet-stream'))
  link.download = nameOf(path)
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
