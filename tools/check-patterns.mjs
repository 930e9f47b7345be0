// Checks that every regular expression of the repository takes linear time. It is part of `npm run lint`, and no test,
// because it measures times, which other tests that run at the same time would falsify.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { BOUNDED } from './bounded-patterns.mjs'
import { root } from './lib.mjs'
import { resolveOnDemand } from './on-demand.mjs'
import { patterns } from './patterns.mjs'

/** Results of earlier runs: the result of a pattern never changes. */
const CACHE = join(root, 'node_modules', '.cache', 'mynah-patterns-2.json')
const MAX_MS = 50
/** Characters of a repeated text. */
const LONG = 40_000
const NOISE_MS = 10

let checkSync
const remembered = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {}
const remember = () => {
  mkdirSync(dirname(CACHE), { recursive: true })
  writeFileSync(CACHE, JSON.stringify(remembered))
}

const isBounded = (pattern) => BOUNDED.some(({ source }) => source === pattern.source)
const nameOf = ({ source, flags, files }) => `${[...files].join(', ')}: /${source}/${flags}`

/** Returns how the time of a pattern grows, and a text that shows it; `{}` for linear or unknown growth. */
function growthOf({ source, flags }) {
  const key = `/${source}/${flags}`
  remembered[key] ??= (() => {
    const { status, checker, complexity, attack } = checkSync(source, flags.replace(/[dv]/g, 'u'), {
      timeout: 4_000,
      attackLimit: 200_000,
    })
    return status === 'vulnerable'
      ? { grows: complexity.summary, checker, attack: { pumps: attack.pumps, suffix: attack.suffix } }
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

/** Returns the bounded patterns that take long on the longest input that they get. */
const slowOnLongest = (all) =>
  BOUNDED.flatMap(({ source, length }) => {
    const pattern = all.find((other) => other.source === source)
    const attack = pattern && growthOf(pattern).attack
    const took = attack ? timeOf(pattern, attackOf(attack, length)) : 0
    return took < MAX_MS ? [] : [`${nameOf(pattern)}: takes ${took.toFixed(0)} ms at ${length} characters`]
  })

/** Returns whether a text of twice the length takes clearly more than twice the time, three times in a row. */
const growsOn = (pattern, text) =>
  [0, 1, 2].every(() => {
    const long = timeOf(pattern, text(LONG))
    // Shorter times are noise: such a text takes well under a millisecond.
    return long > NOISE_MS && long > 3.2 * timeOf(pattern, text(LONG / 2))
  })

/** Returns the patterns that take more than linear time, and are not known to be given short texts only. */
const growing = (all) =>
  all
    .filter((pattern) => {
      const { grows, checker, attack } = isBounded(pattern) ? {} : growthOf(pattern)
      // A proof holds. A search, which ends earlier on a slow machine, takes bounded repetitions for growth.
      return grows && (checker === 'automaton' || growsOn(pattern, (length) => attackOf(attack, length)))
    })
    .map((pattern) => `${nameOf(pattern)}: takes ${growthOf(pattern).grows} time`)

/** Returns the patterns whose time grows faster than the length of a repeated text. */
const growingOnRepeats = (all) =>
  all
    .filter((pattern) => !isBounded(pattern))
    .flatMap((pattern) =>
      pumpsFor(pattern.source)
        .filter((pump) => growsOn(pattern, (length) => pump.repeat(Math.ceil(length / pump.length)) + '\u0000'))
        .map((pump) => `${nameOf(pattern)}: grows faster than the text on ${JSON.stringify(pump)}`),
    )

/** Returns one line for each pattern that is too slow. */
export async function checkPatterns() {
  ;({ checkSync } = await import(pathToFileURL(await resolveOnDemand('patterns', 'recheck')).href))
  const all = patterns()
  try {
    return [...growing(all), ...slowOnLongest(all), ...growingOnRepeats(all)]
  } finally {
    remember()
  }
}
