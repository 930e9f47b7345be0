// The practice model as an agent meets it: through the plugin `ai`.
import { expect } from 'chai'
import { startHost, TestClock, until, type TestHost } from '@mynah/kernel/testing'
import ai from '@mynah/plugin-ai'
import { Models, type ModelMessage, type ModelPart } from '@mynah/plugin-ai/api'
import practice from './index.js'
import { answerTo } from './script.js'

const user = (content: string) => ({ role: 'user', content })
const tool = (name: string) => ({ function: { name } })

describe('the practice model', () => {
  let running: TestHost
  const clock = new TestClock()

  before(async () => {
    running = await startHost([{ plugin: ai as never, config: {} }, { plugin: practice as never }], { clock })
    await until(() => models().list()[0]?.status === 'ready')
  })
  after(() => running.host.stop())

  const models = (): Models => running.host.get(Models) as Models

  /** Returns the parts of an answer, while the time passes that its words take. */
  async function parts(text: string, tools: readonly string[] = []): Promise<readonly ModelPart[]> {
    const messages: readonly ModelMessage[] = [{ role: 'user', content: text }]
    const definitions = tools.map((name) => ({ name, description: name, parameters: { type: 'object' } }))
    const candidates = await models().candidatesFor({})
    const all: ModelPart[] = []
    let isOver = false
    const reading = (async () => {
      for await (const part of models().stream({ messages, tools: definitions }, { candidates })) all.push(part)
      isOver = true
    })()
    await until(async () => {
      await clock.advance(25)
      return isOver
    })
    await reading
    return all
  }

  it('writes its answer word by word, and says what it is and how a real one takes its place', async () => {
    const all = await parts('hello')
    expect(all.filter(({ type }) => type === 'text')).to.have.length.above(30)
    const end = all.at(-1)
    expect(end).to.deep.include({ type: 'finish', reason: 'stop', provider: 'practice', model: 'practice-model' })
    expect(JSON.stringify(end))
      .to.contain('I am a practice model: a script, not an intelligence')
      .and.contain('\\"Give it a model\\" on the dashboard replaces me')
  })

  it('calls a tool', async () => {
    const call = (await parts('roll a die', ['dice'])).find(({ type }) => type === 'tool-call')
    expect(call).to.deep.include({ name: 'dice', input: { sides: 6 } })
  })

  it('answers nothing else at its address', async () => {
    const { serve } = await import('./serve.js')
    const get = async (path: string) => serve(new Request(`http://practice.invalid${path}`), running.host as never)
    expect((await get('/v1/embeddings')).status).to.equal(404)
    expect(await (await get('/v1/models')).json()).to.have.nested.property('data[0].id', 'practice-model')
  })
})

describe('the script of the practice model', () => {
  const called = (said: string, ...names: string[]) =>
    answerTo({ messages: [user(said)], tools: names.map(tool) }).calls[0]

  it('has a rule for each line of its greeting', () => {
    expect(called('ask me something', 'ask_user')?.name).to.equal('ask_user')
    expect(called('run touch list.txt', 'bash')?.input).to.deep.equal({ command: 'touch list.txt' })
    expect(called('remember that I like tea', 'remember')?.input).to.deep.equal({ text: 'I like tea' })
    expect(called('what do you know of me?', 'recall')?.name).to.equal('recall')
    expect(called('every minute say tick', 'cron_add')?.input).to.deep.equal({
      cron_expression: '* * * * *',
      prompt: 'say tick',
      notify_channel: 'im',
    })
    expect(called('do it in the background', 'spawn_task')?.name).to.equal('spawn_task')
  })

  it('calls any tool with the input of the user', () => {
    expect(called('use order {"order": "A1"}', 'order')).to.deep.equal({ name: 'order', input: { order: 'A1' } })
    expect(called('use order', 'order')?.input).to.deep.equal({})
    expect(answerTo({ messages: [user('use order {no}')], tools: [tool('order')] }).text).to.equal(
      'You said: use order {no}',
    )
  })

  it('searches for a tool that is not at hand, and calls it then', () => {
    const found = [
      user('roll a die'),
      { role: 'assistant', tool_calls: [tool('tool_search')] },
      { role: 'tool', content: 'dice: rolls a die' },
    ]
    expect(called('roll a die', 'tool_search')).to.deep.equal({ name: 'tool_search', input: { query: 'dice' } })
    expect(answerTo({ messages: found, tools: [tool('dice')] }).calls[0]?.name).to.equal('dice')
    expect(answerTo({ messages: found, tools: [] }).text).to.equal('The tool says: dice: rolls a die')
  })

  it('repeats what it has no rule for, and says what a job asks it to say', () => {
    expect(answerTo({ messages: [user('plums')] }).text).to.equal('You said: plums')
    expect(answerTo({ messages: [user('say hello to all')] }).text).to.equal('hello to all')
    expect(answerTo({}).text).to.contain('I am a practice model')
  })

  it('reads the words of a user from what the host writes around them', () => {
    const spoken = (content: string | { text: string }[]) => answerTo({ messages: [{ role: 'user', content }] }).text
    expect(spoken([{ text: '[It is Monday]' }, { text: 'plums' }])).to.equal('You said: plums')
    expect(spoken('<message from="ann">\nplums\n</message>')).to.equal('You said: plums')
    expect(spoken('[The user adds] plums')).to.equal('You said: plums')
    const note = user('[Said by the same user since, and answered elsewhere] pears')
    expect(answerTo({ messages: [user('plums'), note] }).text).to.equal('You said: plums')
  })
})
