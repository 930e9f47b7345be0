// Waiting is no attempt: a turn is given up only after two lives of the host in which it has worked.

/** Lives in which a turn may have worked at most once it reads `interrupted`. */
const LEAST_LIVES = 2

export const waitingIsNoAttempt = {
  name: 'a turn is given up only after it has worked in two lives of the host',
  check: ({ turns, worked }) =>
    turns
      .filter(
        ({ state, row, id }) => state === 'interrupted' && row !== null && (worked.get(id)?.size ?? 0) < LEAST_LIVES,
      )
      .map(({ id, text }) => `the turn ${id} "${text}" was given up, and worked in ${worked.get(id)?.size ?? 0} lives`),
}
