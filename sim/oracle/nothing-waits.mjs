// Nothing waits for ever: after the quiet period nothing is under way.

const OPEN = new Set(['received', 'handling', 'intent', 'sending'])

export const nothingWaits = {
  name: 'nothing waits for ever',
  check: ({ messages, updates }) => [
    ...messages
      .filter(({ state }) => OPEN.has(state))
      .map(({ id, state, text, direction }) => `${direction} row ${id} "${text}" is still ${state}`),
    ...updates
      .filter(({ isAcknowledged, isLost }) => !isAcknowledged && !isLost)
      .map(({ id }) => `${id} was never taken`),
  ],
}
