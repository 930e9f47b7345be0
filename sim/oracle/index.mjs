// Asks each sentence about a history that has ended.
import { acceptedIsHandled } from './accepted-is-handled.mjs'
import { changesAreReported } from './changes-are-reported.mjs'
import { countersEqualRows } from './counters-equal-rows.mjs'
import { effectsOnce } from './effects-once.mjs'
import { nextIsAnswered } from './next-is-answered.mjs'
import { noRing } from './no-ring.mjs'
import { nothingEmpty } from './nothing-empty.mjs'
import { nothingInternal } from './nothing-internal.mjs'
import { nothingWaits } from './nothing-waits.mjs'
import { questionsLoseButtons } from './questions-lose-buttons.mjs'
import { refusalsAreCertain } from './refusals-are-certain.mjs'
import { requestsAreKept } from './requests-are-kept.mjs'
import { saidOnce } from './said-once.mjs'
import { waitingIsNoAttempt } from './waiting-is-no-attempt.mjs'

export const sentences = [
  acceptedIsHandled,
  saidOnce,
  effectsOnce,
  nothingWaits,
  changesAreReported,
  noRing,
  countersEqualRows,
  nothingEmpty,
  nothingInternal,
  refusalsAreCertain,
  waitingIsNoAttempt,
  requestsAreKept,
  questionsLoseButtons,
  nextIsAnswered,
]

/**
 * Returns what is wrong with a history: the sentences that it breaks, and how. Nothing is left out.
 *
 * @param problems rejections without a handler
 */
export function findingsOf(facts, problems) {
  return [
    ...problems.map((text) => ({ sentence: 'the product handles its rejections', text })),
    ...sentences.flatMap(({ name, check }) => check(facts).map((text) => ({ sentence: name, text }))),
  ]
}
