// An answer that comes while another change of the journal is on its way to the store: what was to be written before
// does not take its place.
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { rpcMethods, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import type { Reader } from '@mynah/kernel'
import { Database, entities, entity } from '@mynah/plugin-database/api'
import { questionId } from '../tools/questions.js'
import { eachTest, said, until, type Options } from './support.js'

/** Rows that fill a commit: what else is to be written waits for the next one. */
const FULL = 5_000
const Filler = entity<{ readonly id: string }>({
  package: 'test',
  name: 'filler',
  columns: { id: { type: 'text', primary: true } },
})

/** Resolves when everything that was begun has asked the store for what it wants. */
const asked = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

describe('an answer that comes while the journal is written', () => {
  const rigs = eachTest()

  it('stays in it', async () => {
    let waitNow = (): void => {}
    let goOn = (): void => {}
    const waits = new Promise<void>((resolve) => {
      waitNow = resolve
    })
    const over = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const tool = defineTool({
      name: 'waits',
      description: 'Waits',
      parameters: Type.Object({}),
      run: async (_, call) => {
        await waits
        await call.wait('owner', 'the-owner', () => over)
        return 'waited'
      },
    })
    let methods!: Reader<BoundMethod>
    const setup: Options['setup'] = (ctx) => {
      ctx.contribute(entities, Filler)
      methods = ctx.read(rpcMethods)
    }
    const rig = await rigs.start(
      [
        {
          calls: [
            { name: 'ask_user', input: { question: 'Which?' }, id: 'asks' },
            { name: 'waits', input: {} },
          ],
        },
        'Blue it is.',
      ],
      { database: true, tools: [tool], setup },
    )
    const id = await rig.hear('choose')
    await until(() => rig.texts.length === 1 && rig.agent.turns()[0]?.state === 'waiting')
    const turn = rig.agent.turns()[0]?.id ?? ''
    const db = rig.host.get(Database) as Database
    await db.tx(async (writes) => {
      await writes.run('CREATE TABLE journalled (n INTEGER PRIMARY KEY, waiting TEXT)')
      await writes.run(
        'CREATE TRIGGER journals AFTER UPDATE OF waiting ON agent_turn BEGIN INSERT INTO journalled (waiting) VALUES (NEW.waiting); END',
      )
    })
    // Nothing is written until all of it is asked for: the commit that is full, the line of the second wait, the
    // answer.
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let isHeld = false
    const holding = db.tx(async () => {
      isHeld = true
      await held
    })
    await until(() => isHeld)
    const filling = db.append(
      Filler,
      Array.from({ length: FULL }, (_, n) => ({ id: String(n) })),
    )
    waitNow()
    await asked()
    const answering = methods
      .get('agent:answer')
      ?.value.handler({ id: questionId(turn, 'asks'), text: 'blue' }, undefined as never)
    await asked()
    letGo()
    await Promise.all([holding, filling, answering])
    goOn()
    await rig.ended(id)
    const written = await db.read((reads) =>
      reads.query<{ waiting: string | null }>('SELECT waiting FROM journalled ORDER BY n'),
    )
    const lines = written.map(({ waiting }) => waiting ?? '').filter((waiting) => waiting.includes('"call":"asks"'))
    const answered = lines.findIndex((waiting) => waiting.includes('"answer":"blue"'))
    expect(answered).to.be.at.least(0)
    for (const waiting of lines.slice(answered)) expect(waiting).to.include('"answer":"blue"')
    expect(said(rig.models.requests[1]).at(-1)).to.equal('tool: result blue|result waited')
  })
})
