// Checks commands and their answers over all lives of a host.

const twice = (list) => [...new Set(list.filter((one, at) => list.indexOf(one) !== at))]
const some = (list) => `${list.length}, such as ${list.slice(0, 3).join(' | ')}`

/**
 * Returns the faults and the counts. Every accepted command ran once and was answered once, or its row says that it
 * was not.
 *
 * @param lives what all processes said; the last one has the rows
 * @param mayInterrupt how many messages may be interrupted
 * @param mayBeUnknown how many answers may be unknown
 */
export function onceEach(lives, { mayInterrupt = 0, mayBeUnknown = 0 } = {}) {
  const all = (word) => lives.flatMap((life) => life.after(word))
  const [accepted, ran] = [all('accepted'), all('ran')]
  // Other texts ask the sender of an interrupted message to say it again.
  const sent = all('sent').filter((text) => /^\w+-\d+$/.test(text))
  const rows = lives
    .at(-1)
    .after('row')
    .map((line) => line.replace('/do ', '').split(' '))
  const stateOf = (direction, id) => rows.find(([way, , text]) => way === direction && text === id)?.[1]
  const interrupted = accepted.filter((id) => stateOf('in', id) === 'interrupted')
  const unknown = rows.filter(([way, state]) => way === 'out' && (state === 'unknown' || state === 'failed'))
  const open = rows.filter(([, state]) => ['received', 'handling', 'draft', 'intent', 'sending'].includes(state))
  const lost = accepted.filter(
    (id) => !sent.includes(id) && !interrupted.includes(id) && !unknown.some(([, , text]) => text === id),
  )
  // The row says `interrupted`, so the sender says it again.
  const denied = interrupted.filter((id) => sent.includes(id))
  const ranTwice = twice(ran)
  const saidTwice = twice(sent)
  const wrong = [
    ranTwice.length > 0 && `ran twice: ${some(ranTwice)}`,
    saidTwice.length > 0 && `said twice: ${some(saidTwice)}`,
    lost.length > 0 && `lost: ${some(lost)}`,
    denied.length > 0 && `interrupted, though answered: ${some(denied)}`,
    interrupted.length > mayInterrupt && `interrupted: ${some(interrupted)}`,
    unknown.length > mayBeUnknown && `unknown or failed: ${some(unknown.map(([, , text]) => text))}`,
    open.length > 0 && `left open: ${some(open.map(([way, state, text]) => `${way} ${state} ${text}`))}`,
  ].filter(Boolean)
  const counts = {
    accepted: accepted.length,
    lost: lost.length,
    twice: ranTwice.length + saidTwice.length,
    unknown: unknown.length,
    interrupted: interrupted.length,
  }
  return { wrong, counts }
}
