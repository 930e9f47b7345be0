// A project of a plugin with the packages of this repository, as its author has it.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

/** A manifest that meets all rules. */
export const PLUGIN_MANIFEST = {
  name: 'mynah-plugin-dice',
  version: '1.0.0',
  type: 'module',
  license: 'MIT',
  repository: 'https://git.test/dice',
  keywords: ['mynah-plugin', 'game'],
  exports: './index.js',
  files: ['index.js'],
  peerDependencies: { mynah: '>=0.1.0 <1' },
}

export const PLUGIN_SOURCE = `import { commands, defineCommand, definePlugin, Type } from 'mynah'
export default definePlugin({
  name: 'dice',
  config: { key: 'dice', schema: Type.Object({ sides: Type.Integer({ default: 6 }) }, { default: {} }) },
  setup(ctx) {
    ctx.contribute(commands, defineCommand({ name: 'roll', description: 'Rolls', run: () => String(ctx.config.sides) }))
    ctx.clock.setInterval(() => {}, 60_000)
  },
})
`

export class PluginProject {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Makes a project that meets all rules, but for what `manifest` and `files` change. */
  static async create({
    manifest = {},
    files = {},
  }: {
    readonly manifest?: Readonly<Record<string, unknown>>
    readonly files?: Readonly<Record<string, string>>
  } = {}): Promise<PluginProject> {
    const project = new PluginProject(await mkdtemp(join(tmpdir(), 'mynah-plugin-')))
    await symlink(MODULES, join(project.folder, 'node_modules'), 'junction')
    const all = {
      'package.json': `${JSON.stringify({ ...PLUGIN_MANIFEST, ...manifest }, undefined, 2)}\n`,
      'index.js': PLUGIN_SOURCE,
      'README.md': 'The option `dice.sides` is the number of sides.\n',
      LICENSE: 'MIT\n',
      ...files,
    }
    for (const [name, text] of Object.entries(all)) await project.write(name, text)
    return project
  }

  async write(name: string, text: string): Promise<void> {
    const path = join(this.folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8')
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}
