// The tools for files of the working folder: read in pages, write, edit, list, search.
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Type } from '@mynah/contract/type'
import { writeFileAtomically } from '@mynah/kernel/files'
import { defineTool, toolResult, type Tool } from '@mynah/plugin-ai/api'
import { namesSecret } from '@mynah/plugin-exec-security/api'
import { MAX_BYTES, MAX_LINES } from './results.js'
import { missing, PathRefused, type Place, type Workspace } from './workspace.js'

const LINE = 2_000
/** Lines in which a file shows that it is no text. */
const SAMPLE = 50
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
const MOST_ENTRIES = 1_000

const Path = Type.String({ minLength: 1, maxLength: 1_024, description: 'Path below the working folder' })
interface Deps {
  readonly workspace: () => Workspace
  readonly roles: (tool: 'read_file' | 'write_file' | 'edit_file' | 'list_files') => {
    readonly requiredAnyRole?: readonly string[]
  }
}

const none = (shown: string): Error => new PathRefused(`There is no ${shown}`)

/** Lines of a stream, of a long one only the beginning: what has no line breaks is not held in memory. */
async function* linesOf(
  stream: AsyncIterable<unknown>,
): AsyncGenerator<{ readonly text: string; readonly left: number }> {
  let text = ''
  let left = 0
  let begun = false
  for await (const chunk of stream) {
    for (const [index, piece] of (chunk as string).split('\n').entries()) {
      if (index > 0) {
        yield { text: text.endsWith('\r') ? text.slice(0, -1) : text, left }
        text = ''
        left = 0
        begun = false
      }
      const room = Math.max(0, LINE - text.length)
      text += piece.slice(0, room)
      left += Math.max(0, piece.length - room)
      begun ||= piece !== ''
    }
  }
  if (begun) yield { text, left }
}

/** One page of a text: whole lines as far as they fit, and where to go on. */
async function page(place: Place, workspace: Workspace, offset: number, limit: number): Promise<string> {
  const file = await workspace.open(place)
  if (!file) throw none(place.shown)
  const kept: string[] = []
  let at = 0
  let bytes = 0
  let more = false
  const stream = file.createReadStream({ encoding: 'utf8', autoClose: false })
  try {
    for await (const { text, left } of linesOf(stream)) {
      at++
      if (at < SAMPLE && text.includes('\0')) throw new PathRefused(`${place.shown} is no text`)
      if (at < offset) continue
      const shown = left ? `${text} [… ${left} characters more]` : text
      bytes += Buffer.byteLength(shown) + 1
      if (kept.length === limit || bytes > MAX_BYTES) {
        more = true
        break
      }
      kept.push(shown)
    }
  } finally {
    stream.destroy()
    await file.close()
  }
  if (kept.length === 0) return at === 0 ? `${place.shown} is empty` : `${place.shown} has ${at} lines`
  return more
    ? `${kept.join('\n')}\n[Lines ${offset} to ${offset + kept.length - 1}; go on with offset ${offset + kept.length}]`
    : kept.join('\n')
}

export function fileTools({ workspace, roles }: Deps): Tool[] {
  return [
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
      }),
      async run({ path, offset = 1, limit = MAX_LINES }) {
        const place = workspace().place(path)
        const mediaType = IMAGES[extname(place.path).toLowerCase()]
        if (mediaType === undefined) return page(place, workspace(), offset, limit)
        const file = await workspace().open(place)
        if (!file) throw none(place.shown)
        try {
          const { size } = await file.stat()
          if (size > MAX_IMAGE) return `${place.shown} is a picture of ${size} bytes, too large to be shown`
          return toolResult([
            { type: 'text', text: place.shown },
            { type: 'image', data: (await file.readFile()).toString('base64'), mediaType },
          ])
        } finally {
          await file.close()
        }
      },
    }),
    defineTool({
      name: 'write_file',
      description: 'Writes a file of the working folder, whole; folders are made. What was there is replaced.',
      effect: 'repeatable',
      ...roles('write_file'),
      keywords: ['file', 'save', 'create', '文件', '保存', '写入'],
      parameters: Type.Object({ path: Path, content: Type.String({ maxLength: MAX_WRITE }) }),
      async run({ path, content }) {
        const place = workspace().place(path, { write: true })
        await workspace().folderOf(place)
        await writeFileAtomically(place.path, content)
        return `${place.shown} written: ${Buffer.byteLength(content)} bytes`
      },
    }),
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
      async run({ path, old, new: text, all = false }) {
        const place = workspace().place(path, { write: true })
        const file = await workspace().open(place)
        if (!file) throw none(place.shown)
        let content: string
        try {
          if ((await file.stat()).size > MAX_EDIT) throw new PathRefused(`${place.shown} is too large to be edited`)
          content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.readFile())
        } catch (error) {
          throw error instanceof TypeError ? new PathRefused(`${place.shown} is no text`) : error
        } finally {
          await file.close()
        }
        const pieces = content.split(old)
        const count = pieces.length - 1
        if (count === 0) throw new PathRefused(`The old text does not stand in ${place.shown}; read it again`)
        if (count > 1 && !all)
          throw new PathRefused(
            `The old text stands ${count} times in ${place.shown}; give more of what surrounds it, or all: true`,
          )
        await writeFileAtomically(place.path, pieces.join(text))
        return `${place.shown} changed${count > 1 ? ` in ${count} places` : ''}`
      },
    }),
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
      async run({ path = '.', depth = 1 }) {
        const place = workspace().place(path)
        const lines: string[] = []
        for await (const entry of walk(workspace(), place, depth)) {
          if (lines.length === MOST_ENTRIES) {
            lines.push(`[more than ${MOST_ENTRIES}: list a folder of it]`)
            break
          }
          lines.push(entry.folder ? `${entry.shown}/` : entry.shown)
        }
        return lines.join('\n') || 'There is nothing.'
      },
    }),
  ]
}

export interface Found extends Place {
  readonly folder: boolean
}

/** Files and folders below a place, by name, without links, secrets and what is hidden in `.git` or `node_modules`. */
export async function* walk(workspace: Workspace, place: Place, depth: number): AsyncGenerator<Found> {
  await workspace.check(place)
  const entries = await readdir(place.path, { withFileTypes: true }).catch(missing)
  if (!entries) {
    if (place.shown === '.') return
    throw none(place.shown)
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const shown = place.shown === '.' ? entry.name : `${place.shown}/${entry.name}`
    if ((!entry.isDirectory() && !entry.isFile()) || namesSecret(shown)) continue
    const found = { path: join(place.path, entry.name), shown, folder: entry.isDirectory() }
    yield found
    if (
      found.folder &&
      depth > 1 &&
      entry.name !== '.git' &&
      entry.name !== 'node_modules' &&
      entry.name !== '.results'
    )
      yield* walk(workspace, found, depth - 1)
  }
}

/** A small text file, or nothing where it is large or no text. */
export async function smallText(workspace: Workspace, place: Place, most: number): Promise<string | undefined> {
  const file = await workspace.open(place)
  if (!file) return undefined
  try {
    if ((await file.stat()).size > most) return undefined
    const bytes = await file.readFile()
    return bytes.includes(0) ? undefined : bytes.toString('utf8')
  } finally {
    await file.close()
  }
}
