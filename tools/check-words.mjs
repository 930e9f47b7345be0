// `node tools/check-words.mjs [folder...]`: names private or old words in comments, strings and Markdown pages.
//
// Only texts are searched: comments, strings and templates with a blank in them, Markdown outside of code. Not names.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isCode } from './check-lines.mjs'
import { exceptionsOf, isIn, withoutExceptions } from './exceptions.mjs'
import { filesIn, root } from './lib.mjs'
import { scan } from './scan.mjs'

const SENTENCE = String.raw`(?:^|[.:;!?]\s+|\*\s+)`
/** Words, and what to write instead. */
const WORDS = [
  [/\banew\b/i, '"again"'],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix"'],
  [/\bbeside\b/i, '"next to", "with" or "as well as"'],
  [/\b(?:re)?told\b/i, '"reported", "notified", "shown" or "distinguished"'],
  [/\bstands\b(?! for)/i, '"is"'],
  [/\bof then\b/i, 'the time or the state that is meant'],
  [/\bwho(?:m)?ever\b/i, 'the person or part that is meant'],
  [/\b(?:some|no)body\b/i, 'the person or part that is meant'],
  [/\bpok(?:e|es|ed|ing)\b/i, '"reconcile" or "notify"'],
  [/\bin vain\b/i, '"timed out" or "failed"'],
  [/\b(?:is|are|was|were|be|been) away\b/i, '"unavailable"'],
  [/\bbec(?:omes?|ame) of\b/i, 'the result that is meant'],
  [/\ball the same\b/i, '"anyway"'],
  [new RegExp(String.raw`${SENTENCE}(?:What|Whose)\b[^?]*$`), 'a sentence whose subject is a thing, or a verb first'],
  [new RegExp(String.raw`${SENTENCE}Who\b[^?]*$`), 'a sentence whose subject is a person or part, or a verb first'],
]

/** Returns whether a token holds words: a comment, a string with a blank, a part of a template with a blank. */
const hasWords = ({ kind, text }) =>
  kind === 'comment' || (kind === 'string' && /\S\s+\S/.test(text)) || (kind === 'template' && /\w\s|\s\w/.test(text))

/** Returns the texts of a source with their lines; a text of several lines is one entry for each line. */
function textsOfCode(code) {
  const lineAt = (index) => code.slice(0, index).split('\n').length
  return scan(code)
    .filter(hasWords)
    .flatMap(({ kind, from, text }) => {
      const first = lineAt(from)
      const plain = kind === 'string' ? text.slice(1, -1) : text
      return plain.split('\n').map((part, index) => ({
        line: first + index,
        text:
          kind === 'comment'
            ? part.replace(/^\s*(?:\/\/+|\/\*+|\*+(?!\/))\s?|\*\/\s*$/g, '').replace(/`[^`]*`/g, '`')
            : part,
        begins: index === 0,
      }))
    })
}

/** Returns the texts of a Markdown page: no code, no addresses of links. */
function textsOfPage(page) {
  let inCode = false
  return page.split('\n').flatMap((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) {
      inCode = !inCode
      return []
    }
    // A heading may be a question without its mark.
    if (inCode || line.startsWith('#')) return []
    const text = line
      .replace(/`[^`]*`/g, '`')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/^[\s#>*|-]+|<!--.*?-->/g, '')
    return [{ line: index + 1, text, begins: /^(?:\s*[-*|]|$)/.test(line) || page.split('\n')[index - 1] === '' }]
  })
}

/** Returns the findings of a text: its line, the word, and a better one. */
export function findWords(file, content) {
  const texts = file.endsWith('.md') ? textsOfPage(content) : textsOfCode(content)
  return texts.flatMap(({ line, text, begins }) =>
    WORDS.flatMap(([pattern, better]) => {
      // The second line of a sentence may begin with a name, but not with a new subject.
      const match = pattern.exec(begins ? text : text.replace(/^(?=Wh)/, '_ '))
      return match ? [{ line, word: match[0].trim().split(/\s+/).slice(0, 4).join(' '), better }] : []
    }),
  )
}

const isText = (file) =>
  (isCode(file) && !file.endsWith('.css')) ||
  (file.endsWith('.md') && !/(?:^|\/)(?:dist|\.cache)\/|^docs\/adr\/0001/.test(file))

/** Returns the findings of the project, one text each. */
export function checkWords(folders = []) {
  const findings = filesIn(root, isText)
    .filter((file) => isIn(folders)(file) && !/^tools\/check-(?:words|texts\.test)\.mjs$/.test(file))
    .flatMap((file) => {
      const content = readFileSync(join(root, file), 'utf8')
      const lines = content.split('\n')
      return findWords(file, content).map(({ line, word, better }) => ({
        file,
        line,
        source: lines[line - 1],
        message: `"${word}": write ${better}`,
      }))
    })
  return withoutExceptions(findings, exceptionsOf('words'), isIn(folders))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = checkWords(process.argv.slice(2))
  for (const line of found) process.stdout.write(`${line}\n`)
  process.exitCode = found.length ? 1 : 0
}
