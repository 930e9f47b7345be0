// Git with nothing but itself: Landlock lets it start its own programs and no others, so that no hook, filter, editor
// or helper runs while the repository is open.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { withCallNumbers } from '../levels/call-numbers.js'
import { realPath } from '../real-paths.js'
import { findProgram } from '../view/tools.js'

const run = promisify(execFile)
const PROBE_MS = 30_000

/** The programs by which the kernel starts others. */
const LOADERS = [
  ...['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'],
  ...['/lib/ld-musl-x86_64.so.1', '/lib/ld-musl-aarch64.so.1'],
]

/** Why git cannot be held where its folders cannot be made inert. */
export const NO_MOUNTS = 'the mounts of a view cannot be changed'

/** Starts git so that it can start nothing else. */
export class GitPrograms {
  /** Why there is nothing to hold. */
  static readonly missing = 'git is not installed'
  /** The full path of git, which may be a link. */
  readonly git: string
  readonly perl: string
  readonly #text: string
  readonly #own: readonly string[]

  private constructor(git: string, perl: string, text: string, own: readonly string[]) {
    this.git = git
    this.perl = perl
    this.#text = text
    this.#own = own
  }

  /** Finds them, or why git cannot be held so on this machine. */
  static async find(): Promise<GitPrograms | string> {
    const [git, perl] = [await findProgram('git'), await findProgram('perl')]
    if (git === undefined) return GitPrograms.missing
    if (perl === undefined) return 'perl is not installed'
    const text = withCallNumbers(TEXT)
    if (text === undefined) return `Landlock is not known for ${process.arch}`
    try {
      const { stdout } = await run(git, ['--exec-path'], { timeout: PROBE_MS, env: {} })
      const own = [await realPath(git), stdout.trim(), ...LOADERS]
      const found = new GitPrograms(git, perl, text, own)
      const problem = await found.#try()
      return problem ?? found
    } catch (error) {
      return `Landlock does not hold git here: ${(error as { stderr?: string }).stderr?.trim() || 'it does not start'}`
    }
  }

  /**
   * Returns a command that becomes git.
   *
   * @param words the file with the words after `git`, with a NUL between them, or `-` for standard input
   */
  command(words: string): readonly string[] {
    return [this.perl, '-e', this.#text, '--', ...this.#own, '--', this.#own[0] ?? this.git, words]
  }

  /** Tries whether git starts, and starts nothing else. */
  async #try(): Promise<string | undefined> {
    const [file = '', ...args] = this.command('-')
    const tried = async (...words: string[]): Promise<string> => {
      const running = run(file, args, { timeout: PROBE_MS, env: {} })
      running.child.stdin?.end(words.join('\0'))
      return (await running).stdout
    }
    await tried('version')
    const other = await tried('-c', 'alias.x=!echo started', 'x').catch(() => '')
    return other === '' ? undefined : 'Landlock does not hold git here: it starts other programs'
  }
}

const TEXT = String.raw`
my @own;
push @own, shift while @ARGV && $ARGV[0] ne '--';
shift;
my $execute = 1;
# Since its second version it knows a right to move a file to another folder.
my $move = syscall(444, 0, 0, 1) >= 2 ? 1 << 13 : 0;
my $attributes = pack 'Q', $execute | $move;
my $ruleset = syscall(444, $attributes, 8, 0);
$ruleset >= 0 or do { print STDERR "Landlock: $!\n"; exit 125 };
sub grant {
  my ($path, $rights) = @_;
  sysopen(my $handle, $path, 010000000) or return;
  my $rule = pack 'Ql', $rights, fileno $handle;
  syscall(445, $ruleset + 0, 1, $rule, 0) == 0 or do { print STDERR "Landlock: $path: $!\n"; exit 125 };
}
grant($_, $execute) for @own;
grant('/', $move) if $move;
syscall(PRCTL, 38, 1, 0, 0, 0) == 0 && syscall(446, $ruleset + 0, 0) == 0 or do { print STDERR "Landlock: $!\n"; exit 125 };
my ($git, $words) = @ARGV;
open my $file, $words eq '-' ? '<&=0' : "< $words" or do { print STDERR "git: $!\n"; exit 125 };
local $/;
exec { $git } 'git', split /\0/, <$file>, -1;
print STDERR "git: $!\n";
exit 127;
`
