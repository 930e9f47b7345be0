// Nothing waits for ever: after the quiet period nothing is under way.

const OPEN = new Set(['received', 'handling', 'intent', 'sending', 'draft'])

const openRows = ({ messages }) =>
  messages
    .filter(({ state }) => OPEN.has(state))
    .map(({ id, state, text, direction }) => `the ${direction} row ${id} "${text}" is still ${state}`)

const openWork = ({ turns, tasks, runs }) => [
  ...turns
    .filter(({ ended_at: end }) => end === null)
    .map(({ id, state, text }) => `the turn ${id} "${text}" is still ${state}`),
  ...tasks.filter(({ ended_at: end }) => end === null).map(({ id, state }) => `the task ${id} is still ${state}`),
  ...tasks
    .filter(({ ended_at: end, delivered_at: delivered }) => end !== null && delivered === null)
    .map(({ id }) => `the result of the task ${id} was never delivered`),
  ...runs.filter(({ stage }) => stage !== 'ended').map(({ id, state }) => `the run ${id} is still ${state}`),
]

const untaken = ({ updates }) =>
  updates.filter(({ isAcknowledged, isLost }) => !isAcknowledged && !isLost).map(({ id }) => `${id} was never taken`)

export const nothingWaits = {
  name: 'nothing waits for ever',
  check: (facts) => [...openRows(facts), ...openWork(facts), ...untaken(facts)],
}
