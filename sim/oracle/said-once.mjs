// Every answer is said once, or is `unknown`, and an event reports that.

/** A whole answer. A draft that was superseded by another message may be left with a part of one. */
const ANSWER = /^(?:echo ([a-z]\d+)|[^]*echo ([a-z]\d+), as you wished\.)$/

function repeated({ shown, mayBeUnsaved, mayBeSaved }) {
  const counts = new Map()
  for (const { platform, texts, isDeleted } of shown) {
    // A message without a row is handled again where the host died before it knew that there is one.
    if (isDeleted || (mayBeSaved && mayBeUnsaved({ platform }))) continue
    const [, one, other] = ANSWER.exec(texts.at(-1)) ?? []
    const said = one ?? other
    if (said !== undefined) counts.set(said, (counts.get(said) ?? 0) + 1)
  }
  return [...counts].filter(([, times]) => times > 1).map(([said, times]) => `"echo ${said}" was said ${times} times`)
}

const isShown = ({ shown }, text) => shown.some(({ texts, isDeleted }) => !isDeleted && texts.at(-1).includes(text))

/** A request that is taken back shows other words, and its row says what was sent. */
const wasShown = ({ shown }, text) =>
  shown.some(({ texts, isDeleted }) => !isDeleted && texts.some((one) => one.includes(text)))

/** Rows that read `sent` and are in no chat. */
const unsaid = (facts) =>
  facts.messages
    .filter(({ direction, state, text }) => direction === 'out' && state === 'sent' && !wasShown(facts, text))
    .map(({ id, text }) => `row ${id} reads sent, and no chat shows "${text}"`)

/** Turns that are done and whose answer is in no chat, where no row is `unknown`. */
const forgotten = (facts) =>
  facts.turns
    .filter(({ state, answer, row }) => state === 'done' && answer && row !== null && !isShown(facts, answer))
    .filter(({ id }) => !facts.messages.some((row) => isPartOf(row.send_key, id) && explains(facts, row)))
    .map(({ id, answer }) => `the turn ${id} is done, and no chat shows "${answer}"`)

const explains = ({ mayFail }, { state }) => state === 'unknown' || (state === 'failed' && mayFail)

const isPartOf = (key, turn) => key?.startsWith(`turn/${turn}/`)

export const saidOnce = {
  name: 'every answer is said once, or is unknown and reported',
  check: (facts) => [...repeated(facts), ...unsaid(facts), ...forgotten(facts)],
}
