// The text of a subcommand: a rule covers that text, is offered for it, and is shown with it.
import { expect } from 'chai'
import { evaluateCommand, ruleMatches } from './index.js'
import type { OwnerRules } from './index.js'
import { asking, policy } from '../test/policies.js'

/** Nothing of the lines below needs the owner, but for what a rule has to cover. */
const base = asking(
  policy({ execPreset: 'readonly', execAllowlist: 'bash sh tee true read cd export unset set echo'.split(' ') }),
)
/** There, lists cover most of a line. */
const AT_WALL = { ...base, level: 'wall', trust: 'listed' } as const
const rules = (...patterns: readonly string[]): OwnerRules => ({
  bashAlways: false,
  bashRules: patterns.map((pattern, i) => ({ id: `id-${i}`, pattern })),
})

/** The texts of the parts that need the owner. */
const asked = (command: string): readonly string[] =>
  evaluateCommand(command, base)
    .parts.filter(({ verdict }) => verdict === 'ask')
    .map(({ text }) => text)

/** Approves what a command needs for good, part by part. Undefined where that is not offered. */
function approved(command: string): readonly string[] | undefined {
  const patterns: string[] = []
  for (;;) {
    const { verdict, suggestion } = evaluateCommand(command, base, rules(...patterns))
    if (verdict === 'allow') return patterns
    if (suggestion === undefined) return undefined
    expect(patterns, 'each rule covers a part').to.not.contain(suggestion)
    patterns.push(suggestion)
  }
}

describe('the text of a subcommand', () => {
  for (const [what, cases] of Object.entries<readonly (readonly [string, string])[]>({
    'has its own redirections and input': [
      ['make test > f', 'make test > f'],
      ['> f make test', 'make test > f'],
      ['make test <> f', 'make test <> f'],
      ['make test {fd}> f', 'make test {fd}> f'],
      ['make test &>> f', 'make test &>> f'],
      ['make test < f 3< g', 'make test < f 3< g'],
      ['make test <<< "a b"', "make test <<< 'a b'"],
      ['make test 3<<< a', 'make test 3<<< a'],
      ['make test <<E\na\nE', "make test <<< $'a\\n'"],
      ['make test 3<<E\na\nE', "make test 3<<< $'a\\n'"],
      ['make test <<E\n$a\nE', "make test << $'$a\\n'"],
      ["make test <<'E'\n$a\nE", "make test <<< $'$a\\n'"],
      ['make test >&-', 'make test >&-'],
      ['make test <&3', 'make test <&3'],
      ['make test 3>&1', 'make test 3>&1'],
      ['make test > >(tee f)', 'make test > >(tee f)'],
      ['timeout 5 make test > f', 'make test > f'],
      ['env X=1 make test > f', 'X=1 make test > f'],
    ],
    'has the redirections of what is around it, outer ones first': [
      ['{ make test; } > f', 'make test > f'],
      ['( make test ) < f', 'make test < f'],
      ['{ { make test 3> h; } > g; } < f', 'make test < f > g 3> h'],
      ['if make test; then true < /dev/null; fi < f', 'make test < f'],
      ['while make test; do break; done < f', 'make test < f'],
      ['until make test; do break; done < f', 'make test < f'],
      ['for i in a; do make test; done > f', 'make test > f'],
      ['for ((i = 0; i < 1; i++)); do make test; done > f', 'make test > f'],
      ['case a in a) make test;; esac <<< b', 'make test <<< b'],
      ['{ cat $(make test); } < f', 'make test < f'],
      ["bash -c 'make test' < f", 'make test < f'],
      ["{ bash -c '{ make test > g; }'; } < f", 'make test < f > g'],
      ['find . -exec make test \\; < f', "find . -exec make test ';' < f"],
    ],
    'has the commands that a pipe comes from': [
      ['cat f | make test', 'make test < <(cat f)'],
      ['cat f |& make test', 'make test < <(cat f 2>&1)'],
      ['cat f | cat | make test', 'make test < <(cat f | cat)'],
      ['cat f | timeout 5 make test', 'make test < <(cat f)'],
      ['cat f | { make test; }', 'make test < <(cat f)'],
      ['cat f | while make test; do break; done', 'make test < <(cat f)'],
      ['cat f | { cat g | make test; }', 'make test < <(cat f) < <(cat g)'],
      ['cat f | cat $(make test)', 'make test < <(cat f)'],
      ["cat f | bash -c 'make test'", 'make test < <(cat f)'],
      ['cat f | xargs make', 'xargs make … < <(cat f)'],
      ['cat f | xargs -I{} make test', 'xargs -I{} make test < <(cat f)'],
      ['cat <<E | make test\na\nE', "make test <<< $'a\\n'"],
      ['make test < <(cat f)', 'make test < <(cat f)'],
    ],
    'has the whole line where something else of it changes the shell, wherever that is': [
      ['cd f; make test', 'make test # in cd f; make test'],
      ['(cd f && make test)', 'make test # in (cd f && make test)'],
      ['\\cd f; make test', 'make test # in \\cd f; make test'],
      ['command -p cd f; make test', 'make test # in command -p cd f; make test'],
      ['make test; cd f', 'make test # in make test; cd f'],
      ['for i in a b; do make test; cd f; done', 'make test # in for i in a b; do make test; cd f; done'],
      ['export X=1\nmake test', 'make test # in export X=1⏎make test'],
      ['x=1; export x; make test', 'make test # in x=1; export x; make test'],
      ['X=1; echo $X; make test', 'make test # in X=1; echo $X; make test'],
      ['for X in a; do make test; done', 'make test # in for X in a; do make test; done'],
      ['((X = 1)); make test', 'make test # in ((X = 1)); make test'],
      ['true ${X:=a}; make test', 'make test # in true ${X:=a}; make test'],
      ['printf -v X a; make test', 'make test # in printf -v X a; make test'],
      ['x=-v; printf $x X a; make test', 'make test # in x=-v; printf $x X a; make test'],
      ['unset HOME; make test', 'make test # in unset HOME; make test'],
      ['set -a; make test', 'make test # in set -a; make test'],
      ['read x; make test', 'make test # in read x; make test'],
      ['make() { true; }; make test', 'make test # in make() { true; }; make test'],
      ['alias make=true; make test', 'make test # in alias make=true; make test'],
      ["trap 'make test' EXIT", "make test # in trap 'make test' EXIT"],
      ["cd f; bash -c 'make test'", "make test # in cd f; bash -c 'make test'"],
      ["FOO=1 bash -c 'make test'", "make test # in FOO=1 bash -c 'make test'"],
      ["env -C f bash -c 'make test'", "make test # in env -C f bash -c 'make test'"],
      ["xargs bash -c 'make test'", "make test # in xargs bash -c 'make test'"],
      ["sh -c 'FOO=1 break; make test'", "make test # in sh -c 'FOO=1 break; make test'"],
      ['umask 0; umask 0', 'umask 0 # in umask 0; umask 0'],
    ],
    'has the whole line where its input is shown nowhere else': [
      ['f() { make test; }; f < g', 'make test # in f() { make test; }; f < g'],
      ['coproc make test', 'make test # in coproc make test'],
      ['cat f > >(make test)', 'make test # in cat f > >(make test)'],
      ['cat <<E | grep a | make test\na\nE', 'make test # in cat <<E | grep a | make test⏎a⏎E'],
      [`cat ${'f '.repeat(150)}| make test`, `make test # in cat ${'f '.repeat(150)}| make test`],
    ],
    'has the whole line where a variable of it is computed': [
      ['for i in $(cat f); do make $i; done', 'make $i # in for i in $(cat f); do make $i; done'],
      ['x=f; cat $x | make test', 'make test < <(cat $x) # in x=f; cat $x | make test'],
      ['x=f; make test <<E\n$x\nE', "make test << $'$x\\n' # in x=f; make test <<E⏎$x⏎E"],
      ["bash -c 'make $1' _ f", "make $1 # in bash -c 'make $1' _ f"],
      ['x=f; make test > $x', 'make test > f'],
      ['x=f; make test <<< $x', 'make test <<< f'],
      ['x=f; make $x', 'make f'],
    ],
    'has the program that runs it for what it finds': [
      ["find a -name '*.o' -exec rm {} \\;", "find a -name '*.o' -exec rm {} ';'"],
      ['find a -execdir timeout 5 make test \\;', "find a -execdir timeout 5 make test ';'"],
      ['X=1 find a -exec make test \\;', "X=1 find a -exec make test ';'"],
      ["find a -execdir bash -c 'make test' \\;", "make test # in find a -execdir bash -c 'make test' \\;"],
    ],
    'is quoted so that no other command has it': [
      ["make '>' f", "make '>' f"],
      ["env 'X=1 make' test", "X='1 make' test"],
      ['env "X=$y" make test', '"X=$y" make test'],
      ["'X=1' make test", "'X=1' make test"],
      ['env -u X make test', 'env -u X make test'],
      ['env -i make test', 'env -i make test'],
      ['make "$x # a\nb"', 'make "$x # a⏎b"'],
      ['make "$x\ta"', 'make "$x⇥a"'],
      ['make "$x  a"', 'make "$x  a"'],
    ],
  }))
    it(what, () => {
      for (const [command, text] of cases) expect(asked(command), command).to.include(text)
    })

  it('leaves out what changes nothing for it', () => {
    for (const command of [
      'timeout 5 make test',
      'nice -n 5 make test',
      'LC_ALL=C make test',
      'LC_ALL=C; make test',
      'make test 2>&1',
      'make test > /dev/null 2>&1',
      '{ make test; } 2> /dev/null',
      'make test | head',
      'make test & true',
      'for i in 1 2; do make test; done',
      '(cd f); make test',
      'cat <(cd f); make test',
      '! make test',
      'time make test',
      'true && make "test"',
      "bash -c 'make test'",
    ])
      expect(
        asked(command).filter((text) => text.includes('make')),
        command,
      ).to.deep.equal(['make test'])
  })

  it('is offered exactly, and its rule covers no other line', () => {
    const lines = [
      'make test',
      'make test > f',
      'make test > g',
      '{ make test; } >> f',
      'make test 2> f',
      'make test < f',
      'make test <<< f',
      'make test 3<<< f',
      'make test <<E\n$f\nE',
      "make test <<'E'\n$f\nE",
      'cat f | make test',
      'cat g | make test',
      'cat f |& make test',
      'cat f | { cat | make test; }',
      'make test >&3',
      'make test 2>&-',
      'cd f; make test',
      'cd g; make test',
      'false && cd f; make test',
      'cd f; cd f; make test',
      'f() { make test; }; f < g',
      'f() { make test; }; f < h',
      'FOO=1 make test',
      'FOO=2 make test',
      'export FOO=1; make test',
      'FOO=1; echo $FOO; make test',
      'for i in $(cat f); do make $i; done',
      'for i in $(cat g); do make $i; done',
      'x=f; cat $x | make test',
      'x=g; cat $x | make test',
      'find f -exec rm {} \\;',
      'find g -exec rm {} \\;',
      'env -u FOO make test',
      "bash -c 'make $1' _ f",
      "bash -c 'make $1' _ g",
      'make "$y # f\ng"',
      'make "$y # f g"',
      "make test '>' f",
      'cat f | xargs make',
      'cat g | xargs make',
    ]
    for (const line of lines) {
      const patterns = approved(line)
      expect(patterns, line).to.not.equal(undefined)
      for (const other of lines.filter((one) => one !== line))
        expect(
          evaluateCommand(other, AT_WALL, rules(...(patterns ?? []))).verdict,
          `${other}, by the rules of ${line}`,
        ).to.equal('ask')
    }
  })

  it('is no rule where it is too long', () => {
    for (const command of [
      `cd f; make test ${'# '.repeat(500)}`,
      `f() { make test; }; f < ${'g'.repeat(1000)}`,
      `f() { true ${'a '.repeat(200)}; }`,
      `make ${'a'.repeat(1000)}`,
    ]) {
      expect(approved(command), command).to.equal(undefined)
      const { verdict, suggestion } = evaluateCommand(
        command,
        base,
        rules('make [^a]*', '.* # …', 'f.*', '.*g', 'cd f'),
      )
      expect(suggestion, command).to.equal(undefined)
      expect(verdict, command).to.equal('ask')
    }
  })

  it('is read back from one line, as in requests and examples', () => {
    for (const [line, text] of [
      ['make test > f', 'make test > f'],
      ['make test 2> f', 'make test 2> f'],
      ['make test {fd}> f', 'make test {fd}> f'],
      ['cat f | make test', 'make test < <(cat f)'],
      ['make test <<E\n$a\nE', "make test << $'$a\\n'"],
      ['cd f; make test > g', 'make test > g # in cd f; make test > g'],
      ["make '# a' > g", "make '# a' > g"],
    ] as const) {
      expect(asked(line)).to.include(text)
      expect(approved(line)?.some((pattern) => ruleMatches(pattern, text))).to.equal(true)
      expect(ruleMatches("make (test|'# a')", text), text).to.equal(false)
      expect(ruleMatches('make .*', text), text).to.equal(false)
    }
    expect(ruleMatches('make .*', "make '> f'")).to.equal(true)
  })
})
