import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import type { AgentRuntime } from '../runtime.js'
import { MemorySessions } from '../session/memory-store.js'
import type { Turn } from '../session/types.js'
import { Questions } from '../tools/questions.js'
import { ActiveTurns } from './active-turns.js'
import { TurnEvents } from './events.js'
import { LiveTurn } from './live-turn.js'
import { QuestionRouter } from './question-router.js'
import { TurnEntries } from './turn-entries.js'

/** A store that answers a claim late. */
class SlowClaims extends MemorySessions {
  release = (): void => {}

  override async claimTurn(turn: Turn, changes: Partial<Turn> & Pick<Turn, 'claim'>): Promise<Turn | undefined> {
    const claimed = await super.claimTurn(turn, changes)
    await new Promise<void>((resolve) => {
      this.release = resolve
    })
    return claimed
  }
}

describe('TurnEntries', () => {
  it('records an answer under the new claim that comes while the turn is being taken', async () => {
    const store = new SlowClaims(Date.now)
    const question = { kind: 'question', id: 'q', text: 'Which?', choices: ['red', 'blue'] }
    const turn = { id: 'turn', origin: {}, waiting: question, claim: 0, askKey: null, endedAt: null } as unknown as Turn
    await store.createTurn(turn)
    const live = new LiveTurn(turn, undefined, undefined)
    const activeTurns = new ActiveTurns()
    activeTurns.add({ live, toolbox: undefined as never, ended: Promise.resolve() })
    const questions = new Questions()
    const runtime = { activeTurns, questions, store, clock: systemClock, events: new TurnEvents() }
    const router = new QuestionRouter(runtime as unknown as AgentRuntime, Promise.resolve())
    const entries = new TurnEntries(runtime as unknown as AgentRuntime, live)

    const claiming = entries.claim({})
    const answering = router.answerById('q', 'red')
    await Promise.resolve()
    store.release()
    await Promise.all([claiming, answering])

    const stored = await store.turn('turn')
    expect(stored?.waiting).to.deep.include({ id: 'q', answer: 'red' })
    expect(stored?.claim).to.be.greaterThan(0)
    expect(live.journal.claim).to.equal(stored?.claim)
    expect(live.journal.waiting).to.deep.include({ answer: 'red' })
  })
})
