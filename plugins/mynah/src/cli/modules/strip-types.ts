import { createRequire } from 'node:module'

/** Thrown by the library, which does not throw errors. Columns count from 0. */
interface Refusal {
  readonly code?: string
  readonly message?: string
  readonly snippet?: string
  readonly startLine?: number
  readonly startColumn?: number
}
type Transform = (
  source: string,
  options: { mode: 'strip-only'; filename: string; module: boolean },
) => { readonly code: string }

let transform: Transform | undefined

/**
 * Removes the types from TypeScript without moving any line or column.
 *
 * @throws SyntaxError whose stack starts with the location, as those of Node do
 */
export function stripTypes(source: string, url: string): string {
  // A CommonJS module of 4 MB, loaded on first use.
  transform ??= (createRequire(import.meta.url)('@swc/wasm-typescript') as { transformSync: Transform }).transformSync
  try {
    return transform(source, { mode: 'strip-only', filename: url, module: true }).code
  } catch (thrown) {
    const { code, message, startLine, startColumn } = thrown as Refusal
    if (message === undefined || startLine === undefined || startColumn === undefined) throw thrown
    const error = new SyntaxError(message)
    const line = source.split(/\r?\n/, startLine).at(-1) ?? ''
    error.stack = `${url}:${startLine}\n${line}\n${' '.repeat(startColumn)}^\n\n${error.stack ?? message}`
    throw Object.assign(error, {
      code: code === 'UnsupportedSyntax' ? 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' : 'ERR_INVALID_TYPESCRIPT_SYNTAX',
    })
  }
}
