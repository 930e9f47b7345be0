import { join } from 'node:path'

/** The files that say which packages a project has. */
export const MANIFESTS = ['package.json', 'package-lock.json'] as const

/** Paths of a project whose packages change. */
export interface Folders {
  /** Folder of the configuration file and of `package.json`. */
  readonly root: string
  /** Where all of this is kept. */
  readonly packages: string
  /** One folder a plan, deleted when the plan is made. */
  readonly plans: string
  /** One folder a run, so that npm of a killed run never writes into that of a later one. */
  readonly staged: string
  /** The packages of before the last run. */
  readonly previous: string
  /** Changed packages that the running process loads from here. */
  readonly views: string
  /** Where the packages go while they are swapped. */
  readonly replaced: string
  readonly journal: string
  readonly runs: string
}

/** Returns the paths below the data directory of a project. */
export function foldersOf(root: string): Folders {
  const packages = join(root, 'data', 'packages')
  const inside = (name: string): string => join(packages, name)
  return {
    root,
    packages,
    plans: inside('plans'),
    staged: inside('staged'),
    previous: inside('previous'),
    views: inside('views'),
    replaced: inside('replaced'),
    journal: inside('journal.json'),
    runs: inside('runs.jsonl'),
  }
}
