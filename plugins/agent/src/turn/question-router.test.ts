import { expect } from 'chai'
import { messageOf } from '@mynah/kernel'
import type { AgentRuntime } from '../runtime.js'
import type { Turn, WaitingFor } from '../session/types.js'
import { Questions } from '../tools/questions.js'
import { ActiveTurns } from './active-turns.js'
import { LiveTurn } from './live-turn.js'
import { QuestionRouter } from './question-router.js'

const QUESTION: WaitingFor = { kind: 'question', id: 'q', call: 'asks', text: 'Which?', choices: ['red', 'blue'] }

/** Returns a turn that waits for {@link QUESTION}, and the answers that reach its journal in the store. */
function setUp(record = async (): Promise<void> => {}) {
  const live = new LiveTurn({ id: 'turn', origin: {}, waiting: QUESTION } as unknown as Turn, undefined, undefined)
  const activeTurns = new ActiveTurns()
  activeTurns.add({ live, toolbox: undefined as never, ended: Promise.resolve() })
  const recorded: (string | undefined)[] = []
  const store = {
    async recordAnswer(_turn: string, waiting: WaitingFor | null): Promise<void> {
      await record()
      recorded.push(waiting?.answer)
    },
  }
  const questions = new Questions()
  const { answered } = questions.ask(
    { id: 'q', turn: 'turn', origin: {}, text: 'Which?', choices: ['red', 'blue'], expiresAt: 0 },
    new AbortController().signal,
  )
  const runtime = { activeTurns, questions, store } as unknown as AgentRuntime
  return { live, recorded, answered, router: new QuestionRouter(runtime, Promise.resolve()) }
}

describe('QuestionRouter', () => {
  it('records an answer after the write of the journal that is under way', async () => {
    const { live, recorded, answered, router } = setUp()
    let endWrite = (): void => {}
    live.track(
      new Promise<void>((resolve) => {
        endWrite = resolve
      }),
    )
    const answering = router.answerById('q', '2')
    await Promise.resolve()
    expect(recorded).to.deep.equal([])
    endWrite()
    await answering
    expect(recorded).to.deep.equal(['blue'])
    expect(await answered).to.equal('blue')
  })

  it('keeps an answer in the journal of the turn for writes that follow', async () => {
    const { live, router } = setUp()
    await router.answerById('q', 'red')
    expect(live.journal.waiting).to.deep.include({ id: 'q', answer: 'red' })
  })

  it('counts the first of two answers', async () => {
    const { recorded, router } = setUp()
    const second = router.answerById('q', 'red').then(() => router.answerById('q', 'blue'))
    expect(messageOf(await second.catch((error: unknown) => error))).to.equal('No such question waits for an answer')
    expect(recorded).to.deep.equal(['red'])
  })

  it('leaves a question open when its answer fails to be stored', async () => {
    const { live, router } = setUp(() => Promise.reject(new Error('the store is unavailable')))
    expect(messageOf(await router.answerById('q', 'red').catch((error: unknown) => error))).to.equal(
      'the store is unavailable',
    )
    expect(live.waits.questions).to.deep.equal([QUESTION])
  })
})
