// Loads the own files of a plugin once more: each generation of its code has a query in the address of its modules.
import * as nodeModule from 'node:module'
import { inGeneration } from './generation-hooks.js'

interface Context {
  readonly parentURL?: string
  readonly conditions?: readonly string[]
}
interface Resolved {
  readonly url: string
}
interface SyncHooks {
  registerHooks?(hooks: {
    resolve(specifier: string, context: Context, next: (specifier: string, context: Context) => Resolved): Resolved
  }): unknown
}

let enabled = false

/** Passes the generation of a module on to what it imports. Starts a thread on older versions of Node. */
export function enableGenerations(): void {
  if (enabled) return
  enabled = true
  const { registerHooks } = nodeModule as SyncHooks
  if (registerHooks)
    registerHooks({ resolve: (specifier, context, next) => inGeneration(specifier, context, next(specifier, context)) })
  else nodeModule.register('./generation-hooks.js', import.meta.url)
}
