import { setImmediate } from 'node:timers/promises'
import { Type } from '@mynah/contract/type'
import { defineTool, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import { readSmallText, listTree } from './files.js'
import { PathRefused, type Workspace } from './workspace.js'

const MAX_FILE = 2_000_000
const MAX_FILES = 5_000
const MAX_MATCHES = 200
const MAX_LINE = 300
const MAX_DEPTH = 20
/** The longest part of a line that is looked at. */
const MAX_SEARCHED = 10_000
/** States of a pattern: the time that a line takes grows with them. */
const MAX_STATES = 200
/** After so many characters, other work of the host goes on. */
const AT_ONCE = 50_000

/** Returns a test of lines for a text, or for a pattern of RE2, which runs in linear time. */
async function matcherOf(text: string, pattern: boolean): Promise<(line: string) => boolean> {
  if (!pattern) {
    const wanted = text.toLowerCase()
    return (line) => line.toLowerCase().includes(wanted)
  }
  const compiled = await compile(text)
  if (compiled.programSize() > MAX_STATES) throw new PathRefused('The pattern repeats too much; search for less')
  return (line) => compiled.matcher(line).find()
}

async function compile(text: string) {
  const { RE2JS } = await import('re2js')
  try {
    return RE2JS.compile(text)
  } catch {
    throw new PathRefused('The pattern cannot be understood; it must be one of RE2')
  }
}

/** Returns whether a name matches a pattern with `*` wildcards. */
function matchesName(name: string, pattern: string): boolean {
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

/** Creates the tool that searches the files of the working folder. */
export function searchFiles({
  workspace,
  requiredAnyRole,
}: {
  readonly workspace: (call: Pick<ToolCall, 'origin'>) => Workspace
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
    async run({ text, regex = false, path = '.', names }, call) {
      const { signal } = call
      const matches = await matcherOf(text, regex)
      const lines: string[] = []
      let files = 0
      let searched = 0
      for await (const found of listTree(workspace(call), workspace(call).resolve(path), MAX_DEPTH)) {
        signal.throwIfAborted()
        if (
          found.folder ||
          (names !== undefined && !matchesName(found.shown.slice(found.shown.lastIndexOf('/') + 1), names))
        )
          continue
        if (++files > MAX_FILES) {
          lines.push(`[more than ${MAX_FILES} files: search a folder]`)
          break
        }
        const content = await readSmallText(workspace(call), found, MAX_FILE).catch(skipRefused)
        for (const [index, line] of (content ?? '').split('\n').entries()) {
          const part = line.slice(0, MAX_SEARCHED)
          searched += part.length
          if (searched > AT_ONCE) {
            searched = 0
            await setImmediate(undefined, { signal })
          }
          if (!matches(part)) continue
          lines.push(`${found.shown}:${index + 1}: ${line.slice(0, MAX_LINE)}`)
          if (lines.length === MAX_MATCHES)
            return `${lines.join('\n')}\n[more than ${MAX_MATCHES}: search for something narrower]`
        }
      }
      return lines.join('\n') || 'Nothing was found.'
    },
  })
}

/** Skips files that may not be read. */
function skipRefused(error: unknown): undefined {
  if (error instanceof PathRefused) return undefined
  throw error
}
