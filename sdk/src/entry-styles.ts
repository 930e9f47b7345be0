import { reportAsUncaught } from './report-as-uncaught.js'

/**
 * Links style sheets of the host's own origin to the page. `loaded` resolves when each has loaded or failed, so that no
 * page is shown without its styles. `remove` unlinks them. Does nothing without a document.
 */
export function linkStyles(
  hrefs: readonly string[],
  origin: string,
): { readonly loaded: Promise<void>; readonly remove: () => void } {
  if (typeof document === 'undefined') return { loaded: Promise.resolve(), remove: () => undefined }
  const own = hrefs.filter((href) => URL.canParse(href) && new URL(href).origin === new URL(origin).origin)
  const links = own.map((href) => Object.assign(document.createElement('link'), { rel: 'stylesheet', href }))
  const each = links.map(
    (link) =>
      new Promise<void>((resolve) => {
        link.onload = () => resolve()
        link.onerror = () => {
          reportAsUncaught(new Error(`The style sheet ${new URL(link.href).pathname} could not be loaded`))
          resolve()
        }
      }),
  )
  document.head.append(...links)
  return {
    loaded: Promise.all(each).then(() => undefined),
    remove: () => {
      for (const link of links) link.remove()
    },
  }
}
