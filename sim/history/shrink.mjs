// Makes a history that breaks a sentence as short as it can be: first the faults that happened are written into the
// plan, then steps and faults are left out as long as the same sentence breaks.
import { runHistory } from './run.mjs'

/** Histories that are played at most. */
const MAX_TRIES = 400

/** Returns a finding without names and numbers, so that it is recognised in a shorter history. */
const kindOf = ({ sentence, text }) =>
  `${sentence}: ${text
    .split('\n')[0]
    .replace(/"[^"]*"/g, '')
    .replace(/\b[0-9a-z]{20}\b|\b[a-z]?\d+\b/g, '')}`

const breaks = async (plan, kind) => (await runHistory(plan)).findings.some((finding) => kindOf(finding) === kind)

/** Leaves out as much of `list` as possible, in ever smaller pieces. */
async function shorten(list, stillBreaks) {
  let size = Math.ceil(list.length / 2)
  while (size >= 1 && list.length > 0) {
    let isShorter = false
    for (let start = 0; start < list.length;) {
      const shorter = [...list.slice(0, start), ...list.slice(start + size)]
      if (await stillBreaks(shorter)) {
        list = shorter
        isShorter = true
      } else start += size
    }
    if (size === 1 && !isShorter) break
    size = Math.max(1, Math.floor(size / 2))
    if (size === 1 && !isShorter && list.length === 1) break
  }
  return list
}

/** Returns the change that leaves out the agent, where nobody wants anything of it. */
const noAgent = ({ steps }) =>
  steps.some(({ do: what, text }) => what === 'job' || text?.startsWith('do ')) ? {} : { agent: false }

/** Returns the change that leaves out the platforms without a step, where the others are one. */
function onePlatform({ steps, platforms }) {
  const used = new Set(steps.flatMap(({ platform }) => (platform === undefined ? [] : [platform])))
  if (used.size !== 1) return {}
  const [own] = used
  return {
    platforms: [platforms[own]],
    steps: steps.map((step) => (step.platform === undefined ? step : { ...step, platform: 0 })),
  }
}

/** Returns the shortest plan that was found for the same finding. */
export async function shrink(plan, finding) {
  const kind = kindOf(finding)
  const { faults } = await runHistory(plan)
  let best = { ...plan, rates: {}, faults: plan.faults ?? faults }
  if (!(await breaks(best, kind))) return plan
  let tries = 0
  const attempt = (change) => async (list) => {
    if (++tries > MAX_TRIES) return false
    const candidate = { ...best, ...change(list) }
    if (!(await breaks(candidate, kind))) return false
    best = candidate
    return true
  }
  for (let round = 0, before = Infinity; round < 3; round++) {
    await shorten(
      best.steps,
      attempt((steps) => ({ steps })),
    )
    await shorten(
      best.faults,
      attempt((list) => ({ faults: list })),
    )
    const size = best.steps.length + best.faults.length
    if (size === before) break
    before = size
  }
  for (const change of [noAgent(best), onePlatform(best), { restartAfter: 50 }, { late: 250 }])
    await attempt(() => change)([])
  return best
}
