// Random shell programs made of stub commands, in the spellings and places where a command can hide.

/** A small seeded generator, so that every run can be repeated. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }
}

/** The commands that exist for these programs: stubs that only note that they were run. */
export const STUBS: readonly string[] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']

/** One program. About a third of them are damaged at random. */
export function generateProgram(random: Random): string {
  const program = new Generator(random).list(random.below(4) === 0 ? 3 : 2)
  return random.below(3) === 0 ? damage(program, random) : program
}

class Generator {
  readonly #random: Random
  /** Arithmetic together with quoted code is refused as a whole, so a program has the one or the other. */
  readonly #arithmetic: boolean

  /** The forms of a command that contains others. */
  readonly #compounds: readonly ((inner: number, depth: number) => string)[] = [
    (inner) => `(${this.list(inner)}\n)`,
    (inner) => `{ ${this.list(inner)}\n}`,
    (inner) => `if ${this.list(inner)}\nthen ${this.list(inner)}\nelse ${this.list(inner)}\nfi`,
    (inner) => `if ${this.list(inner)}\nthen :; elif ${this.list(inner)}\nthen ${this.list(inner)}\nfi`,
    (inner) => `while ${this.list(inner)}\ndo ${this.list(inner)}\nbreak; done`,
    (inner) => `until ${this.list(inner)}\ndo ${this.list(inner)}\nbreak; done`,
    (inner) => `for v in ${this.#word(inner)} b; do ${this.list(inner)}\nbreak; done`,
    (inner, depth) =>
      !this.#arithmetic
        ? this.#simple(depth)
        : `for ((i=0; i<${this.#random.pick(['1', '2', `1$(${this.#simple(0)})`])}; i++)); do ${this.list(inner)}\ndone`,
    (inner) =>
      `case ${this.#word(inner)} in a) ${this.list(inner)}\n;; ` +
      `(b|c) ${this.list(inner)}\n;& *) ${this.list(inner)}\nesac`,
    (inner) => `f() { ${this.list(inner)}\n}; f`,
    (inner) => `function g { ${this.list(inner)}\n}\ng`,
    (inner) => `[[ ${this.#word(inner)} == ${this.#word(inner)} || -n $(${this.list(inner)}\n) ]]`,
    (_, depth) => (!this.#arithmetic ? this.#simple(depth) : `((x = 1 + ${this.#arithmeticOperand()}))`),
    (inner) => `${this.#wrapper()} ${this.#simple(inner)}`,
    (inner) => `${this.#wrapper()} ${this.#wrapper()} ${this.#stub()} ${this.#word(inner)}`,
    (inner) => `bash -c ${this.#quote(this.list(inner))}`,
    () => `sh -c ${this.#quote(`${this.#stubPlain()} x; "${this.#stubPlain()}"`)}`,
    (inner, depth) => `{ bash <<'Q${depth}'\n${this.list(inner)}\nQ${depth}\n}`,
    (inner) => `bash <<< ${this.#quote(this.list(inner))}`,
    (inner) => `trap ${this.#quote(this.list(inner))} EXIT`,
    () => `find . -maxdepth 0 -exec ${this.#stub()} {} ${this.#random.pick(['\\;', '+', "';'"])}`,
    () => {
      const input = this.#random.pick(['a', "'b c'"])
      const option = this.#random.pick(['', '-n1 ', '-I{} ', '-r ', '-0 '])
      return `echo ${input} | xargs ${option}${this.#stub()} x`
    },
    (inner, depth) => `{ cat <<E${depth}; ${this.#stub()}\n${this.#hereText(inner)}\nE${depth}\n}`,
    (_, depth) => `{ cat <<'E${depth}' | ${this.#stub()}\n$(c0) \`c1\`\nE${depth}\n}`,
    () => `echo ${this.#quote(this.#stubPlain())} | bash`,
    () => this.#evaluated(),
    (_, depth) => (this.#arithmetic ? this.#evaluated() : this.#simple(depth)),
    (inner) => `{ ${this.list(inner)}\n} ${this.#redirect(inner)}`,
  ]
  /** The forms of a word that contains commands. */
  readonly #expansions: readonly ((inner: number) => string)[] = [
    (inner) => `$(${this.list(inner)}\n)`,
    (inner) => `"$(${this.list(inner)}\n)"`,
    () => `\`${this.#stubPlain()} a\``,
    () => `"x\`${this.#stubPlain()}\`y"`,
    (inner) => `<(${this.list(inner)}\n)`,
    (inner) => `\${z:-$(${this.list(inner)}\n)}`,
    () => `"\${z:-\`${this.#stubPlain()}\`}"`,
    () => (!this.#arithmetic ? 'x' : `$(( 1 + $(${this.#simple(0)}) ))`),
    () => `\${HOME/$(${this.#simple(0)})/x}`,
    () => (!this.#arithmetic ? 'x' : `\${HOME:$(${this.#simple(0)}):1}`),
    () => `{a,$(${this.#simple(0)})}`,
    () => `a$(${this.#simple(0)})b`,
    () => `"a'$(${this.#simple(0)})'"`,
    () => `\${HOME%$(${this.#simple(0)})}`,
    () => `[$(${this.#simple(0)})]`,
    () => (!this.#arithmetic ? 'x' : `\${a[$(${this.#simple(0)})0]}`),
    () => `$(case x in x) ${this.#simple(0)};; esac)`,
    () => `"\${z-"$(${this.#simple(0)})"}"`,
  ]

  constructor(random: Random) {
    this.#random = random
    this.#arithmetic = random.below(3) === 0
  }

  list(depth: number): string {
    const count = 1 + this.#random.below(Math.min(Math.max(depth, 0), 2) + 1)
    let text = this.#pipeline(depth)
    for (let i = 1; i < count; i++) {
      const joint = this.#random.pick([
        '; ',
        ' && ',
        ' || ',
        '\n',
        ' & ',
        ' ;',
        '&&',
        '||',
        '&',
        '\n\n',
        ' # note\n',
        ';\n',
      ])
      text += joint + this.#pipeline(depth)
    }
    return text
  }

  #pipeline(depth: number): string {
    const prefix = this.#random.pick(['', '', '', '', '', '! ', 'time ', 'time -p '])
    const count = this.#random.below(5) === 0 ? 2 : 1
    const parts = Array.from({ length: count }, () => this.#command(depth))
    return prefix + parts.join(this.#random.pick([' | ', '|', ' |& ', ' |\n']))
  }

  #command(depth: number): string {
    if (depth <= 0 || this.#random.below(5) < 2) return this.#simple(depth)
    return this.#random.pick(this.#compounds)(depth - 1, depth)
  }

  /** Text of a file, or the name of one, where bash evaluates: both are commands inside a subscript. */
  #evaluated(): string {
    const source = this.#random.pick([
      '$(cat i)',
      '`cat i`',
      '$(<i)',
      '"$(cat i)"',
      '$v',
      'v',
      '"$v"',
      '${v}',
      '1',
      '$((1))',
      '$#',
      '${#HOME}',
      '$(echo 3)',
      '$(echo v)',
      '${v:-2}',
      '${w:-2}',
      'w',
      '"${v%x}"',
    ])
    const set = this.#random.pick([
      '',
      '',
      'v=$(cat i); ',
      'v=5; ',
      'read v <i; ',
      'for v in *; do :; done; ',
      'for v in 1 2; do :; done; ',
      'v=(*); ',
      'mapfile -t v <i; ',
      'printf -v v %s "$(cat i)"; ',
      'v="$(echo 7)"; ',
      'declare v=$(cat i); ',
      'export v=4; ',
      'v=u; u=$(cat i); ',
      'v=u; u=3; ',
      'unset v; ',
      'let v=3; ',
      '((v = 3)); ',
    ])
    const use = this.#random.pick([
      'c0 $((S))',
      '((S)); c0',
      '[[ S -eq 1 ]] || c0',
      'c0 "${HOME:S:1}"',
      'c0 ${q[S]}',
      '[[ -v S ]] || c0',
      'test -v S; c0',
      'unset "q[S]"; c0',
      'c0 "${!v}"',
      'q[S]=1; c0',
      'let "q=S"; c0',
      'declare -i n=S; c0',
      'printf -v "q[S]" x; c0',
      'read "q[S]" <i; c0',
      'c0 $((S + 1)) a',
      'for ((j=S; j<0; j++)); do :; done; c0',
      'c0 ${q:S}',
      'declare -n r=S; c0 "$r"',
      'c0 $[S]',
    ])
    return `${set}${use.replace('S', () => source)}`
  }

  #simple(depth: number): string {
    const parts: string[] = []
    if (this.#random.below(5) === 0) parts.push(`V=${this.#word(depth)}`)
    if (this.#random.below(8) === 0) parts.push(this.#redirect(depth))
    parts.push(this.#random.below(12) === 0 ? `echo` : this.#stub())
    for (let i = this.#random.below(3); i > 0; i--) parts.push(this.#word(depth))
    if (this.#random.below(6) === 0) parts.push(this.#redirect(depth))
    return parts.join(this.#random.pick([' ', ' ', '\t', ' \\\n']))
  }

  #stub(): string {
    const name = this.#random.pick(STUBS)
    const [first, second] = [name[0] ?? '', name[1] ?? '']
    return this.#random.pick([
      name,
      name,
      name,
      `"${name}"`,
      `'${name}'`,
      `\\${name}`,
      `${first}"${second}"`,
      `${first}\\${second}`,
      `${first}''${second}`,
      `${first}\\\n${second}`,
      `$'${name}'`,
      `$'\\x63'${second}`,
      `$'c\\x3${second}'`,
      `$'\\143${second}'`,
      `$"${name}"`,
      `""${name}`,
    ])
  }

  #arithmeticOperand(): string {
    return this.#random.pick(['2', `\`${this.#simple(0)}\``, `$(${this.#simple(0)})`, `a[$(${this.#simple(0)})0]`])
  }

  #hereText(inner: number): string {
    const list = `$(${this.list(inner)}\n)`
    return this.#random.pick(['plain', list, `\`${this.#simple(0)}\``, '\\$x', `\${z:-$(${this.#simple(0)})}`])
  }

  #word(depth: number): string {
    if (depth > 0 && this.#random.below(3) === 0) return this.#random.pick(this.#expansions)(depth - 1)
    if (!this.#arithmetic && this.#random.below(4) === 0)
      return this.#random.pick(["'$(c0)'", "'`c1`'", '"\\$(c2)"', '"\\`c3\\`"', '\\$\\(c4\\)'])
    return this.#random.pick([
      'a',
      'b=c',
      '"a b"',
      '\\$x',
      "$'\\'c4'",
      'a#b',
      '"#"',
      '*',
      '?x',
      '{a,b}',
      '~',
      '$HOME',
      '"${HOME}"',
      "'a;b'",
      '"c5; c6"',
      'c7',
      "'\n'",
      '-x',
      '--',
      '"a\\"; c0"',
      "\\'",
      '\\"',
      '\\;',
      '\\&',
      '${#HOME}',
      '$#',
      '$((1+2))',
      '[a-z]',
      '!x',
      'if',
      'done',
      '=',
      '%',
      '^',
      ',',
      '""',
      "''",
    ])
  }

  #stubPlain(): string {
    return this.#random.pick(STUBS)
  }

  #redirect(depth: number): string {
    return this.#random.pick([
      '>o',
      '>>o',
      '2>o',
      '2>&1',
      '>&2',
      '<i',
      '&>o',
      '<<<w',
      '>|o',
      '3<i',
      '<>o',
      '{d}>o',
      `> "o$(${depth > 0 ? this.#simple(0) : 'c0'})"`,
      `< <(${this.#simple(0)})`,
      `> >(${this.#simple(0)})`,
    ])
  }

  #wrapper(): string {
    return this.#random.pick([
      'timeout 5',
      'timeout -k 5 5',
      'timeout --signal=KILL 5',
      'nice',
      'nice -n 1',
      'nice -n1',
      'env',
      'env A=1',
      'env -u X',
      'env -i PATH="$PATH" L="$L" N="$N"',
      'nohup',
      'command',
      'command -p',
      'command --',
      'stdbuf -oL',
      'setsid -w',
      'env -',
      'A=1 env B=2',
    ])
  }

  #quote(text: string): string {
    if (this.#random.below(2) === 0) return `'${text.replaceAll("'", "'\\''")}'`
    return `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`
  }
}

/** Deletes, doubles, swaps or inserts a few characters. Never a slash, so that nothing outside the folder is named. */
function damage(program: string, random: Random): string {
  let text = program
  for (let i = 1 + random.below(3); i > 0 && text.length > 1; i--) {
    const at = random.below(text.length)
    const noise = random.pick([
      '"',
      "'",
      '`',
      '$',
      '(',
      ')',
      '{',
      '}',
      ';',
      '&',
      '|',
      '\n',
      '\\',
      '#',
      ' ',
      '<',
      '>',
      '!',
      '[',
      ']',
      '*',
      '=',
      ';;',
      '$(',
      '((',
      '))',
      '<<E\n',
      '\nE\n',
      "$'",
      '${',
      '&&',
      ' c0 ',
      '<(',
      '\t',
      '$"',
      '|&',
      ';&',
      '@(',
      'fi',
      'done',
    ])
    switch (random.below(3)) {
      case 0:
        text = text.slice(0, at) + text.slice(at + 1)
        break
      case 1:
        text = text.slice(0, at) + noise + text.slice(at)
        break
      default:
        text = text.slice(0, at) + noise + text.slice(at + 1)
    }
  }
  return text
}
