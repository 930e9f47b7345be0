// Loads the implementation of `Web` on its first use.
import type { Web } from '../api/web.js'
import type { WebOptions } from './web.js'

/** Creates the service that fetches addresses. */
export function lazyWeb(options: WebOptions): Web {
  return {
    async fetch(url, request) {
      const { createWeb } = await import('./web.js')
      return createWeb(options).fetch(url, request)
    },
  }
}
