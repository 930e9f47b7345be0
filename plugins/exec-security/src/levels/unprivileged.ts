// A host of the user root runs commands as a user without rights. The mounts of their view show files of the host's
// user as files of that user, so that on disk nothing changes its owner.
import { execFile } from 'node:child_process'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../view/tools.js'
import { withCallNumbers } from './call-numbers.js'

/** The users of commands: each that runs has one of its own, whose processes are counted. No account has them. */
export const USERS = Array.from({ length: 256 }, (_, index) => 64_000 + index)
/** Has the folders on disk that root makes in a view, as places of further mounts. */
const PLACES = 63_999

interface Programs {
  readonly perl: string
  readonly setpriv: string
  readonly text: string
}

/** A command of bwrap that a user without rights runs. */
export interface Dropped {
  /** The number of the user. */
  readonly user: number
  /** Where bwrap finds a file or folder of the host as one of that user. */
  place(source: string): string
  /** The command that starts bwrap, before its own arguments. */
  before(bwrap: string): readonly string[]
  /** The command that starts the other one in the view. */
  readonly within: readonly string[]
}

/** Starts commands as users without rights. */
export class Unprivileged {
  readonly #programs: Programs
  readonly #stage: string
  /** Whether the mounts of a file system can show other owners, by its device. */
  readonly #devices = new Map<number, Promise<boolean>>()
  #next = 0

  private constructor(programs: Programs, stage: string) {
    this.#programs = programs
    this.#stage = stage
  }

  /**
   * Returns what starts commands as users without rights, or `undefined` where the host has none to take away, or
   * where this machine lacks what is needed.
   *
   * @param run the folder for the files of commands
   */
  static async find(run: string): Promise<Unprivileged | undefined> {
    const text = withCallNumbers(TEXT)?.replaceAll('PLACES', String(PLACES))
    if (process.getuid?.() !== 0 || text === undefined) return undefined
    const [perl, setpriv] = [await findProgram('perl'), await findProgram('setpriv')]
    if (perl === undefined || setpriv === undefined) return undefined
    const stage = join(run, 'stage')
    await mkdir(stage, { recursive: true, mode: 0o700 })
    return new Unprivileged({ perl, setpriv, text }, stage)
  }

  /** Returns whether the mounts of all these files and folders can show other owners. */
  async covers(sources: readonly string[]): Promise<boolean> {
    const found = await Promise.all(sources.map((source) => this.#covers(source)))
    return found.every(Boolean)
  }

  async #covers(source: string): Promise<boolean> {
    const device = await stat(source).then(
      ({ dev }) => dev,
      () => undefined,
    )
    // A missing one is not mounted.
    if (device === undefined) return true
    let known = this.#devices.get(device)
    if (!known) this.#devices.set(device, (known = this.#try(source)))
    return known
  }

  async #try(source: string): Promise<boolean> {
    const { perl, text } = this.#programs
    const [user = 0] = USERS
    try {
      await promisify(execFile)(perl, ['-e', text, '--', String(user), this.#stage, source, '--', 'true'])
      return true
    } catch {
      return false
    }
  }

  /** Returns how the next command is started. */
  next(): Dropped {
    const { perl, setpriv, text } = this.#programs
    const user = USERS[this.#next++ % USERS.length] as number
    const sources: string[] = []
    return {
      user,
      place: (source) => {
        const known = sources.indexOf(source)
        return join(this.#stage, String(known === -1 ? sources.push(source) - 1 : known))
      },
      before: (bwrap) => [perl, '-e', text, '--', String(user), this.#stage, ...sources, '--', bwrap],
      within: [
        setpriv,
        ...['--reuid', String(user), '--regid', String(user), '--clear-groups'],
        ...['--bounding-set', '-all', '--inh-caps', '-all', '--'],
      ],
    }
  }
}

/**
 * Mounts each source, by its place in the list, below the stage in a mount namespace of its own, with its owner shown
 * as the user, and becomes the command. It exits with 125 where that does not work.
 */
const TEXT = String.raw`
my ($user, $stage) = splice @ARGV, 0, 2;
my @sources;
push @sources, shift while @ARGV && $ARGV[0] ne '--';
shift;
sub end { print STDERR "$_[0]: $!\n"; exit 125 }
my ($empty, $slash, $tmpfs, $options) = ("\0", "/\0", "tmpfs\0", "mode=700,size=1m\0");
syscall(UNSHARE, 0x20000) == 0 or end('a mount namespace');
syscall(MOUNT, $empty, $slash, $empty, 0x44000, $empty) == 0 or end('private mounts');
my $at = "$stage\0";
syscall(MOUNT, $tmpfs, $at, $tmpfs, 6, $options) == 0 or end('the stage');
my (%spaces, @open);
sub space {
  my ($uid, $gid) = @_;
  return $spaces{"$uid $gid"} //= do {
    pipe(my $ready, my $says) && pipe(my $waits, my $go) or end('a pipe');
    my $pid = fork // end('fork');
    if (!$pid) { close $ready; close $go; syscall(UNSHARE, 0x10000000) == 0 or exit 1; syswrite $says, 'r'; sysread $waits, my $end, 1; exit 0 }
    close $says; close $waits;
    sysread($ready, my $byte, 1) or end('a user namespace');
    for (["uid_map", $uid], ["gid_map", $gid]) {
      open my $map, '>', "/proc/$pid/$$_[0]" or end($$_[0]);
      defined syswrite $map, "$$_[1] $user 1\nPLACES 0 1\n" or end($$_[0]);
      close $map;
    }
    open my $space, '<', "/proc/$pid/ns/user" or end('a user namespace');
    close $go; waitpid $pid, 0;
    $space;
  };
}
for my $index (0 .. $#sources) {
  my ($uid, $gid) = (stat $sources[$index])[4, 5];
  defined $uid or next;
  my ($from, $to) = ("$sources[$index]\0", "$stage/$index\0");
  if (-d _) { mkdir "$stage/$index" or end($index) } else { open my $file, '>', "$stage/$index" or end($index) }
  my $owner = pack 'QQQQ', 0x100000, 0, 0, fileno space($uid, $gid);
  my $done = 0;
  for my $all (0x8000, 0) {
    my $tree = syscall(428, -100, $from, 0x80001 | $all);
    $tree >= 0 or end($sources[$index]);
    if (syscall(442, $tree + 0, $empty, 0x1000 | $all, $owner, 32) == 0) {
      $done = syscall(429, $tree + 0, $empty, -100, $to, 4) == 0;
      last;
    }
  }
  $done or end($sources[$index]);
}
exec { $ARGV[0] } @ARGV;
end($ARGV[0]);
`
