// A project that was installed from a registry, in a folder of its own.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { TestRegistry, type Version } from './registry.js'

/** Returns a plugin that logs a word when it starts. */
export const pluginVersion = (
  name: string,
  version: string,
  more: Readonly<Record<string, unknown>> = {},
): Version => ({
  manifest: {
    name,
    version,
    type: 'module',
    exports: './index.js',
    license: 'MIT',
    keywords: ['mynah-plugin'],
    peerDependencies: { mynah: '^0.1.0' },
    ...more,
  },
  files: {
    'index.js': `export default { name: '${name.replace(/^.*plugin-/, '')}', setup(ctx) { ctx.log.info('runs ${version}') } }\n`,
  },
})

/** Returns a package of other authors as it is installed here. */
export function installedVersion(name: string): Version {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => path !== 'package.json')
  return {
    manifest: JSON.parse(read('package.json')) as Version['manifest'],
    files: Object.fromEntries(paths.map((path) => [path, read(path)])),
  }
}

const filesOf = (versions: readonly Version[], name: string): Readonly<Record<string, string>> =>
  versions.find(({ manifest }) => manifest.name === name)?.files ?? {}

export class PackageProject {
  readonly folder: string
  readonly registry: TestRegistry

  private constructor(folder: string, registry: TestRegistry) {
    this.folder = folder
    this.registry = registry
  }

  /** Puts a small package in the place of the host, and those of `installed`. */
  static async create({ installed = [] }: { readonly installed?: readonly Version[] } = {}): Promise<PackageProject> {
    const registry = await TestRegistry.listen()
    const project = new PackageProject(await mkdtemp(join(tmpdir(), 'mynah-packages-')), registry)
    const host: Version = { manifest: { name: 'mynah', version: '0.1.0', license: 'MIT' } }
    registry.publish(pluginVersion('mynah-plugin-dice', '1.0.0'))
    await project.write('mynah.config.yml', 'plugins: []\n')
    await project.write('.npmrc', `registry=${registry.url}\ncache=${join(project.folder, 'cache')}\n`)
    await project.#install([host, ...installed])
    return project
  }

  /** Writes what npm would, which takes a second less. */
  async #install(versions: readonly Version[]): Promise<void> {
    const own = { name: 'p', version: '1.0.0' }
    const dependencies = Object.fromEntries(versions.map(({ manifest: { name, version } }) => [name, version]))
    const packages = Object.fromEntries(
      versions.map(({ manifest }) => {
        const { version, license, peerDependencies } = manifest
        const integrity = this.registry.publish({ manifest, files: filesOf(versions, manifest.name) })
        return [`node_modules/${manifest.name}`, { version, integrity, license, peerDependencies }]
      }),
    )
    const lock = { ...own, lockfileVersion: 3, requires: true }
    await this.write('package.json', JSON.stringify({ ...own, private: true, type: 'module', dependencies }))
    await this.write(
      'package-lock.json',
      JSON.stringify({ ...lock, packages: { '': { ...own, dependencies }, ...packages } }),
    )
    for (const { manifest, files = {} } of versions)
      for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files }))
        await this.write(`node_modules/${manifest.name}/${path}`, text)
    // Last, since npm believes its own list only if no folder is newer.
    await this.write('node_modules/.package-lock.json', JSON.stringify({ ...lock, packages }))
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(join(this.folder, name, '..'), { recursive: true })
    await writeFile(join(this.folder, name), text)
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8')
  }

  /** Returns the installed version of a package, or `undefined`. */
  async version(name: string): Promise<string | undefined> {
    const text = await this.read(`node_modules/${name}/package.json`).catch(() => '{}')
    return (JSON.parse(text) as { readonly version?: string }).version
  }

  async remove(): Promise<void> {
    await this.registry.close()
    // npm of a command line that was killed may still write.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
