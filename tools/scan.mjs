// Finds comments, strings, templates and regular expressions in TypeScript and JavaScript without a parser.

/** A slash after one of these characters or words begins a regular expression, elsewhere it divides. */
const BEFORE_REGEX = new Set('(,=:[!&|?{};~^+-*%<>'.split(''))
const WORDS_BEFORE_REGEX = /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/

/** Returns the index after a quoted string that begins at `at`, or `at` where it does not end on its line. */
function endOfString(code, at) {
  const quote = code[at]
  for (let i = at + 1; i < code.length && code[i] !== '\n'; i++) {
    if (code[i] === '\\') i++
    else if (code[i] === quote) return i + 1
  }
  return at
}

/** Returns the index after a regular expression that begins at `at`, or `at` where there is none. */
function endOfRegex(code, at) {
  let inClass = false
  for (let i = at + 1; i < code.length && code[i] !== '\n'; i++) {
    if (code[i] === '\\') i++
    else if (code[i] === '[') inClass = true
    else if (code[i] === ']') inClass = false
    else if (code[i] === '/' && !inClass) return i + 1 + /^[a-z]*/.exec(code.slice(i + 1, i + 9))[0].length
  }
  return at
}

/** Returns the index of the end of a part of a template: at a backtick or at `${`. */
function endOfChunk(code, at) {
  for (let i = at; i < code.length; i++) {
    if (code[i] === '\\') i++
    else if (code[i] === '`' || (code[i] === '$' && code[i + 1] === '{')) return i
  }
  return code.length
}

const beginsRegex = (before) => {
  const text = before.trimEnd()
  return text === '' || BEFORE_REGEX.has(text.at(-1)) || WORDS_BEFORE_REGEX.test(text.slice(-12))
}

/**
 * Returns the tokens of a source: `kind` is comment, string, template or regex; `from` and `to` are its bounds.
 * A template yields one token for each text between its expressions.
 */
export function scan(code) {
  const tokens = []
  /** Depth of braces of each template expression that is open. */
  const open = []
  let i = 0
  const add = (kind, from, to) => tokens.push({ kind, from, to, text: code.slice(from, to) })
  /** Adds a token if there is one, and moves behind it. */
  const take = (kind, end) => {
    if (end > i) add(kind, i, end)
    i = Math.max(end, i + 1)
  }
  const endOf = (text, from, length) => {
    const found = code.indexOf(text, from)
    return found < 0 ? code.length : found + length
  }
  const template = (from) => {
    const end = endOfChunk(code, from)
    add('template', from, end)
    if (code[end] === '$') open.push(0)
    i = end + (code[end] === '$' ? 2 : 1)
  }
  while (i < code.length) {
    const char = code[i]
    const two = code.slice(i, i + 2)
    if (two === '//') take('comment', endOf('\n', i, 0))
    else if (two === '/*') take('comment', endOf('*/', i + 2, 2))
    else if (char === "'" || char === '"') take('string', endOfString(code, i))
    else if (char === '/' && beginsRegex(code.slice(Math.max(0, i - 80), i))) take('regex', endOfRegex(code, i))
    else if (char === '`') template(i + 1)
    else if (char === '}' && open.at(-1) === 0) {
      open.pop()
      template(i + 1)
    } else {
      if (open.length && (char === '{' || char === '}')) open[open.length - 1] += char === '{' ? 1 : -1
      i++
    }
  }
  return tokens
}
