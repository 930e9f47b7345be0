// A request waits for the owner as long as it was promised, and is taken back when it can no longer be answered.

/** States of a turn that was given up. */
const GIVEN_UP = new Set(['stopped', 'failed', 'interrupted'])

/** Returns the turn that has asked. The message may have joined the turn of another one, whose journal has the wait. */
const turnOf = ({ turns }, { id, command }) =>
  turns.find(({ waiting }) => waiting?.includes(`"${id}"`)) ??
  turns.find(({ text }) => text.includes(`${command.split(' ')[1]} `))

/** A task goes on after a stop of the host that it has only to wait for. */
const TASK_OVER = new Set(['stopped', 'failed', 'done'])

/** Returns the task whose sub-agent has asked. */
const taskOf = ({ tasks }, { command }) => tasks.find(({ prompt }) => prompt.includes(`${command.split(' ')[1]} `))

/** Whether a turn was given up that a message may have joined. One that is stopped forgets what it has waited for. */
const hostIsGivenUp = ({ turns }, { id, session }) =>
  turns.some((other) => other.session === session && other.id < id && GIVEN_UP.has(other.state))

function isGivenUp(facts, approval) {
  const task = taskOf(facts, approval)
  if (task) return TASK_OVER.has(task.state)
  const turn = turnOf(facts, approval)
  return GIVEN_UP.has(turn?.state) || (turn?.stage === 'joined' && hostIsGivenUp(facts, turn))
}

/** Requests that were withdrawn though the turn that asked went on. */
const withdrawn = (facts) =>
  facts.approvals
    .filter((approval) => approval.status === 'withdrawn' && !isGivenUp(facts, approval))
    .map(({ id, command }) => `the request ${id} "${command}" was withdrawn, and its turn was not given up`)

const pending = ({ approvals, clockLeaps }) =>
  approvals
    .filter(({ status }) => status === 'pending' && !clockLeaps)
    .map(({ id, command }) => `the request ${id} "${command}" still waits`)

/** Effects that no owner has approved. */
const unapproved = ({ effects, approvals }) =>
  [...effects.keys()]
    .filter((effect) => effect.startsWith('unlock'))
    .filter((effect) => !approvals.some(({ command, status }) => command === effect && status === 'used'))
    .map((effect) => `${effect} happened, and no approval was used for it`)

/** Whether a request can no longer be answered, and was not. */
const isOver = ({ status, answeredBy }) => (status === 'withdrawn' || status === 'expired') && !answeredBy

/** Requests that can no longer be answered and still have buttons, in a message that the host knows and could edit. */
function withButtons({ approvals, shown, messages, editsFailed, clockLeaps }) {
  // After a leap of a day the host does not look for the messages of the day before.
  if (editsFailed || clockLeaps) return []
  const sent = new Set(messages.map(({ state, message_id: id }) => (state === 'sent' ? id : null)))
  return approvals
    .filter(isOver)
    .filter(({ id }) =>
      shown.some((message) => sent.has(message.id) && JSON.stringify(message.segments).includes(`"/approve ${id}"`)),
    )
    .map(({ id, status }) => `the request ${id} is ${status}, and a chat still shows its buttons`)
}

export const requestsAreKept = {
  name: 'a request waits as long as it was promised, and is taken back when it cannot be answered',
  check: (facts) => [...withdrawn(facts), ...pending(facts), ...unapproved(facts), ...withButtons(facts)],
}
