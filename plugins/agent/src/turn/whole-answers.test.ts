import { expect } from 'chai'
import { ModelError } from '@mynah/plugin-ai/api'
import { eachTest, said, until, type Rig } from '../test/support.js'

const MODEL = { provider: 'script', model: 'scripted' }

describe('an answer that is not whole', () => {
  const rigs = eachTest()
  /** A platform whose messages can be edited. */
  const editing = () => {
    const edits: string[] = []
    return {
      edits,
      bot: { edit: async (_target: unknown, _id: string, message: { text: string }) => void edits.push(message.text) },
    }
  }
  /** Returns the texts that a person sees at the end, one for each message. */
  const seen = (rig: Rig, edits: readonly string[]): string => edits.at(-1) ?? rig.texts.join('\n---\n')

  it('ends with a note when the connection to the model is lost', async () => {
    const rig = await rigs.start([{ text: 'The beginning', error: 'network' }, 'Hello.'])
    const [text] = await rig.say('tell me')
    expect(text).to.match(/^The beginning\n\n\(The answer breaks off here/)
    await rig.say('again')
    expect(said(rig.models.requests[1]).join('\n'), 'no note in the conversation').to.contain('The beginning')
    expect(said(rig.models.requests[1]).join('\n')).not.to.contain('breaks off')
  })

  it('ends with a note when the model has reached its limit', async () => {
    const rig = await rigs.start([
      { text: 'The beginning', reason: 'length' },
      { text: '', reason: 'length' },
    ])
    expect((await rig.say('tell me'))[0]).to.match(/^The beginning\n\n\(The answer ends here: it has reached/)
    expect((await rig.say('tell me'))[0]).to.match(/^\(The answer ends here: it has reached/)
  })

  for (const stream of ['draft', 'chunks', 'off'])
    it(`stays when the turn is stopped, and the note follows (${stream})`, async () => {
      let hold = (): void => {}
      const held = new Promise<void>((resolve) => (hold = resolve))
      const { edits, bot } = editing()
      const rig = await rigs.start(
        (_request, index) =>
          index === 0
            ? { text: 'The first paragraph of the answer, which is long enough.\n\nThe second', calls: [] }
            : 'Hello.',
        { config: { 'ai.agent': { stream } }, bot },
      )
      const stream1 = rig.models.stream
      rig.models.stream = async function* (request, options) {
        for await (const part of stream1(request, options)) {
          if (part.type === 'finish' && rig.models.requests.length === 1) {
            hold()
            await new Promise((_resolve, reject) =>
              options.signal?.addEventListener('abort', () => reject(new ModelError('aborted', 'The caller gave up')), {
                once: true,
              }),
            )
          }
          yield part
        }
      }
      const message = await rig.hear('tell me')
      await held
      if (stream !== 'off') await until(() => rig.sent.length > 0)
      await rig.say('/stop')
      await rig.ended(message)
      const all = stream === 'draft' ? seen(rig, edits) : rig.texts.join('\n\n')
      if (stream === 'off') expect(all).not.to.contain('paragraph')
      else {
        expect(all).to.contain('The first paragraph of the answer, which is long enough.\n\nThe second')
        expect(all.split('The first paragraph')).to.have.length(2)
      }
      expect(all).to.contain('Stopped.')
      await rig.say('go on')
      expect(said(rig.models.requests[1]).join('\n')).to.contain('assistant: The first paragraph')
    })

  it('keeps what was said before a tool was called', async () => {
    const { edits, bot } = editing()
    const rig = await rigs.start(
      [{ text: 'Let me look around first.', calls: [{ name: 'chat_history', input: {} }] }, 'It is done.'],
      { bot },
    )
    await rig.say('what did I say earlier?')
    expect(seen(rig, edits)).to.equal('Let me look around first.\n\nIt is done.')
  })

  it('loses nothing behind paragraphs that were sent before a tool was called', async () => {
    const rig = await rigs.start(
      [
        {
          text: 'Let me look around first, which takes a moment.',
          calls: [{ name: 'chat_history', input: {} }],
        },
        'Here is a first paragraph that is long enough to be sent.\n\nDone.',
      ],
      { config: { 'ai.agent': { stream: 'chunks' } } },
    )
    expect(await rig.say('what did I say earlier?')).to.deep.equal([
      'Let me look around first, which takes a moment.',
      'Here is a first paragraph that is long enough to be sent.',
      'Done.',
    ])
  })

  for (const [failure, words] of [
    [new ModelError('overloaded', 'busy'), 'The model is busy'],
    [new ModelError('network', 'the connection is refused'), 'The model cannot be reached'],
  ] as const)
    it(`says after five seconds that a model is waited for, with the reason: ${failure.class}`, async () => {
      const { edits, bot } = editing()
      let busy = (): void => {}
      let free = (): void => {}
      const isBusy = new Promise<void>((resolve) => (busy = resolve))
      const isFree = new Promise<void>((resolve) => (free = resolve))
      const rig = await rigs.start(['Here I am.'], { bot })
      const { stream } = rig.models
      rig.models.stream = async function* (request, options) {
        busy()
        yield { type: 'waiting', ...MODEL, ms: 10_000, reason: failure }
        await isFree
        yield* stream(request, options)
      }
      const message = await rig.hear('hi')
      await isBusy
      await rig.clock.advance(4_900)
      expect(rig.texts).to.deep.equal([])
      await rig.clock.advance(100)
      await until(() => rig.texts.length === 1)
      expect(rig.texts[0]).to.contain(words)
      free()
      await rig.clock.advance(2_000)
      await rig.ended(message)
      expect(edits.at(-1)).to.equal('Here I am.')
    })

  it('leaves the models no more time than the turn has', async () => {
    const rig = await rigs.start(['Hello.'], { config: { 'ai.trigger': { timeout: 20_000 } } })
    const { stream } = rig.models
    let limit: number | undefined
    rig.models.stream = (request, options) => {
      limit = options.firstChunkTimeout
      return stream(request, options)
    }
    await rig.say('hi')
    expect(limit).to.be.within(1, 20_000)
  })

  for (const stream of ['draft', 'chunks', 'off'])
    it(`replaces words that turn out to be reasoning (${stream})`, async () => {
      const { edits, bot } = editing()
      const rig = await rigs.start([], { config: { 'ai.agent': { stream } }, bot })
      const thought = 'The user greets me, and I should be friendly to them.\n\nSo I greet.'
      const answer = 'Hello there, and a paragraph that is long enough to be sent.\n\nDone.'
      rig.models.stream = async function* () {
        yield { type: 'start', ...MODEL }
        yield { type: 'text', text: thought }
        // A draft shows them by then.
        if (stream !== 'off') await until(() => rig.sent.length > 0)
        yield { type: 'text', text: '', replaces: true }
        yield { type: 'text', text: answer }
        const content = [
          { type: 'reasoning' as const, text: thought },
          { type: 'text' as const, text: answer },
        ]
        const message = { role: 'assistant' as const, content, model: 'script:scripted' }
        const usage = { input: 1, cachedInput: 0, output: 1 }
        yield { type: 'finish', reason: 'stop', usage, message, ...MODEL }
      }
      const heard: string[] = []
      const texts = await rig.say('hello')
      if (stream === 'draft') expect(seen(rig, edits)).to.equal(answer)
      else if (stream === 'chunks') expect(texts).to.deep.equal([thought.split('\n\n')[0], ...answer.split('\n\n')])
      else expect(texts).to.deep.equal([answer])
      await rig.agent.ask({ text: 'hello', onChunk: (_chunk, full) => void heard.push(full) })
      expect(heard).to.deep.equal([thought, '', answer])
    })
})
