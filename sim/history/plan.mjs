// Makes the plan of a history from its seed: what happens in it, how slow everything is, and how often what goes wrong.
// Each seed leaves most faults out and makes the others frequent, because a history with a little of everything seldom
// gets deep into anything.
import { Draws } from '../core/random.mjs'
import { FAULTS } from '../world/boundaries.mjs'

const PEOPLE = ['ann', 'bob', 'owner']

function ratesOf(draws) {
  const rates = {}
  for (const [boundary, kinds] of Object.entries(FAULTS)) {
    for (const kind of kinds) {
      if (!draws.chance(0.12)) continue
      rates[boundary] ??= {}
      rates[boundary][kind] = draws.of([0.02, 0.05, 0.15]) * (kind === 'crash' ? 0.4 : 1)
    }
  }
  return rates
}

function latencyOf(draws) {
  const slow = (usual, slower) => (draws.chance(0.75) ? usual : slower)
  return {
    read: slow([1, 5], [20, 400]),
    statement: [0, 2],
    write: slow([1, 4], [5, 60]),
    commit: slow([1, 4], [5, 120]),
    send: slow([5, 80], [50, 2_000]),
    edit: slow([5, 80], [50, 2_000]),
    connect: [5, 200],
    acknowledge: [1, 5],
    model: slow([20, 300], [100, 5_000]),
    answer: slow([100, 2_000], [5_000, 40_000]),
    tool: slow([1, 100], [10, 3_000]),
  }
}

const orderOf = (draws, id) =>
  draws.weighted([
    [4, `do ${id}`],
    [3, `do ${id} strike`],
    [1, `do ${id} look strike`],
    [3, `do ${id} question`],
    [1, `do ${id} strike question`],
    [2, `do ${id} unlock`],
    [1, `do ${id} strike unlock`],
    [2, `do ${id} task`],
    [1, `do ${id} errand`],
    [1, `do ${id} visit`],
    [1, `do ${id} later`],
    [1, '/stop'],
  ])

function messagesOf(draws, platforms, length, agent) {
  const steps = []
  const count = draws.between(2, 10)
  for (let index = 1; index <= count; index++) {
    const id = `m${index}`
    const command = draws.weighted([
      [5, 'echo'],
      [2, 'work'],
      [1, 'note'],
    ])
    steps.push({
      at: draws.between(200, length),
      do: 'write',
      platform: draws.between(0, platforms - 1),
      id,
      from: draws.of(PEOPLE),
      text: agent && draws.chance(0.7) ? orderOf(draws, id) : `/${command} ${id}`,
    })
  }
  return steps
}

function troublesOf(draws, platforms, length) {
  const steps = []
  const at = () => draws.between(0, length)
  for (
    let left = draws.weighted([
      [4, 0],
      [4, 1],
      [2, 2],
      [1, 4],
    ]);
    left > 0;
    left--
  )
    steps.push({ at: at(), do: 'crash' })
  if (draws.chance(0.2)) steps.push({ at: at(), do: 'stop' })
  if (draws.chance(0.15)) steps.push({ at: at(), do: 'away', ms: draws.of([300, 3_000, 12_000]) })
  if (draws.chance(0.15))
    steps.push({
      at: at(),
      do: 'offline',
      platform: draws.between(0, platforms - 1),
      ms: draws.of([500, 5_000, 60_000]),
    })
  if (draws.chance(0.1))
    steps.push({ at: at(), do: 'leap', ms: draws.of([-3_600_000, -86_400_000, 3_600_000, 86_400_000, -3_000]) })
  return steps
}

function jobsOf(draws, platforms, length) {
  const count = draws.weighted([
    [6, 0],
    [2, 1],
    [1, 3],
  ])
  return Array.from({ length: count }, (_, index) => ({
    at: draws.between(200, length),
    do: 'job',
    id: `j${index + 1}`,
    platform: draws.between(0, platforms - 1),
    text: `do j${index + 1}${draws.of(['', ' strike', ' task', ' question', ' unlock'])}`,
  }))
}

/** Lets another process hold the file of the store, for less or longer than the host waits for it. */
function withHeldStore(plan) {
  // Drawn apart, so that the other histories stay as they are.
  const draws = new Draws(plan.seed, 'held')
  if (!draws.chance(0.15)) return plan
  const length = Math.max(...plan.steps.map(({ at }) => at))
  const held = Array.from({ length: draws.between(1, 2) }, () => ({
    at: draws.between(0, length),
    do: 'held',
    ms: draws.between(100, 20_000),
  }))
  return { ...plan, steps: [...plan.steps, ...held].sort((one, other) => one.at - other.at) }
}

/** Lets the host restart while people think: what waits for them goes on waiting. */
function withPatience(plan) {
  // Drawn apart, so that the other histories stay as they are.
  const draws = new Draws(plan.seed, 'patience')
  if (!plan.agent || !draws.chance(0.1)) return plan
  let at = Math.max(...plan.steps.map((step) => step.at))
  const restarts = Array.from({ length: draws.between(2, 4) }, () => {
    at += draws.between(5_000, 15_000)
    return { at, do: draws.of(['crash', 'crash', 'stop']) }
  })
  return {
    ...plan,
    steps: [...plan.steps, ...restarts],
    latency: { ...plan.latency, answer: [60_000, 120_000] },
    restartAfter: 50,
  }
}

/** How a model may refuse a request for what is in it. */
const REFUSALS = [
  { class: 'format', status: 400 },
  { class: 'refusal' },
  { class: 'auth', status: 403 },
  { class: 'not-found', status: 404 },
  { class: 'server', status: 500 },
  { class: 'unsupported', status: 501 },
  { class: 'unknown' },
]

/** Lets the model refuse all that has some words. When all is quiet, their writer and another person write again. */
function withPoison(plan) {
  // Drawn apart, so that the other histories stay as they are.
  const draws = new Draws(plan.seed, 'poison')
  const orders = plan.steps.filter(({ do: what, text }) => what === 'write' && text.startsWith('do '))
  if (!orders.length || !draws.chance(0.15)) return plan
  const poisoned = new Set(Array.from({ length: draws.between(1, 2) }, () => draws.of(orders)))
  const writers = Array.from(poisoned, ({ platform, from }) => ({ platform, from }))
  return {
    ...plan,
    steps: plan.steps.map((step) => (poisoned.has(step) ? { ...step, text: `${step.text}, poison` } : step)),
    refusal: { ...draws.of(REFUSALS), afterPart: draws.chance(0.3) },
    after: [...writers, { ...writers[0], from: draws.of(PEOPLE) }].map(({ platform, from }, index) => ({
      do: 'write',
      platform,
      from,
      id: `z${index + 1}`,
      text: `do z${index + 1}`,
    })),
  }
}

/** Returns the plan of a seed. */
export function planOf(seed) {
  const draws = new Draws(seed, 'plan')
  const platforms = draws.weighted([
    [2, [{ name: 'queue', edits: true, acknowledges: 'after-store' }]],
    [1, [{ name: 'wire', edits: false, acknowledges: 'never' }]],
    [
      1,
      [
        { name: 'queue', edits: true, acknowledges: 'after-store' },
        { name: 'wire', edits: false, acknowledges: 'never' },
      ],
    ],
  ])
  const length = draws.of([1_500, 4_000, 15_000])
  const agent = draws.chance(0.6)
  const steps = [...messagesOf(draws, platforms.length, length, agent), ...troublesOf(draws, platforms.length, length)]
  if (agent) steps.push(...jobsOf(draws, platforms.length, length))
  steps.sort((one, other) => one.at - other.at)
  // Drawn apart, so that the other histories stay as they are.
  if (new Draws(seed, 'choices').chance(0.4))
    for (const step of steps) if (step.text) step.text = step.text.replace(/question$/, 'choice')
  const settling = new Draws(seed, 'settling')
  const plan = withPatience({
    seed,
    agent,
    platforms: settling.chance(0.4)
      ? platforms.map((platform) => ({ ...platform, settles: settling.of(['repeats', 'finds']) }))
      : platforms,
    steps,
    rates: ratesOf(draws),
    latency: latencyOf(draws),
    late: draws.of([250, 2_000, 15_000]),
    restartAfter: draws.of([50, 1_000, 400_000]),
    quietFor: 45 * 60_000,
  })
  return withPoison(withHeldStore(plan))
}
