// Asks each sentence about a history that has ended.
import { factsOf } from './facts.mjs'
import { accepted } from './accepted-is-handled.mjs'
import { saidOnce } from './said-once.mjs'
import { nothingEmpty } from './nothing-empty.mjs'
import { nothingWaits } from './nothing-waits.mjs'

export const sentences = [accepted, saidOnce, nothingEmpty, nothingWaits]

/** Returns what is wrong with the history of a world: the sentence that it breaks, and how. */
export function findingsOf(world, problems = []) {
  const facts = factsOf(world)
  return [
    ...problems.map((text) => ({ sentence: 'the product handles its rejections', text })),
    ...sentences.flatMap(({ name, check }) => check(facts).map((text) => ({ sentence: name, text }))),
  ]
}
