// Waiting is not an attempt: a turn is given up only after two lives of the host in which it did more than wait.

const LEAST_ATTEMPTS = 2

export const waitingIsNoAttempt = {
  name: 'a turn is given up only after two attempts, and waiting is none',
  check: ({ turns, turnAttempts }) =>
    turns
      .filter(({ state, row }) => state === 'interrupted' && row !== null)
      .map((turn) => ({ ...turn, attempts: turnAttempts.get(turn.id)?.size ?? 0 }))
      .filter(({ attempts }) => attempts < LEAST_ATTEMPTS)
      .map(({ id, text, attempts }) => `the turn ${id} "${text}" was given up after ${attempts} attempts`),
}
