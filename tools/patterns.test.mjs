// Tests that every regular expression of the repository takes linear time.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { BOUNDED } from './bounded-patterns.mjs'
import { root } from './lib.mjs'
import { resolveOnDemand } from './on-demand.mjs'
import { patterns } from './patterns.mjs'

/** Results of earlier runs: the result of a pattern never changes. */
const CACHE = join(root, 'node_modules', '.cache', 'mynah-patterns.json')
const MAX_MS = 50

let checkSync
const remembered = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {}
const remember = () => {
  mkdirSync(dirname(CACHE), { recursive: true })
  writeFileSync(CACHE, JSON.stringify(remembered))
}

/** Returns how the time of a pattern grows, and a text that shows it; `{}` for linear or unknown growth. */
function growthOf({ source, flags }) {
  const key = `/${source}/${flags}`
  remembered[key] ??= (() => {
    const { status, complexity, attack } = checkSync(source, flags.replace(/[dv]/g, 'u'), {
      timeout: 1_000,
      attackLimit: 200_000,
    })
    return status === 'vulnerable'
      ? { grows: complexity.summary, attack: { pumps: attack.pumps, suffix: attack.suffix } }
      : {}
  })()
  return remembered[key]
}

/** Returns the text of an attack, at most `length` characters long. */
function attackOf({ pumps, suffix }, length) {
  const fixed = suffix.length + pumps.reduce((sum, { prefix }) => sum + prefix.length, 0)
  const times = Math.max(1, Math.floor((length - fixed) / pumps.reduce((sum, { pump }) => sum + pump.length, 0)))
  return (pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix).slice(0, length)
}

/** Returns the shortest time of some runs: a busy machine makes the others longer. */
function timeOf({ source, flags }, text) {
  const pattern = new RegExp(source, flags)
  return Math.min(
    ...[0, 1, 2].map(() => {
      pattern.lastIndex = 0
      const began = performance.now()
      if (pattern.global) text.replace(pattern, '')
      else pattern.test(text)
      return performance.now() - began
    }),
  )
}

/** Returns texts to repeat: characters and words of the pattern. */
function pumpsFor(source) {
  const words = source
    .replace(/\\[bBsSdDwWpP](?:\{[^}]*\})?|\(\?[:=!]|\(\?<[=!]?\w*>?|[()[\]{}*+?|^$.\\]/g, ' ')
    .split(' ')
    .filter(Boolean)
    .slice(0, 6)
  return [...new Set([' ', '\t', '\n', 'a', '0', '/', '"', '.', ':', ...words, ...words.map((word) => `${word} `)])]
}

describe('regular expressions', function () {
  this.timeout(120_000)
  const all = patterns()
  before(async () => {
    ;({ checkSync } = await import(pathToFileURL(await resolveOnDemand('patterns', 'recheck')).href))
  })
  after(remember)

  it('are found, in every workspace', () => {
    expect(all.length).to.be.above(100)
    for (const folder of ['contract/', 'kernel/', 'plugins/http-core/', 'plugins/chat/', 'plugins/workspace/'])
      expect(
        all.some(({ files }) => [...files].some((file) => file.startsWith(folder))),
        folder,
      ).to.equal(true)
  })

  it('grow as their input, or have an input that is known to be short', () => {
    const grown = all.filter(
      (pattern) => growthOf(pattern).grows && !BOUNDED.some(({ source }) => source === pattern.source),
    )
    expect(
      grown.map(
        (pattern) =>
          `/${pattern.source}/${pattern.flags} of ${[...pattern.files].join(', ')}: ${growthOf(pattern).grows}`,
      ),
    ).to.deep.equal([])
  })

  it('that grow faster take no time on the longest input that they get', () => {
    for (const { source, length } of BOUNDED) {
      const pattern = all.find((other) => other.source === source)
      const attack = pattern && growthOf(pattern).attack
      if (attack)
        expect(timeOf(pattern, attackOf(attack, length)), `/${source}/ at ${length} characters`).to.be.below(MAX_MS)
    }
  })

  it('take the same time a character on a text of twice the length', () => {
    const slow = []
    for (const pattern of all) {
      if (BOUNDED.some(({ source }) => source === pattern.source)) continue
      for (const pump of pumpsFor(pattern.source)) {
        const text = (length) => pump.repeat(Math.ceil(length / pump.length)) + '\u0000'
        const long = timeOf(pattern, text(40_000))
        // Shorter times are noise: a text of 40,000 characters takes well under a millisecond.
        if (long > 10 && long > 3.2 * timeOf(pattern, text(20_000)))
          slow.push(
            `/${pattern.source}/${pattern.flags} of ${[...pattern.files].join(', ')}: ` +
              `${long.toFixed(0)} ms on ${JSON.stringify(pump)}`,
          )
      }
    }
    expect(slow).to.deep.equal([])
  })
})
