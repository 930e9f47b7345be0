import type { PackagePlan, PackageRun } from '@mynah/contract/types'
import { t } from './texts.js'

/** The change that is made with a package. */
export type PackageAction = PackagePlan['action']

const ENDED: readonly PackageRun['state'][] = ['done', 'refused', 'cancelled', 'failed', 'rolled-back']
const CANCELLABLE: readonly PackageRun['state'][] = ['planned', 'fetching', 'building', 'staged']

export const hasEnded = ({ state }: PackageRun): boolean => ENDED.includes(state)
export const canCancel = ({ state }: PackageRun): boolean => CANCELLABLE.includes(state)

/** Returns the package of that name with its version, if the run has changed it. */
export const packageIn = ({ packages }: PackageRun, name: string): string | undefined =>
  packages.find((one) => one === name || one.startsWith(`${name}@`))

/** Returns how far a run is, in words. */
export function stateText({ state, done = 0, of = 0 }: PackageRun): string {
  const texts: Readonly<Record<PackageRun['state'], () => string>> = {
    planned: () => t('runPlanned'),
    fetching: () => t('runFetching', { done, of }),
    building: () => t('runBuilding'),
    staged: () => t('runStaged'),
    swapping: () => t('runSwapping'),
    starting: () => t('runStarting'),
    done: () => t('runDone'),
    refused: () => t('runRefused'),
    cancelled: () => t('runCancelled'),
    failed: () => t('runFailed'),
    'rolled-back': () => t('runBack'),
  }
  return texts[state]()
}

/** Returns the install scripts of a plan that a person has to allow. */
export const scriptsOf = ({ changes }: PackagePlan): string[] =>
  changes.filter(({ script }) => script === true).map(({ name, to }) => `${name}@${to ?? ''}`)
