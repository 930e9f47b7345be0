import { GIT_READING } from './git-reading.js'
import { GIT_REPOSITORY } from './git-repository.js'
import { GIT_WORKING } from './git-working.js'

/**
 * git: options that start programs, write elsewhere or change later runs have an effect of their own. Commands that few
 * people type have no description, and are not covered by their text.
 */
export const GIT = `${GIT_READING}${GIT_WORKING}${GIT_REPOSITORY}`
