// The words of texts and questions. Neither SQLite nor PostgreSQL separates words in scripts without spaces, so that
// pairs of characters stand for these words.

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}`
const RUN = new RegExp(`[${UNSPACED}]+`, 'gu')
const HAS_RUN = new RegExp(`[${UNSPACED}]`, 'u')
const WORD = new RegExp(String.raw`[${UNSPACED}]+|[^${UNSPACED}\s]+`, 'gu')
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu

/** Words of questions that say nothing about the answer. */
const STOP_WORDS = new Set(
  (
    'a about after all also an and any are as at be been before being but by can could did do does doing for from had ' +
    'has have having he her here him his how i if in into is it its itself just me more my no nor not of off on once ' +
    'only or other our out over own same she should so some such than that the their them then there these they this ' +
    'those to too under until up very was we were what when where which while who whom why will with would you your ' +
    'must may might shall get got make made'
  ).split(' '),
)
/** The same in Chinese, where they touch the words around them. The longer ones come first. */
const STOP_PHRASES = new RegExp(
  [
    ...['为什么', '能不能', '可不可以', '有没有', '是不是', '怎么办', '怎么样', '怎么', '怎样', '如何', '什么'],
    ...['哪里', '哪个', '哪些', '哪儿', '是否', '可以', '应该', '需要', '多少', '以后', '之后', '时候', '里面', '请问'],
    ...['我的', '自己的', '吗', '呢', '的', '了', '吧', '啊'],
  ].join('|'),
  'gu',
)
const MAX_QUESTION = 1_000
const MAX_TERMS = 32

/** Returns a text as words that both databases split at the spaces. */
export function indexWords(text: string): string {
  const plain = normalized(text)
  return (HAS_RUN.test(plain) ? plain.replace(RUN, (run) => ` ${pairsOf(run).join(' ')} `) : plain).trim()
}

/** A word of a question. */
export interface Term {
  readonly word: string
  /** Whether it is the beginning of a word, as one character of a script without spaces is. */
  readonly isPrefix: boolean
}

/** Returns the words of a question that say what it is about, each once. */
export function questionTerms(question: string): Term[] {
  const cut = Buffer.from(question.slice(0, MAX_QUESTION)).toString()
  const all = termsOf(normalized(cut).replace(STOP_PHRASES, ' ')).filter(({ word }) => !STOP_WORDS.has(word))
  // A question of stop words alone is searched as it is.
  const terms = all.length > 0 ? all : termsOf(normalized(cut))
  return Array.from(new Map(terms.map((term) => [term.word, term])).values()).slice(0, MAX_TERMS)
}

const normalized = (text: string): string => text.normalize('NFKC').toLowerCase().replace(SEPARATORS, ' ')

function termsOf(text: string): Term[] {
  return Array.from(text.matchAll(WORD)).flatMap(([word]): Term[] => {
    if (!HAS_RUN.test(word)) return [{ word, isPrefix: false }]
    const characters = Array.from(word)
    if (characters.length === 1) return [{ word, isPrefix: true }]
    return pairs(characters).map((pair) => ({ word: pair, isPrefix: false }))
  })
}

const pairs = (characters: readonly string[]): string[] =>
  characters.slice(1).map((character, at) => `${characters[at]}${character}`)

/** Returns the pairs of a run and its last character, which begins no pair. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  return [...pairs(characters), ...characters.slice(-1)]
}
