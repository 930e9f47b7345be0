import { expect } from 'chai'
import { runHistory } from '../history/run.mjs'
import { shortPlan } from '../history/systematic.mjs'
import { findingsOf, sentences } from '../oracle/index.mjs'

/** For each sentence, what breaks it and no other one, in a history in which all went well. */
const MUTATIONS = {
  'every accepted message is handled once or reported as interrupted': ({ handled }) => handled.set('m1', 2),
  'every answer is said once, or is unknown and reported': ({ shown }) =>
    shown.push({ ...shown.find(({ texts }) => texts.at(-1) === 'echo m1'), id: 'again' }),
  'no effect marked once happens twice': ({ effects }) => effects.set('strike m2', 2),
  'nothing waits for ever': ({ turns }) => Object.assign(turns[0], { ended_at: null, state: 'running' }),
  'every committed change is reported to a client that resumes': (facts) => {
    const { id } = facts.messages.find(({ state }) => state === 'sent')
    facts.events = facts.events.filter(({ data }) => !data.includes(id))
    facts.received = facts.received.filter(({ data }) => data?.id !== id)
  },
  'no session has a ring': ({ entries }) => {
    const { session } = entries[0]
    const own = entries.filter((entry) => entry.session === session)
    own[0].parent = own.at(-1).n
  },
  'counters equal rows': ({ counts }) => counts[0].total++,
  'nothing empty was said': ({ shown }) => shown.push({ ...shown[0], id: 'empty', texts: ['something', ''] }),
  'no error of the store reaches a chat': ({ shown }) =>
    shown.push({ ...shown[0], id: 'internal', texts: ['I could not answer: SQLITE_FULL'] }),
  'what a platform refused is not unknown, and waits as long as it says': ({ attempts }) =>
    attempts.unshift({ ...attempts[0], outcome: 'refused', until: attempts[0].at + 60_000 }),
  'a request waits as long as it was promised, and is taken back when it cannot be answered': ({ approvals }) =>
    approvals.push({ id: '0123456789', command: 'unlock m2', status: 'withdrawn' }),
  'a question that is over has no buttons': ({ shown }) =>
    Object.assign(shown[0], {
      segments: [{ type: 'card', data: { buttons: [{ text: 'blue', command: '/answer q 1' }] } }],
    }),
  'the next message is answered, whatever the model refused': ({ after }) =>
    after.push({ platform: 'queue', from: 'ann', id: 'z1' }),
  'a turn is given up only after two attempts, and waiting is none': ({ turns }) =>
    Object.assign(turns[0], { state: 'interrupted' }),
}

describe('The oracle', () => {
  it('finds nothing where all goes well', async () => {
    const { findings, events } = await runHistory(shortPlan)
    expect(findings).to.deep.equal([])
    expect(events).to.be.greaterThan(50)
  })

  for (const { name } of sentences)
    it(`alone notices when this breaks: ${name}`, async () => {
      const { facts } = await runHistory(shortPlan)
      MUTATIONS[name](facts)
      const broken = new Set(findingsOf(facts, []).map(({ sentence }) => sentence))
      expect([...broken]).to.deep.equal([name])
    })
})
