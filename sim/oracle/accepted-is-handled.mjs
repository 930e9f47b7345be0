// Every message that the host accepted is handled once, or its chat shows that it was interrupted.

/** Words of a notice that a message was interrupted. */
export const INTERRUPTED = /interrupted|say it again|send it again|host stopped|restarted/i

const ORDER = /^do (\w+)/

const inboundOf = ({ messages }, { platform, id }) =>
  messages.find((row) => row.direction === 'in' && row.adapter === platform && row.inbound_id === id)

/** Whether the chat of a message shows that it was interrupted, or an answer to it has an outcome. */
const isReported = ({ shown, messages, mayFail }, { platform, channel }, { id }) =>
  shown.some(
    (message) =>
      message.platform === platform && message.channel.id === channel.id && INTERRUPTED.test(message.texts.at(-1)),
  ) ||
  messages.some(
    ({ answers, send_key, channel_id, adapter, state }) =>
      // One notice tells a person about all messages in a chat.
      (answers === id || (send_key?.startsWith('interrupted:') && adapter === platform && channel_id === channel.id)) &&
      (state === 'sent' || state === 'unknown' || (state === 'failed' && mayFail)),
  )

/** Whether a message came while a turn of its chat waited for an answer that was stopped afterwards. */
const isForgotten = (turns, row) =>
  turns.some(
    ({ state, text, origin, started_at: from, ended_at: to }) =>
      state === 'stopped' &&
      /question|choice/.test(text) &&
      JSON.parse(origin).channel?.id === row?.channel_id &&
      row.timestamp >= from &&
      row.timestamp <= to,
  )

function timesOf({ handled, turns, results, mayBeUnsaved }, update, row) {
  const { id, text } = update
  // The turn of a message that is handled without a row does not name it.
  const isOf = (turn) => turn.row === row?.id || (mayBeUnsaved(update) && turn.row === null && turn.text === text)
  // In a chat with an open question an order is its answer, which a turn forgets that is stopped.
  if (ORDER.test(text))
    return (
      turns.filter(isOf).length || Number(results.some((result) => result.includes(text)) || isForgotten(turns, row))
    )
  if (/^\/(stop|approve)/.test(text) || !text.startsWith('/')) return undefined
  return handled.get(id) ?? 0
}

function problemOf(facts, update) {
  const row = inboundOf(facts, update)
  const times = timesOf(facts, update, row)
  if (times > 1 && !(facts.mayBeUnsaved(update) && facts.mayBeSaved)) return `${update.id} was handled ${times} times`
  if (!row)
    return update.isAccepted && !times && !facts.mayBeUnsaved(update)
      ? `${update.id} was accepted and is gone`
      : undefined
  if (row.state === 'interrupted' && !facts.mayBeOld && !isReported(facts, update, row))
    return `${update.id} is interrupted, and its chat heard nothing of it`
  if (row.state === 'handled' && times === 0) return `${update.id} reads handled and was not`
  return undefined
}

export const acceptedIsHandled = {
  name: 'every accepted message is handled once or reported as interrupted',
  check: (facts) => facts.updates.map((update) => problemOf(facts, update)).filter(Boolean),
}
