// Every message that the host accepted is handled once, or its sender is told that it was interrupted.

const INTERRUPTED = /interrupted|say it again/i

function inboundOf({ messages }, { platform, id }) {
  return messages.find((row) => row.direction === 'in' && row.adapter === platform && row.inbound_id === id)
}

/** Whether people were told that nothing comes of a message. */
function isTold({ shown }, { platform, channel }) {
  return shown.some(
    (message) => message.platform === platform && message.channel.id === channel.id && INTERRUPTED.test(message.texts.at(-1)),
  )
}

function problemOf(facts, update) {
  const row = inboundOf(facts, update)
  const times = facts.handled.get(update.id) ?? 0
  if (times > 1) return `${update.id} was handled ${times} times`
  if (!row) return update.isAccepted && times === 0 ? `${update.id} was accepted and is gone` : undefined
  if (row.state === 'interrupted' && !isTold(facts, update)) return `${update.id} is interrupted, and nobody was told`
  if (row.state === 'handled' && times === 0) return `${update.id} reads handled and was not`
  return undefined
}

export const accepted = {
  name: 'every accepted message is handled once or told as interrupted',
  check: (facts) => facts.updates.map((update) => problemOf(facts, update)).filter(Boolean),
}
