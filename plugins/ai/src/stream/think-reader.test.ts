import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { chunk, partsOf, PlayedServer, serviceOf, textIn } from '../test/support.js'
import { ThinkReader } from './think-reader.js'

/** Returns what a reader makes of content that comes in pieces. */
function read(pieces: readonly string[]): { reasoning: string; text: string } {
  const reader = new ThinkReader()
  let all = { reasoning: '', text: '' }
  for (const piece of pieces) {
    const { reasoning, text, replaces } = reader.take(piece)
    all = replaces
      ? { reasoning: all.reasoning + all.text + reasoning, text }
      : { reasoning: all.reasoning + reasoning, text: all.text + text }
  }
  return { ...all, text: all.text + reader.end() }
}

describe('ThinkReader', () => {
  const examples: readonly (readonly [what: string, content: string, reasoning: string, text: string])[] = [
    ['an element before the text', '<think>I wonder.</think>\n\nYes.', 'I wonder.', 'Yes.'],
    ['white space before an element', ' \n<think>a</think>b', 'a', 'b'],
    ['several elements', '<think>a</think> <think>b</think>c', 'ab', 'c'],
    ['an empty element', '<think>\n</think>\nc', '\n', 'c'],
    ['an element that is never closed', '<think>a < b', 'a < b', ''],
    ['a part of a tag within the reasoning', '<think>a </thin b</think>c', 'a </thin b', 'c'],
    ['no element', '  Hello <b>you</b>', '', '  Hello <b>you</b>'],
    ['an element further on', 'Write <think>a</think>.', '', 'Write <think>a</think>.'],
    ['other names, in any case', '<Thinking>a</THINKING><thought>b</thought><reasoning>c</reasoning>d', 'abc', 'd'],
    ['an end of another name', '<think>a</thinking>b', 'a', 'b'],
    ['another tag', '<thinker>a</thinker>', '', '<thinker>a</thinker>'],
    ['an end without a beginning', 'The user greets.\n</think>\n\nHello there!', 'The user greets.\n', 'Hello there!'],
    ['such an end after a space', 'I am friendly. </think>\nHello!', 'I am friendly. ', 'Hello!'],
    ['such an end after a word', 'I am friendly.</Thought>Hello!', 'I am friendly.', 'Hello!'],
    ['such an end at the beginning', '</think>\nHello!', '', 'Hello!'],
    ['such an end, and an element', 'a</think><think>b</think>c', 'ab', 'c'],
    ['an end in code', 'Write `</think>` or\n```\n</think>\n```\n', '', 'Write `</think>` or\n```\n</think>\n```\n'],
    ['an end in a block that is open', '~~~\n</think>\nb', '', '~~~\n</think>\nb'],
    ['an end behind words and its beginning', 'So <think>a</think> b', '', 'So <think>a</think> b'],
    ['an end behind a sentence', 'I greet. </THINK> Hello!', 'I greet. ', 'Hello!'],
    ['an end behind a sentence, and nothing more', 'I call the tool. </think>', 'I call the tool. ', ''],
    ['a beginning without an end', '<thought>a\n`b`', 'a\n`b`', ''],
    ['a beginning in code', '`<think>` begins it.', '', '`<think>` begins it.'],
    ['an end in quotes', 'The tag "</think>" ends it.', '', 'The tag "</think>" ends it.'],
    ['an end behind quotes', 'I say "hi"</think>Hi!', 'I say "hi"', 'Hi!'],
    ['an end with white space around', 'I think so </think> \r\n\nHi!', 'I think so ', 'Hi!'],
    ['an end among words', 'The tag </think> ends it.', '', 'The tag </think> ends it.'],
    ['only the first end as one', 'a</think>b\n</think>c', 'a', 'b\n</think>c'],
    ['only the beginning of an end', 'a</thi', '', 'a</thi'],
    ['only the beginning of a tag', '<thi', '', '<thi'],
    ['nothing', '', '', ''],
  ]
  for (const [what, content, reasoning, text] of examples)
    it(`reads ${what}, however it is divided`, () => {
      expect(read([content])).to.deep.equal({ reasoning, text })
      expect(read([...content])).to.deep.equal({ reasoning, text })
      for (let at = 1; at < content.length; at++)
        expect(read([content.slice(0, at), content.slice(at)])).to.deep.equal({ reasoning, text })
    })

  it('holds no more than some white space back', () => {
    const reader = new ThinkReader()
    expect(reader.take(' '.repeat(2_000)).text).to.have.length(2_000)
  })
})

describe('an answer with reasoning in its content', () => {
  it('has the reasoning in parts of its own, and none of it in its text', async () => {
    const server = await PlayedServer.start((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const piece of ['<th', 'ink>Let me', ' see.</', 'think>\n', '\nFour', '.'])
        response.write(chunk({ content: piece }))
      response.write(chunk({}, 'stop'))
      response.end('data: [DONE]\n\n')
    })
    try {
      const { models } = serviceOf(
        { a: { sdk: 'openai-compatible', baseUrl: server.url, models: ['one'] } },
        { clock: new TestClock() },
      )
      const parts = await partsOf(models, 'hi', { candidates: [{ provider: 'a', model: 'one' }] })
      expect(textIn(parts)).to.equal('Four.')
      expect(parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')).to.equal('Let me see.')
      expect((parts.at(-1) as { message: unknown }).message).to.deep.include({
        content: [
          { type: 'reasoning', text: 'Let me see.' },
          { type: 'text', text: 'Four.' },
        ],
      })
    } finally {
      await server.stop()
    }
  })
})
