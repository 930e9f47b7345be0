// Lines in which text of a run, such as names of files and outputs, becomes words, names and code.
import { CANARY } from '../canary-folder.js'
import type { Random } from '../differential/generate.js'

/** Texts that do harm where they are taken for more than text. */
const HARM = [
  '-exec touch PWNED ;',
  '../data/http-token',
  '.env',
  '$(touch PWNED)',
  '`touch PWNED`',
  '; touch PWNED',
  '| touch PWNED',
  'a[$(touch PWNED)]',
  '-delete',
  '--files0-from=.env',
  '-f.env',
  '-fprint PWNED',
  '*',
  '~',
  '-',
  '--',
  "' ; touch PWNED ; '",
  '%s\\n',
  '{}',
  '/dev/stdin',
  '-rf',
  'b c',
  '1',
  'x',
] as const
const BEFORE = ['', '', 'a ', 'a\n', '-', ' ', 'k '] as const
const BEHIND = ['', '', ' b', '\n', '.txt', '.log'] as const
const FOLDERS = ['', '', 'k/', 'k/l/', 's/'] as const

/** Returns the files of a folder: names and contents that do harm. */
export function hostileFiles(random: Random): Readonly<Record<string, string>> {
  const text = (): string => random.pick(BEFORE) + random.pick(HARM) + random.pick(BEHIND)
  const files: Record<string, string> = {
    '.env': `KEY=${CANARY}\n`,
    '../home/secret': CANARY,
    'p.txt': `${text()}\n`,
    'q.txt': `${text()}\n${text()}\n`,
    'k/in.txt': 'x\n',
    's/y.log': '1\n',
  }
  for (let i = 0; i < 8; i++) {
    // A name may lead through folders, and never out of them.
    const name = text()
      .replaceAll(/\.\.\//g, './..')
      .replaceAll(/^\/+|\/+$/g, '')
    if (/(?:^|\/)\.{0,2}(?:\/|$)/.test(name) || name.includes('.env') || name === 'p.txt') continue
    const path = random.pick(FOLDERS) + name
    // A name is a file or a folder.
    const isTaken = Object.keys(files).some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`))
    if (!isTaken) files[path] ??= 'x\n'
  }
  return files
}

const OUTPUTS = [
  'cat p.txt',
  'cat q.txt',
  'command cat p.txt',
  'head -1 p.txt',
  'tail -n 1 q.txt',
  'ls',
  'ls k',
  'ls -d *',
  'find . -type f',
  'find k -type f',
  "find . -name '*.txt'",
  'find k s',
  'grep -l x *',
  'grep -rl x k',
  'sort q.txt',
  'basename p.txt',
  'pwd',
  'wc -l < p.txt',
  'wc -c p.txt',
  'date +%s',
  'date +%F',
  'date +.env',
  'seq 2',
  'echo k',
  'printf %s p.txt',
  'stat -c %s p.txt',
  'stat -c %n *',
  'grep -c x p.txt',
  'nproc',
  'awk 1 p.txt',
  'sed s/a/b/ p.txt',
  'cat < p.txt',
  'ls | head -1',
  'echo $(cat p.txt)',
] as const
const ENDED_BY_NUL = [
  'find . -type f -print0',
  'find k -print0',
  "find . -name '*.txt' -print0",
  'find k s -type f -print0',
  'grep -rlZ x k',
  'grep -lZ x *',
  'grep -rlZ x .',
  'find . -print0 -print',
  "find . -printf '%p\\0'",
  'ls | tr "\\n" "\\0"',
  'git ls-files -z',
] as const
const PATTERNS = [
  '*',
  'k/*',
  '*.txt',
  '*.log',
  '?*',
  'k/*/*',
  '[a-z]*',
  '*/*',
  './*',
  '{p,q}.txt',
  'k/{in,x}.txt',
] as const
const PROGRAMS = [
  'cat @',
  'cat -- @',
  'head -n 1 @',
  'head -n @ p.txt',
  'tail -n 1 -- @',
  'wc -l @',
  'wc -l -- @',
  'ls @',
  'ls -ld -- @',
  'stat @',
  'file @',
  'find @ -name x',
  'find . -name @',
  'find . -newer @',
  'grep x @',
  'grep -h x -- @',
  'grep @ p.txt',
  'grep -e @ p.txt',
  'date -d @',
  'sort @',
  'sort -- @',
  'awk 1 @',
  'awk @ p.txt',
  'sed -n p @',
  'sed @ p.txt',
  'echo @',
  'printf @',
  'test @ = x',
  '[ -n @ ]',
  'cat < @',
  'cat <<< @',
  'cut -c1 @',
] as const
const EVALUATES = [
  'echo $((@ + 1))',
  '[[ @ -eq 1 ]] && echo y',
  '(( @ > 1 )) && echo y',
  'x=abc; echo ${x:@}',
  'a=(1 2 3); echo ${a[@]}',
  'x=@; echo $((x))',
  'x=@; echo ${!x}',
  'for ((i = 0; i < @; i++)); do echo $i; done',
] as const
const FEEDS = [
  '@S | xargs @P',
  '@S | xargs -n 1 @P',
  '@S | xargs -I{} @P',
  "@S | xargs -d '\\n' @P",
  '@N | xargs -0 @P',
  '@N | xargs -0 -n 1 @P',
  '@N | xargs -0 -I{} @Q',
  "@N | xargs -0 -d '\\n' @P",
  '@N | xargs @P',
  '@S | while read f; do @F; done',
  "@N | while IFS= read -r -d '' f; do @F; done",
] as const

const LOOPED = ['$f', '"$f"', '"${f%.txt}"', '"k/$f"', 'k/$f', '"${f#a}.log"'] as const
const SET = ['$x', '"$x"', '"${x[@]}"', '${x[0]}', '"${x%.*}"'] as const

/** Returns a line. */
export function runTimeLine(random: Random): string {
  const form = random.pick([
    'word',
    'word',
    'word',
    'fed',
    'fed',
    'loop',
    'loop',
    'variable',
    'evaluated',
    'exec',
  ] as const)
  const plain = random.pick(PROGRAMS)
  const fill = (text: string, word: string): string => text.replaceAll('@', () => word)
  switch (form) {
    case 'word':
      return fill(plain, wordOf(random))
    case 'fed':
      return random
        .pick(FEEDS)
        .replace('@S', () => random.pick(OUTPUTS))
        .replace('@N', () => random.pick(ENDED_BY_NUL))
        .replace('@P', () => fill(plain, '').trim())
        .replace('@Q', () => fill(plain, '{}'))
        .replace('@F', () => fill(plain, random.pick(['$f', '"$f"'])))
    case 'loop':
      return `for f in ${wordOf(random)}; do ${fill(plain, random.pick(LOOPED))}; done`
    case 'variable':
      return `${fill(random.pick(['x=@', 'x=(@)', 'x="@"']), wordOf(random))}; ${fill(plain, random.pick(SET))}`
    case 'evaluated':
      return fill(random.pick(EVALUATES), random.pick([`$(${random.pick(OUTPUTS)})`, '$f', '${#f}', 'f']))
    case 'exec':
      return `find ${random.pick(['.', 'k', '*'])} -type f -exec ${fill(plain, '{}')} ${random.pick(['\\;', '+'])}`
  }
}

function wordOf(random: Random): string {
  const output = random.pick(OUTPUTS)
  return random.pick([
    `$(${output})`,
    `$(${output})`,
    `"$(${output})"`,
    `\`${output}\``,
    `k/$(${output})`,
    `"$(${output}).txt"`,
    random.pick(PATTERNS),
    random.pick(PATTERNS),
    '<(cat p.txt)',
    '$((1 + 1))',
  ])
}
