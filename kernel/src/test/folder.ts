// A folder of files for one test.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const made: string[] = []

/** Makes a folder with these files and returns its path. */
export async function folder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'mynah-config-'))
  made.push(path)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), content)
  }
  return path
}

/** Removes all of them. */
export async function removeFolders(): Promise<void> {
  await Promise.all(made.splice(0).map((path) => rm(path, { recursive: true, force: true })))
}

/** Returns the source of a plugin that claims one section with the given properties. */
export function pluginSource(name: string, properties: object = {}, more = ''): string {
  const config = { key: name, schema: { type: 'object', properties, additionalProperties: false } }
  const setup = "setup(ctx) { globalThis[Symbol.for('mynah.test.seen')]?.push([ctx.name, ctx.config]) }"
  const definition = `{ name: ${JSON.stringify(name)}, config: ${JSON.stringify(config)}, ${more} ${setup} }`
  return `export default ${definition}\n`
}
