// Every committed change was reported to a client that resumed the event stream.

/** States that an event must report. */
const REPORTED = new Set(['sent', 'failed', 'unknown', 'interrupted'])

/** Events of the log that the client never got, although no reset asked it to start again. */
function missed({ events, received, resets }) {
  if (resets > 0 || received.length === 0) return []
  const got = new Set(received.map(({ id }) => id))
  const [epoch, first] = received[0].id.split('.')
  return events
    .filter(({ id }) => id > Number(first) && !got.has(`${epoch}.${id}`))
    .map(({ id, type }) => `the event ${id}, ${type}, never came`)
}

function repeated({ received }) {
  const seen = new Set()
  return received.filter(({ id }) => seen.size === seen.add(id).size).map(({ id }) => `the event ${id} came twice`)
}

/** Rows in a state that no event has reported. */
function unreported({ messages, received, events }) {
  const logged = events.map(({ type, data }) => ({ type, data: JSON.parse(data) }))
  const reported = new Set(
    [...received, ...logged]
      .filter(({ type }) => type === 'endpoint:message')
      .map(({ data }) => `${data.id} ${data.state}`),
  )
  return messages
    .filter(({ state }) => REPORTED.has(state))
    .filter(({ id, state }) => !reported.has(`${id} ${state}`))
    .map(({ id, state, text }) => `the row ${id} "${text}" became ${state}, and no event says so`)
}

export const changesAreReported = {
  name: 'every committed change is reported to a client that resumes',
  check: (facts) => [...missed(facts), ...repeated(facts), ...(facts.resets > 0 ? [] : unreported(facts))],
}
