import { expect } from 'chai'
import { isLeft } from '@mynah/plugin-ai/api'
import { TurnAborted } from './live-turn.js'

describe('TurnAborted', () => {
  it('tells tools of a stop of the host apart from an end of the turn', () => {
    expect(isLeft(new TurnAborted('suspended', 'the host stops'))).to.equal(true)
    for (const state of ['stopped', 'failed'] as const) expect(isLeft(new TurnAborted(state, 'why'))).to.equal(false)
  })
})
