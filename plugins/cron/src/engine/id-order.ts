import { newId } from '@mynah/database-api'

/** An id of `newId`: nine digits of time, a count and chance. */
const ID = /^[0-9a-z]{20}$/
const TIME_DIGITS = 9

/**
 * Makes all later ids of this process sort after `last`, also when the clock was set back since that id was made. Ids
 * of another form are ignored.
 */
export function continueIdsAfter(last: string | undefined): void {
  if (last === undefined || !ID.test(last)) return
  newId(Number.parseInt(last.slice(0, TIME_DIGITS), 36) + 1)
}
