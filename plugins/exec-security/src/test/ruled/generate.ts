// Random lines around the command `make test`: what redirects it, feeds it, or changes the shell in which it runs.
import type { Random } from '../differential/generate.js'

const REDIRECTS = [
  ...['> f', '>> f', '>| f', '2> f', '&> f', '<> f', '3> f', '{fd}> f', '> "$g"', '> >(cat)', '< <(cat e)'],
  ...['< e', '0< e', '<<< x', '3< e', '4<e 0<&4', '< "$HOME/e"', '>&3', '3>&1', '<&-', '>&-'],
  ...['2>&1', '1>&2', '2>/dev/null', '> /dev/null', '>/dev/stdout'],
]
const CHANGES = [
  ...['cd sub', '\\cd sub', 'command cd sub', 'builtin cd sub', 'pushd sub', 'cd sub/..', '(cd sub)', '{ cd sub; }'],
  ...['true "$(cd sub)"', 'cd sub | cat', 'trap "cd sub" DEBUG', 'IFS=x', 'PATH=.:$PATH', 'unset HOME', 'umask 077'],
  ...['FOO=evil', 'FOO=evil :', 'export FOO', 'export FOO=evil', 'declare -x FOO=evil', 'read FOO <<< evil'],
  ...['printf -v FOO evil', 'mapfile -t FOO < e', ': ${FOO:=evil}', '((FOO=3))', 'let FOO=4', 'unset FOO', 'set -a'],
  ...['FOO=$(cat e); true $FOO', 'make() { true; }', 'alias make=false', 'hash -p /bin/false make', 'source e'],
  ...['set -- evil', 'shift', 'shopt -s lastpipe', 'exec 3< e', 'g=f', 'g=evil', 'true', 'cat e'],
]
const COMMANDS = [
  ...['make test', '"make" te""st', 'time make test', '! make test', 'command make test', 'LC_ALL=C make test'],
  ...['timeout 5 make test', 'nice make test', 'nohup make test', 'setsid -w make test', 'stdbuf -o0 make test'],
  ...['env make test', 'env FOO=evil make test', 'env -u FOO make test', 'env -i make test', 'env -C sub make test'],
  ...[
    'FOO=evil make test',
    'make "$g"',
    'make $1 test',
    'make $(true) test',
    'xargs make test',
    'xargs -I{} make test',
  ],
  ...['find src -maxdepth 0 -exec make test \\;', 'find sub -name keep -execdir make test \\;'],
]

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a line in which commands are in up to `depth` others. */
export function ruledLine(random: Random, depth = 1 + random.below(3)): string {
  if (depth === 0) return random.pick(random.below(3) > 0 ? COMMANDS : CHANGES)
  const inner = (): string => ruledLine(random, depth - 1)
  const redirect = (): string => random.pick(REDIRECTS)
  return random.pick([
    () => `{ ${inner()}; }`,
    () => `( ${inner()} )`,
    () => `${inner()} | ${inner()}`,
    () => `${inner()} && ${inner()}`,
    () => `${inner()} || ${inner()}`,
    () => `${inner()}; ${inner()}`,
    () => `if ${inner()}; then ${inner()}; fi`,
    () => `while ${inner()}; do ${inner()}; break; done`,
    () => `for i in a b; do ${inner()}; ${inner()}; done`,
    () => `for FOO in evil; do ${inner()}; done`,
    () => `case a in a) ${inner()};; esac`,
    () => `true "$(${inner()})"`,
    () => `cat <(${inner()})`,
    () => `cat e > >(${inner()})`,
    () => `cat e | ${inner()}`,
    // A function that could call itself would start processes without end.
    () => `f${depth}() { ${inner()}; }; f${depth}`,
    () => `coproc { ${inner()}; }; wait`,
    () => `bash -c ${quote(inner())}`,
    () => `sh -c ${quote(inner())} ${redirect()}`,
    () => `${random.pick(COMMANDS)} ${redirect()}`,
    () => `{ ${inner()}; } ${redirect()}`,
    () => `( ${inner()} ) ${redirect()} ${redirect()}`,
    () => `${random.pick(CHANGES)}; ${inner()}`,
    () => `{ ${inner()}; } <<E\n${random.pick(['x', '$g'])}\nE\n`,
  ])()
}
