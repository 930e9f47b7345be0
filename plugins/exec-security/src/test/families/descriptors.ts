// Attacks through descriptors: a file that is read is opened once more for writing, and errors are taken for output.
import { attacks, combine, developmentPreset, full, readonlyPreset, type Family } from './family.js'

const WRITERS = [
  'cat e',
  'date +x',
  'grep . e',
  'head e',
  'wc -l e',
  'pwd',
  'ls src',
  'whoami',
  'stat e',
  'tail -1 e',
  'find src',
]
const REOPENED = [
  'W 2<P >/dev/stderr',
  'W 1<P >/dev/stdout',
  'W 3<P 2>&3 >/dev/stderr',
  'W 3<P 1>&3 >/dev/stdout',
  'W <P 2>&0 >/dev/stderr',
  'W <P 1<&0 >/dev/stdout',
  'W 2<P >/dev/fd/2',
  'W 2<P >/proc/self/fd/2',
  'W 1<P >/dev/fd/1',
  '{ W >/dev/stderr; } 2<P',
  '(W >/dev/stderr) 2<P',
  'while W >/dev/stderr; do break; done 2<P',
  'if W >/dev/fd/2; then ls; fi 2< P',
  'for x in a; do W >/dev/stderr; done 2<P',
  '{ W; } 4<P 1>&4 >/dev/stdout',
  'timeout 5 W 2<P >/dev/stderr',
  'W {fd}<P 2>&$fd >/dev/stderr',
  'W <P 2>&0- >/dev/stderr',
]
const STANDARD_INPUT = [
  'cp e @',
  'tee @',
  'sort -o @ e',
  'curl -so @ http://127.0.0.1:9000/',
  'truncate -s 0 @',
  'ls > @',
  'date >> @',
  'cp e /dev/../dev/stdin',
  'cd /dev && ls > stdin',
  'x=/dev; ls > $x/stdin',
  'ls >| @',
  'head e > "@"',
  'wc -l e &> @',
]

const written: Family = {
  name: 'what is read is written through its descriptor',
  attacks: [
    ...attacks(
      readonlyPreset,
      combine(WRITERS, REOPENED, (writer, form) => form.replace('W', writer).replace('P', 'plugins/a/index.js')),
    ),
    ...attacks(
      full,
      combine(['cat e', 'echo x'], REOPENED, (writer, form) =>
        form.replace('W', writer).replace('P', 'plugins/a/index.js'),
      ),
    ),
    ...attacks(
      full,
      combine(
        STANDARD_INPUT,
        ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'],
        (form, file) => `{ ${form.replace('@', file)}; } < plugins/a/index.js`,
      ),
    ),
    ...attacks(full, [
      'cat e | tee /dev/stderr 2<plugins/a/index.js',
      'cat e | tee /dev/fd/2 2< plugins/a/index.js',
      'bash -c "ls > /dev/stdin" < plugins/a/index.js',
      'x=plugins; ls > $x/a/new.js',
      'x=plugins/a; date > "$x"/b.js',
      'for d in plugins; do ls >> $d/a/index.js; done',
    ]),
  ],
}

const MISSING = "'z[$(touch marker)]'"
const COUNTED = ['-c', '-ci', '-ic', '-cE', '-cF', '-cv', '-cw', '-cx'].map((flags) => `grep ${flags} x ${MISSING}`)
const EVALUATED = [
  'ls $(( 0 ? $(X) : 1 ))',
  '[[ "0 ? $(X) : 1" -eq 1 ]]',
  '(( 0 ? $(X) : 1 ))',
  'ls ${PWD:0 ? $(X) : 1}',
  'for (( i = 0 ? $(X) : 1; i < 1; i++ )); do ls; done',
]
const SAID = ['Q 2>&1', 'Q |& cat', 'Q &>/dev/stdout', 'Q 2>/dev/stdout', 'Q 2>/dev/fd/1', 'Q 2>/proc/self/fd/1']
const PRODUCERS = [
  'pwd',
  'ls src',
  'ls -d src',
  'whoami',
  'date +%F',
  'grep -l a src/a.ts',
  'find src -type f',
  'uname -s',
]

const errors: Family = {
  name: 'errors and other inputs are taken for output',
  attacks: [
    ...attacks(
      readonlyPreset,
      combine(
        combine(EVALUATED, SAID, (form, said) => form.replace('X', () => said)),
        COUNTED,
        (form, counted) => form.replace('Q', () => counted),
      ),
    ),
    ...attacks(
      full,
      combine(
        combine(EVALUATED, SAID, (form, said) => form.replace('X', () => said)),
        COUNTED.slice(0, 2),
        (form, counted) => form.replace('Q', () => counted),
      ),
    ),
    ...attacks(
      readonlyPreset,
      combine(
        SAID,
        ["grep -l x 'q data/http-token q'", "ls 'q data/http-token q'", "find 'q data/http-token q'"],
        (said, query) => `cat $(${said.replace('Q', () => query)})`,
      ),
    ),
    ...attacks(
      readonlyPreset,
      SAID.map((said) => `${said.replace('Q', "grep -l x 'q data/http-token q'")} | xargs cat`).concat(
        "grep -l x 'q data/http-token q' |& xargs cat",
      ),
    ),
    ...attacks(
      developmentPreset,
      combine(
        PRODUCERS,
        [
          'cat <<< data/http-token',
          'cat 0<<< data/http-token',
          'cat < <(date +data/http-token)',
          'cat <<E\ndata/http-token\nE\n',
        ],
        (producer, feed) => `cat $(${producer} | ${feed})`,
      ),
    ),
  ],
}

export const DESCRIPTOR_FAMILIES: readonly Family[] = [written, errors]
