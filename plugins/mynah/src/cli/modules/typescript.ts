// Loads TypeScript plugins without a build: by the type stripping of Node where available, otherwise by our own hooks.
import * as nodeModule from 'node:module'
import { sourceFor } from './typescript-hooks.js'

type Next = (specifier: string, context: { readonly parentURL?: string }) => { readonly url: string }
interface SyncHooks {
  registerHooks?(hooks: {
    resolve(specifier: string, context: { readonly parentURL?: string }, next: Next): { readonly url: string }
  }): unknown
}

let enabled = false

/** Returns whether this version of Node strips types itself. */
export const stripsByItself = (): boolean => Boolean((process.features as { typescript?: unknown }).typescript)

/** Enables TypeScript for `import`. Starts a thread on older versions of Node, so it is called only when needed. */
export function enableTypeScript(): void {
  if (enabled) return
  enabled = true
  const { registerHooks } = nodeModule as SyncHooks
  if (stripsByItself() && registerHooks)
    registerHooks({
      resolve: (specifier, context, next) => next(sourceFor(specifier, context.parentURL) ?? specifier, context),
    })
  else nodeModule.register('./typescript-hooks.js', import.meta.url)
}
