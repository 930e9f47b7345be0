// Imports plugins: TypeScript too, and a failure is told with file, line, column and what to do.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { KernelError, messageOf, toError } from '@mynah/kernel'
import type { ImportModule } from '@mynah/kernel/loader'
import { ownFiles } from './own-files.js'
import { describePlace, placeAtHead, placeInStack, quotedLine, type CodePlace } from './places.js'
import { enableTypeScript, stripsByItself } from './typescript.js'

const CHECK_PATIENCE_MS = 10_000
const isTypeScript = (url: string): boolean => /\.[cm]?ts$/.test(url)
const isInstalled = (url: string): boolean => url.includes('/node_modules/')

/** How plugins of the configuration in `root` are imported. */
export function pluginImporter(root: string): ImportModule {
  return async (url) => {
    if (!isInstalled(url) && (await reachesTypeScript(url))) enableTypeScript()
    try {
      return (await import(url)) as Record<string, unknown>
    } catch (error) {
      throw await explained(error, url, root)
    }
  }
}

/** Whether a plugin is or imports TypeScript. Newer Nodes need no preparation for the second. */
async function reachesTypeScript(url: string): Promise<boolean> {
  return isTypeScript(url) || (!stripsByItself() && (await ownFiles(url)).some(isTypeScript))
}

/** What to do about failures that many meet. */
function remedyFor({
  code,
  name,
  message,
}: {
  readonly code?: unknown
  readonly name: string
  readonly message: string
}): string | undefined {
  // An older Node knows no more than that it does not know the ending.
  switch (
    code === 'ERR_UNKNOWN_FILE_EXTENSION' && message.includes('node_modules')
      ? 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING'
      : code
  ) {
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return 'only types can be taken out; write it without enum, namespace, parameter properties and decorators, or compile it with tsc'
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return 'an installed package must hold JavaScript: build it before it is packed'
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return 'a plugin is a .js, .mjs, .ts or .mts file'
    case 'ERR_MODULE_NOT_FOUND':
      return message.startsWith('Cannot find package')
        ? 'install it beside the configuration file'
        : 'mend the path; imports name files with their ending'
  }
  if (name === 'ReferenceError' && /^(?:module|exports|require|__dirname|__filename) is not defined/.test(message))
    return 'this is CommonJS; a plugin is an ES module: write "import" and "export default"'
  if (
    name === 'SyntaxError' &&
    /^(?:Unexpected token 'export'|Cannot use import statement outside a module)/.test(message)
  )
    return 'Node takes this file for CommonJS: put "type": "module" into the package.json beside it, or name it .mjs'
  if (name === 'SyntaxError' && message.includes('does not provide an export named'))
    return 'mend the name, or import it as "import type" where it is only a type'
  return undefined
}

/** A failed import as the reason that people read: one line, whatever was thrown. */
async function explained(thrown: unknown, url: string, root: string): Promise<Error> {
  const error = toError(thrown)
  if (error instanceof KernelError) return error
  // The parser of TypeScript goes on to list all that it would have taken.
  const said = (messageOf(error).split('\n', 1)[0] as string).split('. Expected ', 1)[0] as string
  const mistake =
    error.name === 'SyntaxError' && !isInstalled(url) && !(error as { code?: unknown }).code
      ? await syntaxError(url)
      : undefined
  const place = mistake?.place ?? placeAtHead(error.stack) ?? placeInStack(error.stack, root)
  const remedy = mistake
    ? undefined
    : remedyFor({ code: (error as { code?: unknown }).code, name: error.name, message: said })
  const message = `${place ? `${describePlace(place, root)}: ` : ''}${mistake?.said ?? said}${place ? quotedLine(place) : ''}${remedy ? ` (${remedy})` : ''}`
  return new Error(message, { cause: error })
}

/**
 * Where the module at `url`, or one that it imports, has a mistake. Node does not say so when it loads a module: its check
 * of syntax does, one file at a time, and runs nothing.
 */
async function syntaxError(url: string): Promise<{ readonly place: CodePlace; readonly said: string } | undefined> {
  for (const found of await ownFiles(url)) {
    if (!/\.m?js$/.test(found)) continue
    const file = fileURLToPath(found)
    const complaint = await checkOf(await readFile(file, 'utf8'))
    const place = placeAtHead(complaint)
    const said = /^SyntaxError: (.{1,500})$/m.exec(complaint)?.[1]
    if (place && said) return { place: { ...place, file }, said }
  }
  return undefined
}

/** What Node says of the text as an ES module, whatever the package.json beside it says. */
function checkOf(source: string): Promise<string> {
  return new Promise((done) => {
    const check = execFile(
      process.execPath,
      ['--check', '--input-type=module', '-'],
      { timeout: CHECK_PATIENCE_MS },
      (_, __, complaint) => done(complaint),
    )
    // It may have seen enough before it has read everything.
    check.stdin?.on('error', () => {}).end(source)
  })
}
