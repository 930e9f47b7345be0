// The places of a host that no command may touch, as far as the host knows them.
import { join, resolve } from 'node:path'
import type { HostPaths } from '@mynah/kernel'
import type { ExecPlaces } from './policy/index.js'

const WORKSPACE = 'workspace'
const CONFIGURATION = ['mynah.config.yml', 'mynah.config.yaml', 'mynah.config.yml.bak', 'mynah.config.yaml.bak', '.env', '.env.local', '.env.production', '.env.development', '.env.test']

/** Where commands run unless it is said. */
export const workspaceOf = (paths: HostPaths | undefined): string => (paths ? join(paths.root, WORKSPACE) : resolve(WORKSPACE))

/** What decides over this host; undefined where it has no place on disk, so that the usual layout is assumed. */
export function placesOf(paths: HostPaths | undefined, cwd = workspaceOf(paths)): ExecPlaces | undefined {
  if (!paths) return undefined
  const { root, data } = paths
  return { cwd, home: process.env.HOME, sealed: [data, ...CONFIGURATION.map((name) => join(root, name))], guarded: [join(root, 'plugins')] }
}
