import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { HostPaths } from '@mynah/kernel'
import type { ExecPaths } from './policy/index.js'
import { SecretFiles } from './secret-files.js'
import { isWithin, realPath, realPathNow, withRealPaths, withRealPathsNow } from './real-paths.js'

const WORKSPACE = 'workspace'
const CONFIGURATION = [
  'mynah.config.yml',
  'mynah.config.yaml',
  'mynah.config.yml.bak',
  'mynah.config.yaml.bak',
  '.env',
  '.env.local',
  '.env.production',
  '.env.development',
  '.env.test',
]

/** Files that the host loads, runs or gives to its agent, besides its configuration. */
const LOADED = [
  'plugins',
  'node_modules',
  'tools',
  'skills',
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
]

/** Returns the default working directory of commands. */
export const workspaceOf = (paths: HostPaths | undefined): string =>
  paths ? join(paths.root, WORKSPACE) : resolve(WORKSPACE)

/** Returns the paths that decide over this host. A host without a folder has none, and the usual layout is assumed. */
export function hostExecPaths(paths: HostPaths | undefined, cwd = workspaceOf(paths)): ExecPaths | undefined {
  if (!paths) return undefined
  const { root, data } = paths
  return {
    cwd: realPathNow(cwd),
    home: process.env.HOME,
    protected: withRealPathsNow([data, ...CONFIGURATION.map((name) => join(root, name))]),
    secrets: new SecretFiles(realPathNow(cwd)),
    readOnly: withRealPathsNow(LOADED.map((name) => join(root, name))),
  }
}

/**
 * Returns the paths that decide over a host, with what they lead to: no folder of commands is one of them, holds one or
 * lies in one. They need not exist.
 */
export async function closedPaths({ root, data }: HostPaths): Promise<readonly string[]> {
  const names = [...CONFIGURATION, ...LOADED].map((name) => join(root, name))
  return withRealPaths([data, ...names, ...(await environmentFiles(root))])
}

/** Returns the `.env` files next to the configuration. */
async function environmentFiles(root: string): Promise<string[]> {
  try {
    return (await readdir(root)).filter((name) => name.startsWith('.env')).map((name) => join(root, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Returns whether the working directory is a link into protected paths, which an earlier command may have made. */
export async function leadsIntoProtected(
  cwd: string,
  { protected: protectedPaths, readOnly }: ExecPaths,
): Promise<boolean> {
  const real = await realPath(cwd)
  return (
    (await withRealPaths([...protectedPaths, ...readOnly])).some((path) => isWithin(real, path)) &&
    ![...protectedPaths, ...readOnly].some((path) => isWithin(cwd, path))
  )
}
