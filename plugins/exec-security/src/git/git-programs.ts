// Git with nothing but itself: Landlock lets it start its own programs and no others, so that no hook, filter, editor
// or helper runs while the repository is open.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
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

/** The programs that git starts by itself, besides itself. */
const OWN = ['git-remote-http', 'git-http-fetch', 'git-http-push']
/** Where a view shows copies of git and of these. */
export const CORE = '/run/git-core'

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
  /** The real path of git. */
  readonly #real: string
  /** The folder of its own programs. */
  readonly #core: string

  private constructor(git: string, perl: string, text: string, real: string, core: string) {
    this.git = git
    this.perl = perl
    this.#text = text
    this.#real = real
    this.#core = core
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
      const found = new GitPrograms(git, perl, text, await realPath(git), stdout.trim())
      const problem = await found.#try()
      return problem ?? found
    } catch (error) {
      return `Landlock does not hold git here: ${(error as { stderr?: string }).stderr?.trim() || 'it does not start'}`
    }
  }

  /**
   * Copies git and what it starts by itself into a folder, which is new then. On the machine git has a hundred names,
   * each of which is a command: a copy is a file of its own, and has no other name.
   */
  async copyTo(folder: string): Promise<void> {
    const made = `${folder}.${process.pid}`
    await rm(made, { recursive: true, force: true })
    await mkdir(made, { mode: 0o755 })
    await copyFile(this.#real, join(made, 'git'))
    // Without HTTP they are not there.
    for (const name of OWN)
      await copyFile(join(this.#core, name), join(made, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    await symlink('git-remote-http', join(made, 'git-remote-https'))
    await rm(folder, { recursive: true, force: true })
    await rename(made, folder)
  }

  /**
   * Returns a command that becomes git in a view that shows the copies at {@link CORE}.
   *
   * @param words the file with the words after `git`, with a NUL between them
   */
  command(words: string): readonly string[] {
    return this.#command(
      ['git', ...OWN].map((name) => join(CORE, name)),
      words,
    )
  }

  /** @param own programs that may be started. The first one is git. */
  #command(own: readonly string[], words: string): readonly string[] {
    return [this.perl, '-e', this.#text, '--', ...own, ...LOADERS, '--', own[0] ?? '', words]
  }

  /** Tries whether git starts, and starts nothing else. */
  async #try(): Promise<string | undefined> {
    const [file = '', ...args] = this.#command([this.#real], '-')
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
