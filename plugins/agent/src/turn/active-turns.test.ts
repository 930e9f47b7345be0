import { expect } from 'chai'
import type { Turn } from '../session/types.js'
import { ActiveTurns } from './active-turns.js'
import { LiveTurn } from './live-turn.js'

function setUp() {
  const live = new LiveTurn({ id: 'turn', state: 'running', waiting: null } as unknown as Turn, undefined, undefined)
  const turns = new ActiveTurns()
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = () => {
      turns.delete('turn')
      resolve()
    }
  })
  turns.add({ live, toolbox: undefined as never, ended })
  let isIdle = false
  const idle = turns.idle().then(() => (isIdle = true))
  return { live, end, idle, isIdle: () => isIdle }
}

describe('ActiveTurns', () => {
  it('are idle when the last one begins to wait for a person', async () => {
    const { live, idle, isIdle } = setUp()
    live.update({ stage: 'model' })
    await new Promise(setImmediate)
    expect(isIdle()).to.equal(false)
    live.update({ state: 'waiting' })
    await idle
  })

  it('are idle when the last one has ended', async () => {
    const { end, idle, isIdle } = setUp()
    await new Promise(setImmediate)
    expect(isIdle()).to.equal(false)
    end()
    await idle
  })
})
