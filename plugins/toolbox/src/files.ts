import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Type } from '@mynah/contract/type'
import { defineTool, toolResult, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import { namesSecret } from '@mynah/plugin-exec-security/api'
import { MAX_BYTES, MAX_LINES } from './results.js'
import { readLines, shownLine } from './text-file.js'
import { ignoreMissing, PathRefused, type WorkspacePath, type Workspace } from './workspace.js'

/** Lines that are checked for binary content. */
const BINARY_CHECK_LINES = 50
const MAX_WRITE = 1_000_000
const MAX_EDIT = 4_000_000
const MAX_IMAGE = 5_000_000
const IMAGES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
}
const MAX_ENTRIES = 1_000

const Path = Type.String({ minLength: 1, maxLength: 1_024, description: 'Path below the working folder' })
/** The parts that the tools work with. */
interface FileParts {
  readonly workspace: (call: Pick<ToolCall, 'origin'>) => Workspace
  readonly roles: (tool: 'read_file' | 'write_file' | 'edit_file' | 'list_files') => {
    readonly requiredAnyRole?: readonly string[]
  }
}

const notFound = (shown: string): Error => new PathRefused(`There is no ${shown}`)

/** Reads a page of lines, with the place of what follows: the next line, or the rest of a long one. */
async function readPage(
  target: WorkspacePath,
  workspace: Workspace,
  offset: number,
  limit: number,
  column?: number,
): Promise<string> {
  const file = await workspace.open(target)
  if (!file) throw notFound(target.shown)
  const kept: string[] = []
  let at = 0
  let bytes = 0
  let more = false
  let notes: string[] = []
  try {
    const part = column === undefined ? undefined : { line: offset, column }
    const read = await readLines(file, part)
    notes = read.notes
    for await (const line of read.lines) {
      at++
      if (at < BINARY_CHECK_LINES && line.text.includes('\0')) throw new PathRefused(`${target.shown} is no text`)
      if (at < offset) continue
      const shown = shownLine(line, { line: at, column: at === offset ? (column ?? 1) : 1 })
      bytes += Buffer.byteLength(shown) + 1
      if (kept.length === limit || bytes > MAX_BYTES) {
        more = true
        break
      }
      kept.push(shown)
    }
  } finally {
    await file.close()
  }
  if (kept.length === 0) return at === 0 ? `${target.shown} is empty` : `${target.shown} has ${at} lines`
  if (more) notes.push(`[Lines ${offset} to ${offset + kept.length - 1}; go on with offset ${offset + kept.length}]`)
  return [...kept, ...notes].join('\n')
}

/** Creates the tools for files of the working folder. */
export function fileTools(parts: FileParts): Tool[] {
  return [readTool(parts), writeTool(parts), editTool(parts), listTool(parts)]
}

const readTool = ({ workspace, roles }: FileParts): Tool =>
  defineTool({
    name: 'read_file',
    description:
      'Reads a text file of the working folder in pages, or shows a picture. Also reads what people sent, below data/media/inbound.',
    effect: 'read',
    ...roles('read_file'),
    keywords: ['file', 'open', 'cat', 'view', '文件', '读取'],
    parameters: Type.Object({
      path: Path,
      offset: Type.Optional(Type.Integer({ minimum: 1, description: 'First line, from 1' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LINES, description: 'Lines' })),
      column: Type.Optional(
        Type.Integer({ minimum: 1, description: 'First character of the first line, to read the rest of a long line' }),
      ),
    }),
    async run({ path, offset = 1, limit = MAX_LINES, column }, call) {
      const target = workspace(call).resolve(path)
      const mediaType = IMAGES[extname(target.path).toLowerCase()]
      if (mediaType === undefined) return readPage(target, workspace(call), offset, limit, column)
      const file = await workspace(call).open(target)
      if (!file) throw notFound(target.shown)
      try {
        const { size } = await file.stat()
        if (size > MAX_IMAGE) return `${target.shown} is a picture of ${size} bytes, too large to be shown`
        return toolResult([
          { type: 'text', text: target.shown },
          { type: 'image', data: (await file.readFile()).toString('base64'), mediaType },
        ])
      } finally {
        await file.close()
      }
    },
  })

const writeTool = ({ workspace, roles }: FileParts): Tool =>
  defineTool({
    name: 'write_file',
    description:
      'Writes a file of the working folder, whole. Missing folders are created, an existing file is replaced.',
    effect: 'repeatable',
    ...roles('write_file'),
    keywords: ['file', 'save', 'create', '文件', '保存', '写入'],
    parameters: Type.Object({ path: Path, content: Type.String({ maxLength: MAX_WRITE }) }),
    async run({ path, content }, call) {
      const target = workspace(call).resolve(path, { write: true })
      await workspace(call).write(target, content)
      return `${target.shown} written: ${Buffer.byteLength(content)} bytes`
    },
  })

const editTool = ({ workspace, roles }: FileParts): Tool =>
  defineTool({
    name: 'edit_file',
    description:
      'Replaces a text in a file of the working folder. The old text must stand there exactly once, unless all are meant.',
    effect: 'once',
    ...roles('edit_file'),
    keywords: ['file', 'change', 'replace', '文件', '修改'],
    parameters: Type.Object({
      path: Path,
      old: Type.String({ minLength: 1, maxLength: MAX_WRITE }),
      new: Type.String({ maxLength: MAX_WRITE }),
      all: Type.Optional(Type.Boolean()),
    }),
    async run({ path, old, new: text, all = false }, call) {
      const target = workspace(call).resolve(path, { write: true })
      const file = await workspace(call).open(target)
      if (!file) throw notFound(target.shown)
      let content: string
      try {
        if ((await file.stat()).size > MAX_EDIT) throw new PathRefused(`${target.shown} is too large to be edited`)
        content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.readFile())
      } catch (error) {
        throw error instanceof TypeError ? new PathRefused(`${target.shown} is no text in UTF-8`) : error
      } finally {
        await file.close()
      }
      const pieces = content.split(old)
      const count = pieces.length - 1
      if (count === 0) throw new PathRefused(`The old text does not occur in ${target.shown}; read it again`)
      if (count > 1 && !all)
        throw new PathRefused(
          `The old text occurs ${count} times in ${target.shown}; give more of what surrounds it, or all: true`,
        )
      if (content.length + count * (text.length - old.length) > MAX_EDIT)
        throw new PathRefused(`${target.shown} would become too large`)
      await workspace(call).write(target, pieces.join(text))
      return `${target.shown} changed${count > 1 ? ` in ${count} places` : ''}`
    },
  })

const listTool = ({ workspace, roles }: FileParts): Tool =>
  defineTool({
    name: 'list_files',
    description: 'Lists files and folders of the working folder.',
    effect: 'read',
    ...roles('list_files'),
    keywords: ['file', 'folder', 'directory', 'ls', '文件', '目录'],
    parameters: Type.Object({
      path: Type.Optional(Path),
      depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Folders deep; default 1' })),
    }),
    async run({ path = '.', depth = 1 }, call) {
      const target = workspace(call).resolve(path)
      const lines: string[] = []
      for await (const entry of listTree(workspace(call), target, depth)) {
        if (lines.length === MAX_ENTRIES) {
          lines.push(`[more than ${MAX_ENTRIES}: list a folder of it]`)
          break
        }
        lines.push(entry.folder ? `${entry.shown}/` : entry.shown)
      }
      return lines.join('\n') || 'There is nothing.'
    },
  })

/** A file or folder found below a path. */
export interface TreeEntry extends WorkspacePath {
  readonly folder: boolean
}

/** Files and folders below a target, by name, without links, secrets and what is hidden in `.git` or `node_modules`. */
export async function* listTree(workspace: Workspace, target: WorkspacePath, depth: number): AsyncGenerator<TreeEntry> {
  const entries = await workspace.list(target, (folder) =>
    readdir(folder, { withFileTypes: true }).catch(ignoreMissing),
  )
  if (!entries) {
    if (target.shown === '.') return
    throw notFound(target.shown)
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const shown = target.shown === '.' ? entry.name : `${target.shown}/${entry.name}`
    if ((!entry.isDirectory() && !entry.isFile()) || namesSecret(shown)) continue
    const found = { path: join(target.path, entry.name), shown, folder: entry.isDirectory() }
    yield found
    if (
      found.folder &&
      depth > 1 &&
      entry.name !== '.git' &&
      entry.name !== 'node_modules' &&
      entry.name !== '.results'
    )
      yield* listTree(workspace, found, depth - 1)
  }
}

/** Reads a text file. Returns `undefined` when it is large or binary. */
export async function readSmallText(
  workspace: Workspace,
  target: WorkspacePath,
  maxBytes: number,
): Promise<string | undefined> {
  const file = await workspace.open(target)
  if (!file) return undefined
  try {
    if ((await file.stat()).size > maxBytes) return undefined
    const bytes = await file.readFile()
    return bytes.includes(0) ? undefined : bytes.toString('utf8')
  } finally {
    await file.close()
  }
}
