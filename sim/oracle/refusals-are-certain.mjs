// A message that the platform refused for its rate was not taken: it is not `unknown`, and waits as long as it must.

const TOLERANCE_MS = 1_000

const isSame = (one, other) =>
  one.platform === other.platform && one.target.id === other.target.id && one.text === other.text

/** Time in which a host stores that a platform has refused a message, where the store works. */
const STORED_MS = 500

/** Rows that read `unknown` though the host died while it waited as long as the platform had asked it to. */
function falselyUnknown({ messages, attempts, crashes, storeFailed }) {
  return messages
    .filter(({ direction, state }) => direction === 'out' && state === 'unknown')
    .filter(({ adapter, channel_id: channel, text }) => {
      const own = attempts.filter((one) => one.platform === adapter && one.target.id === channel && one.text === text)
      const last = own.at(-1)
      const crash = last && crashes.find((at) => at > last.at)
      const wasStored = !storeFailed && crash > last?.answeredAt + STORED_MS
      return wasStored && crash < last.until && own.every(({ outcome }) => outcome === 'refused')
    })
    .map(({ id, text }) => `the row ${id} "${text}" is unknown, and the platform had refused it`)
}

/** Only texts with the name of an order belong to one message. */
const NAMED = /\b[a-z]\d+\b/

/** Attempts that came before the platform allowed them, as far as the host could know. */
function tooEarly({ attempts: all, crashes, storeFailed }) {
  // A host that dies before the store has taken a refusal leaves nothing of it.
  const isForgotten = ({ answeredAt }, until) =>
    crashes.some((at) => at > answeredAt && at < until && (storeFailed || at <= answeredAt + STORED_MS))
  return all
    .filter(({ text }) => NAMED.test(text))
    .filter((one, at, attempts) =>
      attempts
        .slice(0, at)
        .some((before) => isSame(one, before) && before.until - TOLERANCE_MS > one.at && !isForgotten(before, one.at)),
    )
    .map(({ text, at }) => `"${text}" was tried again at ${Math.round(at)} ms, before the platform allowed it`)
}

export const refusalsAreCertain = {
  name: 'what a platform refused is not unknown, and waits as long as it says',
  check: (facts) => [...falselyUnknown(facts), ...tooEarly(facts)],
}
