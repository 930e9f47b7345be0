const HIDDEN = '‹hidden›'
/** Names whose value is a secret. */
const NAME =
  '[\\w.-]*(?:token|secret|passw(?:or)?d|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|_auth|credential)[\\w.-]*'
/** A value up to the end of its word, also in quotes. */
const VALUE = `(?:"(?:\\\\.|[^"\\\\])*"|'[^']*'|[^\\s"';|&)]+)`

const RULES: readonly (readonly [RegExp, string])[] = [
  // A header with credentials, also as a quoted word.
  [
    /((?:proxy-)?authorization\s*[:=]\s*(?:\w+\s+)?|x-[\w-]*(?:key|token)\s*:\s*|cookie\s*:\s*)[^\s"']+/gi,
    `$1${HIDDEN}`,
  ],
  [/\b((?:bearer|basic)\s+)[\w.~+/=-]{6,}/gi, `$1${HIDDEN}`],
  [new RegExp(`(--?${NAME}(?:=|\\s+))${VALUE}`, 'gi'), `$1${HIDDEN}`],
  [new RegExp(`(\\b${NAME}["']?\\s*[:=]\\s*)${VALUE}`, 'gi'), `$1${HIDDEN}`],
  [/(\s(?:-u|--user|--proxy-user)(?:=|\s*))(?:"[^"]*"|'[^']*'|[^\s]+:[^\s]+)/g, `$1${HIDDEN}`],
  [/(:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/g, `$1${HIDDEN}`],
  // Forms of the tokens of known services.
  [/\b(?:gh[pousr]_|github_pat_|glpat-|npm_|xox[abprs]-|sk-|pk_live_|sk_live_|AKIA|ASIA|AIza|eyJ)[\w.-]{8,}/g, HIDDEN],
  [/-----BEGIN[ A-Z]*PRIVATE KEY-----[^]*?(?:-----END[ A-Z]*PRIVATE KEY-----|$)/g, HIDDEN],
]

/** Returns a command without what looks like a secret in it. */
export function redactCommand(command: string): string {
  return RULES.reduce((text, [pattern, shown]) => text.replaceAll(pattern, shown), command)
}
