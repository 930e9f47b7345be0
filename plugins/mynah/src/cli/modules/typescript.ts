// TypeScript plugins without a build: by Node's own taking out of types where it has it, else by hooks of ours.
import * as nodeModule from 'node:module'
import { sourceFor } from './typescript-hooks.js'

type Next = (specifier: string, context: { readonly parentURL?: string }) => { readonly url: string }
interface SyncHooks {
  registerHooks?(hooks: {
    resolve(specifier: string, context: { readonly parentURL?: string }, next: Next): { readonly url: string }
  }): unknown
}

let enabled = false

/** Whether this Node takes types out by itself. */
export const stripsByItself = (): boolean => Boolean((process.features as { typescript?: unknown }).typescript)

/** Lets `import` take TypeScript from here on. Costs a thread on older Nodes, so it is not called before it is needed. */
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
