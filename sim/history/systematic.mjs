// Two short histories in all their variants: a crash after each event, and each answer overtaken by the next one.
import { runHistory } from './run.mjs'

const QUICK = { read: [1, 3], statement: [0, 1], write: [1, 3], commit: [1, 3], send: [5, 30], edit: [5, 30] }

/** A command, an answer that strikes and one that asks, on a platform that can edit. */
export const shortPlan = {
  seed: 1,
  agent: true,
  platforms: [{ name: 'queue', edits: true, acknowledges: 'after-store' }],
  steps: [
    { at: 200, do: 'write', platform: 0, id: 'm1', from: 'ann', text: '/echo m1' },
    { at: 220, do: 'write', platform: 0, id: 'm2', from: 'bob', text: 'do m2 strike' },
    { at: 300, do: 'write', platform: 0, id: 'm3', from: 'owner', text: 'do m3 question' },
  ],
  rates: {},
  latency: { ...QUICK, connect: [5, 20], acknowledge: [1, 3], model: [10, 60], tool: [5, 20], answer: [50, 200] },
  late: 250,
  restartAfter: 100,
  quietFor: 45 * 60_000,
}

/** An answer that waits for the owner. */
export const approvalPlan = {
  ...shortPlan,
  steps: [{ at: 200, do: 'write', platform: 0, id: 'm1', from: 'ann', text: 'do m1 unlock' }],
}

/** Yields the plans of all variants of both: each names its crash, or the answer that is overtaken. */
export async function* variants() {
  for (const plan of [shortPlan, approvalPlan]) yield* variantsOf(plan)
}

async function* variantsOf(plan) {
  const { quietAt } = await runHistory(plan)
  for (let crashAt = 1; crashAt <= quietAt; crashAt++) yield { ...plan, crashAt }
  for (let swapAt = 1; swapAt <= quietAt; swapAt++) yield { ...plan, swapAt }
}
