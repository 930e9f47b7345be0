// Bases of documents for tests, on a store of either system.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Database } from '@mynah/database-api'
import type { Logger, Ref } from '@mynah/kernel'
import type { Documents } from '@mynah/plugin-agent/api'
import type { Opened } from '@mynah/plugin-database/testing'
import { rootsOf } from '../folders.js'
import { Knowledge } from '../knowledge.js'
import { search, type Found } from '../search.js'
import { Chunks, Files } from '../tables.js'

/** Without the plugin agent, which reads documents that are no text. */
const NO_DOCUMENTS: Ref<Documents> = { current: undefined } as Ref<Documents>

/** Creates a folder for a test, with a function that removes it. */
export async function newFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'mynah-knowledge-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

/** Paths of each base, relative to a root. */
export type Bases = Readonly<Record<string, readonly string[]>>

/** Bases on a store, without a host. */
export class Rig {
  readonly knowledge: Knowledge
  readonly database: Database
  readonly changes: string[] = []
  readonly warnings: string[] = []

  private constructor(database: Database, bases: Bases, root: string, documents: Ref<Documents>) {
    this.database = database
    const warn = (line: string): void => void this.warnings.push(line)
    const log = { debug() {}, info() {}, warn, error: warn } as unknown as Logger
    this.knowledge = new Knowledge(
      Object.entries(bases).flatMap(([name, paths]) => rootsOf(name, paths, root)),
      { database, documents, log, now: () => 1_000, changed: (base) => void this.changes.push(base) },
    )
  }

  /** Starts, and waits until all documents that are there are read. */
  static async start(opened: Opened, bases: Bases, root: string, documents = NO_DOCUMENTS): Promise<Rig> {
    await opened.store.contribute([Files, Chunks])
    const rig = new Rig(opened.store, bases, root, documents)
    rig.knowledge.start()
    await rig.knowledge.idle()
    return rig
  }

  search(question: string, bases: readonly string[], limit = 6): Promise<Found[]> {
    return search(this.database, question, { bases, limit })
  }

  /** Returns the paths of what is found, each once, the best first. */
  async paths(question: string, ...bases: readonly string[]): Promise<string[]> {
    return [...new Set((await this.search(question, bases)).map(({ path }) => path))]
  }
}

/** Returns a PDF with a page for each text. */
export function pdf(texts: readonly string[]): Buffer {
  const kids = texts.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const pages = texts.flatMap((text, index) => {
    const content = `BT /F 12 Tf 72 700 Td (${text}) Tj ET`
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + index * 2} 0 R ` +
        '/Resources << /Font << /F 3 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]
  })
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages,
  ]
  // A reader finds the objects without a table of their places.
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n%%EOF`, 'latin1')
}
