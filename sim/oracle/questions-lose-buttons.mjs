// A question that is over has no buttons, in a message that the host knows and could edit.

export const questionsLoseButtons = {
  name: 'a question that is over has no buttons',
  // When a history has ended, every question was answered, or has expired.
  check({ shown, messages, editsFailed, clockLeaps }) {
    if (editsFailed || clockLeaps) return []
    const sent = new Set(messages.map(({ state, message_id: id }) => (state === 'sent' ? id : null)))
    return shown
      .filter(
        ({ id, isDeleted, segments }) => !isDeleted && sent.has(id) && JSON.stringify(segments).includes('"/answer '),
      )
      .map(({ id, texts }) => `${id} still shows the buttons of ${JSON.stringify(texts.at(-1))}`)
  },
}
