// The specification of the agent, sentence by sentence, and the tests that show it. They run with
// their plugins: here it is checked that each one exists.
import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { CONFIGURATION } from './conformance/configuration.js'
import { CONVERSATION } from './conformance/conversation.js'
import { JOBS } from './conformance/jobs.js'
import type { Sentences } from './conformance/sentences.js'
import { TOOLS } from './conformance/tools.js'

const ROOT = new URL('../../../../', import.meta.url)
const PARTS = { configuration: CONFIGURATION, conversation: CONVERSATION, 'tools and shell': TOOLS, jobs: JOBS }

/** Returns whether a file has a test, or a group of them, whose title begins so. */
function hasTest(file: string, title: string): boolean {
  const url = new URL(file, ROOT)
  if (!existsSync(url)) return false
  const source = readFileSync(url, 'utf8').replace(/\b(it|describe)\(\s{0,99}/g, '$1(')
  return ['it', 'describe'].some((name) => ["'", '"', '`'].some((quote) => source.includes(`${name}(${quote}${title}`)))
}

const rowsOf = (sentences: Sentences): { file: string; title: string; sentence: string }[] =>
  Object.entries(sentences).flatMap(([file, tests]) =>
    Object.entries(tests).flatMap(([title, said]) => said.map((sentence) => ({ file, title, sentence }))),
  )

describe('conformance: the agent', () => {
  for (const [part, sentences] of Object.entries(PARTS))
    describe(part, () => {
      for (const { file, title, sentence } of rowsOf(sentences))
        it(sentence, () => {
          expect(hasTest(file, title), `${file} has "${title}"`).to.equal(true)
        })
    })

  it('says each sentence once', () => {
    const all = Object.values(PARTS).flatMap((sentences) => rowsOf(sentences).map(({ sentence }) => sentence))
    expect(all.filter((sentence, at) => all.indexOf(sentence) !== at)).to.deep.equal([])
  })
})
