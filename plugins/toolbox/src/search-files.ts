// The tool `search_files`: lines that hold a text, or fit a pattern of a linear-time engine, in the files of the working folder.
import { Type } from '@mynah/contract/type'
import { defineTool, type Tool } from '@mynah/plugin-ai/api'
import { smallText, walk } from './files.js'
import { PathRefused, type Workspace } from './workspace.js'

const MAX_FILE = 2_000_000
const MAX_FILES = 5_000
const MOST = 200
const LINE = 300
const DEPTH = 20

/** Whether a line fits, by text or by pattern. */
async function matcherOf(text: string, pattern: boolean): Promise<(line: string) => boolean> {
  if (!pattern) {
    const wanted = text.toLowerCase()
    return (line) => line.toLowerCase().includes(wanted)
  }
  const { RE2JS } = await import('re2js')
  try {
    const compiled = RE2JS.compile(text)
    return (line) => compiled.matcher(line).find()
  } catch {
    throw new PathRefused('The pattern cannot be understood; it must be one of RE2')
  }
}

/** Whether a name fits a pattern in which `*` stands for anything. */
export function fits(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const lower = name.toLowerCase()
  if (rest.length === 0) return lower === first
  if (!lower.startsWith(first)) return false
  const last = rest.pop() as string
  let at = first.length
  for (const part of rest) {
    const found = lower.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return lower.length - last.length >= at && lower.endsWith(last)
}

export function searchFiles({
  workspace,
  requiredAnyRole,
}: {
  readonly workspace: () => Workspace
  readonly requiredAnyRole?: readonly string[]
}): Tool {
  return defineTool({
    name: 'search_files',
    description: 'Finds lines in the files of the working folder that hold a text, or fit a regular expression.',
    effect: 'read',
    ...(requiredAnyRole ? { requiredAnyRole } : {}),
    keywords: ['grep', 'find', 'search', '搜索', '查找'],
    parameters: Type.Object({
      text: Type.String({ minLength: 1, maxLength: 500 }),
      regex: Type.Optional(Type.Boolean({ description: 'The text is a regular expression (RE2)' })),
      path: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024, description: 'Folder; default all' })),
      names: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Names of files, such as *.md' })),
    }),
    async run({ text, regex = false, path = '.', names }, { signal }) {
      const matches = await matcherOf(text, regex)
      const lines: string[] = []
      let files = 0
      for await (const found of walk(workspace(), workspace().place(path), DEPTH)) {
        signal.throwIfAborted()
        if (found.folder || (names !== undefined && !fits(found.shown.slice(found.shown.lastIndexOf('/') + 1), names)))
          continue
        if (++files > MAX_FILES) {
          lines.push(`[more than ${MAX_FILES} files: search a folder]`)
          break
        }
        const content = await smallText(workspace(), found, MAX_FILE).catch(skipRefused)
        for (const [index, line] of (content ?? '').split('\n').entries()) {
          if (!matches(line.slice(0, 10_000))) continue
          lines.push(`${found.shown}:${index + 1}: ${line.slice(0, LINE)}`)
          if (lines.length === MOST) return `${lines.join('\n')}\n[more than ${MOST}: search for something narrower]`
        }
      }
      return lines.join('\n') || 'Nothing was found.'
    },
  })
}

/** A file that may not be read is none that is searched. */
function skipRefused(error: unknown): undefined {
  if (error instanceof PathRefused) return undefined
  throw error
}
