import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { questions } from './test/questions.js'
import { Rig } from './test/support.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Returns the words of an English text and the pairs of characters of a Chinese one. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+|\p{Script=Han}+/gu) ?? []
  return words.flatMap((word) => {
    if (/^[a-z0-9]/.test(word)) return [word]
    return Array.from(word.slice(1), (character, at) => `${word[at]}${character}`)
  })
}

describe('questions about the documentation', () => {
  it('are 100, 40 of them in Chinese, with at most two words of the heading', () => {
    expect(questions.length).to.equal(100)
    expect(questions.filter(([page]) => page.includes('zh-CN')).length).to.equal(40)
    for (const [, heading, question] of questions) {
      const asked = new Set(wordsOf(question))
      const shared = new Set(wordsOf(heading).filter((word) => asked.has(word)))
      expect(shared.size, `${heading}: ${question}`).to.be.at.most(2)
    }
  })
})

/** Each system found five more when this was written. Changes of the pages may cost some. */
const LEAST = { sqlite: 70, postgres: 62 } as const

onEverySystem('questions about the documentation', (open, dialect) => {
  it('find the page that their author meant among the first three as often as before', async () => {
    const rig = await Rig.start(await open(), { docs: ['docs'] }, ROOT)
    try {
      const missed: string[] = []
      for (const [page, , question] of questions) {
        const pages = (await rig.paths(question, 'docs')).slice(0, 3)
        if (!pages.includes(`docs/${page}`)) missed.push(`${page}: ${question} -> ${pages.join(', ')}`)
      }
      expect(questions.length - missed.length, missed.join('\n')).to.be.at.least(LEAST[dialect])
    } finally {
      await rig.knowledge.stop()
    }
  })
})
