// What waits for the owner waits as long as it was promised, and is taken back when it can no longer be answered.

/** States of a turn that nobody waits for any more. */
const GIVEN_UP = new Set(['stopped', 'failed', 'interrupted'])

const turnOf = ({ turns }, { command }) => turns.find(({ text }) => text.includes(`${command.split(' ')[1]} `))

const isGivenUp = (facts, approval) => GIVEN_UP.has(turnOf(facts, approval)?.state)

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

const OVER = new Set(['withdrawn', 'expired'])

/** Requests that can no longer be answered and still have buttons, in a message that the host knows and could edit. */
function withButtons({ approvals, shown, messages, editsFailed }) {
  if (editsFailed) return []
  const sent = new Set(messages.map(({ state, message_id: id }) => (state === 'sent' ? id : null)))
  return approvals
    .filter(({ status }) => OVER.has(status))
    .filter(({ id }) =>
      shown.some((message) => sent.has(message.id) && JSON.stringify(message.segments).includes(`"/approve ${id}"`)),
    )
    .map(({ id, status }) => `the request ${id} is ${status}, and a chat still shows its buttons`)
}

export const requestsAreKept = {
  name: 'a request waits as long as it was promised, and is taken back when it cannot be answered',
  check: (facts) => [...withdrawn(facts), ...pending(facts), ...unapproved(facts), ...withButtons(facts)],
}
