// The places of a host that no command may touch, as far as the host knows them.
import { join, resolve } from 'node:path'
import type { HostPaths } from '@mynah/kernel'
import type { ExecPaths } from './policy/index.js'
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

/** Where commands run unless it is said. */
export const workspaceOf = (paths: HostPaths | undefined): string =>
  paths ? join(paths.root, WORKSPACE) : resolve(WORKSPACE)

/** What decides over this host; undefined where it has no place on disk, so that the usual layout is assumed. */
export function hostExecPaths(paths: HostPaths | undefined, cwd = workspaceOf(paths)): ExecPaths | undefined {
  if (!paths) return undefined
  const { root, data } = paths
  return {
    cwd: realPathNow(cwd),
    home: process.env.HOME,
    protected: withRealPathsNow([data, ...CONFIGURATION.map((name) => join(root, name))]),
    readOnly: withRealPathsNow([join(root, 'plugins')]),
  }
}

/** Whether a working directory leads by a link into what no command may touch: it may have been put there by one before. */
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
