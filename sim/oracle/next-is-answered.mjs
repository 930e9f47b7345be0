// A message that the model refuses ends no conversation: when all is over, the next message is answered.

const isAnswered = ({ shown }, { platform, from, id }) =>
  shown.some(
    (message) =>
      message.platform === platform && message.channel.id === from && message.texts.at(-1).includes(`echo ${id}`),
  )

export const nextIsAnswered = {
  name: 'the next message is answered, whatever the model refused',
  check: (facts) =>
    facts.after.filter((one) => !isAnswered(facts, one)).map(({ from, id }) => `${id} of ${from} got no answer`),
}
