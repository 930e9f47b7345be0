// Every message that the host accepted is handled once, or its sender is told that it was interrupted.

/** Words by which a host tells that nothing came of a message, in chat. */
export const INTERRUPTED = /interrupted|say it again|send it again|host stopped|restarted/i

const ORDER = /^do (\w+)/

const inboundOf = ({ messages }, { platform, id }) =>
  messages.find((row) => row.direction === 'in' && row.adapter === platform && row.inbound_id === id)

/** Whether people were told that nothing comes of a message: in an answer to it, or in its chat. */
const isTold = ({ shown }, { platform, channel }) =>
  shown.some(
    (message) => message.platform === platform && message.channel.id === channel.id && INTERRUPTED.test(message.texts.at(-1)),
  )

function timesOf({ handled, turns }, { id, text }, row) {
  if (ORDER.test(text)) return turns.filter((turn) => turn.row === row?.id).length
  if (text.startsWith('/stop') || !text.startsWith('/')) return undefined
  return handled.get(id) ?? 0
}

function problemOf(facts, update) {
  const row = inboundOf(facts, update)
  const times = timesOf(facts, update, row)
  if (times > 1) return `${update.id} was handled ${times} times`
  if (!row) return update.isAccepted && !times && !facts.mayBeUnsaved(update) ? `${update.id} was accepted and is gone` : undefined
  if (row.state === 'interrupted' && !isTold(facts, update)) return `${update.id} is interrupted, and nobody was told`
  if (row.state === 'handled' && times === 0) return `${update.id} reads handled and was not`
  return undefined
}

export const acceptedIsHandled = {
  name: 'every accepted message is handled once or told as interrupted',
  check: (facts) => facts.updates.map((update) => problemOf(facts, update)).filter(Boolean),
}
