import { expect } from 'chai'
import { eachTest, said } from '../test/support.js'

for (const database of [false, true]) {
  describe(`TurnFailure: a refused request ${database ? 'with a database' : 'without a database'}`, () => {
    const rigs = eachTest()
    const group = { channel: { type: 'group', id: 'g' }, mentioned: true } as const

    for (const failure of ['refusal', 'format'] as const) {
      it(`(${failure}) is reported, and does not affect the next message`, async () => {
        const rig = await rigs.start(
          (request) => (JSON.stringify(request.messages).includes('POISON') ? { error: failure } : 'fine'),
          { database },
        )
        for (const more of [{}, group]) {
          expect(await rig.say('hello', more)).to.deep.equal(['fine'])
          expect((await rig.say('POISON', more)).join()).to.include('I could not answer')
          expect(await rig.say('and now?', more)).to.deep.equal(['fine'])
          expect(said(rig.models.requests.at(-1)).join()).to.include('hello')
        }
      })
    }
  })
}
