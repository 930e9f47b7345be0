import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { KernelError, messageOf, toError } from '@mynah/kernel'
import { generationUrl, type ImportModule } from '@mynah/kernel/loader'
import { ownFiles } from './own-files.js'
import { formatLocation, locationAtHead, locationInStack, quotedLine, type CodeLocation } from './code-location.js'
import { enableGenerations } from './generations.js'
import { enableTypeScript, stripsByItself } from './typescript.js'

const CHECK_TIMEOUT_MS = 10_000
const isTypeScript = (url: string): boolean => /\.[cm]?ts$/.test(url)
/** Whether a module belongs to an installed package. */
export const isInstalled = (url: string): boolean => url.includes('/node_modules/')

/** A module that cannot be loaded, with the place of the mistake where it is known. */
export class CodeError extends Error {
  readonly location: CodeLocation | undefined

  constructor(message: string, cause: Error, location: CodeLocation | undefined) {
    super(message, { cause })
    this.location = location
  }
}

/** Returns an importer for JavaScript and TypeScript plugins. Errors name file, line, column and a hint. */
export function pluginImporter(root: string): ImportModule {
  return async (url, generation) => {
    if (generation !== undefined) enableGenerations()
    if (!isInstalled(url) && (await reachesTypeScript(url))) enableTypeScript()
    try {
      return (await import(generationUrl(url, generation))) as Record<string, unknown>
    } catch (error) {
      throw await explainImportError(error, url, root)
    }
  }
}

/** Returns whether a plugin is or imports TypeScript. Newer versions of Node handle imported TypeScript themselves. */
async function reachesTypeScript(url: string): Promise<boolean> {
  return isTypeScript(url) || (!stripsByItself() && (await ownFiles(url)).some(isTypeScript))
}

/** Returns a hint for common errors. */
function hintFor({
  code,
  name,
  message,
}: {
  readonly code?: unknown
  readonly name: string
  readonly message: string
}): string | undefined {
  // Older versions of Node only report an unknown extension.
  switch (
    code === 'ERR_UNKNOWN_FILE_EXTENSION' && message.includes('node_modules')
      ? 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING'
      : code
  ) {
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return (
        'only types can be removed; write it without enum, namespace, parameter properties and decorators, ' +
        'or compile it with tsc'
      )
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return 'an installed package must contain JavaScript: build it before it is packed'
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return 'a plugin is a .js, .mjs, .ts or .mts file'
    case 'ERR_MODULE_NOT_FOUND':
      return message.startsWith('Cannot find package')
        ? 'install it next to the configuration file'
        : 'fix the path; imports name files with their extension'
  }
  if (name === 'ReferenceError' && /^(?:module|exports|require|__dirname|__filename) is not defined/.test(message))
    return 'this is CommonJS; a plugin is an ES module: write "import" and "export default"'
  if (
    name === 'SyntaxError' &&
    /^(?:Unexpected token 'export'|Cannot use import statement outside a module)/.test(message)
  )
    return 'Node treats this file as CommonJS: add "type": "module" to the package.json next to it, or name it .mjs'
  if (name === 'SyntaxError' && message.includes('does not provide an export named'))
    return 'fix the name, or use "import type" if it is only a type'
  return undefined
}

/** Converts the error of a failed import into one line for people. */
async function explainImportError(thrown: unknown, url: string, root: string): Promise<Error> {
  const error = toError(thrown)
  if (error instanceof KernelError) return error
  // The parser of TypeScript also lists everything that it expected.
  const said = (messageOf(error).split('\n', 1)[0] as string).split('. Expected ', 1)[0] as string
  const mistake =
    error.name === 'SyntaxError' && !isInstalled(url) && !(error as { code?: unknown }).code
      ? await syntaxError(url)
      : undefined
  const place = mistake?.place ?? locationAtHead(error.stack) ?? locationInStack(error.stack, root)
  const remedy = mistake
    ? undefined
    : hintFor({ code: (error as { code?: unknown }).code, name: error.name, message: said })
  const message = [
    place ? `${formatLocation(place, root)}: ` : '',
    mistake?.said ?? said,
    place ? quotedLine(place) : '',
    remedy ? ` (${remedy})` : '',
  ]
  return new CodeError(message.join(''), error, place)
}

/**
 * Finds the syntax error in the module at `url` or one of its imports. Node does not report the location when it loads
 * a
 * module, but its syntax check does, one file at a time and without running it.
 */
async function syntaxError(url: string): Promise<{ readonly place: CodeLocation; readonly said: string } | undefined> {
  for (const found of await ownFiles(url)) {
    if (!/\.m?js$/.test(found)) continue
    const file = fileURLToPath(found)
    const complaint = await checkOf(await readFile(file, 'utf8'))
    const place = locationAtHead(complaint)
    const said = /^SyntaxError: (.{1,500})$/m.exec(complaint)?.[1]
    if (place && said) return { place: { ...place, file }, said }
  }
  return undefined
}

/** Returns the output of the syntax check of Node for the text as an ES module. */
function checkOf(source: string): Promise<string> {
  return new Promise((done) => {
    const check = execFile(
      process.execPath,
      ['--check', '--input-type=module', '-'],
      { timeout: CHECK_TIMEOUT_MS },
      (_, __, complaint) => done(complaint),
    )
    // The check may end before it has read everything.
    check.stdin?.on('error', () => {}).end(source)
  })
}
