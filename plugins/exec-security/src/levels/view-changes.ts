// The last changes of the mounts of a view. A program of perl makes them from within, where a name that a command has
// made into a link leads nowhere else, and before the filter forbids changes of mounts, which it sets itself.
import { withCallNumbers } from './call-numbers.js'
import { FILTER_DESCRIPTOR, type Mount } from '../view/exec-view.js'

/** The rights that it needs, and gives away. */
export const MAY_MOUNT = ['CAP_SYS_ADMIN', 'CAP_SETPCAP', 'CAP_DAC_READ_SEARCH'].flatMap((name) => ['--cap-add', name])

interface ViewChanges {
  /** The places of mounts in which links lead nowhere and no program runs. */
  readonly inert: readonly string[]
  /** Mounts in a folder that other commands change. Their places are looked up without links. */
  readonly inner: readonly Mount[]
}

/**
 * Returns the command that makes the changes, sets the filter, and becomes another command.
 *
 * @param perl the full path of perl
 * @param keepsRights whether the other command still needs rights, and gives them away itself
 */
export function viewChanges(perl: string, { inert, inner }: ViewChanges, keepsRights: boolean): readonly string[] {
  const changes = [
    ...inert.map((path) => `inert:${path}`),
    ...inner.map(({ at, writable }) => `${writable ? 'held' : 'ro'}:${at}`),
  ]
  return [perl, '-e', TEXT ?? '', '--', keepsRights ? 'keep' : 'drop', ...changes, '--']
}

const TEXT = withCallNumbers(String.raw`
use Fcntl;
my ($rights, @changes) = shift;
push @changes, shift while @ARGV && $ARGV[0] ne '--';
shift;
sub end { print STDERR "$_[0]: $!\n"; exit 125 }
my $empty = "\0";
sub set {
  my ($directory, $path, $flags, $bits) = @_;
  my ($at, $attributes) = ("$path\0", pack 'QQQQ', $bits, 0, 0, 0);
  syscall(442, $directory, $at, $flags, $attributes, 32) == 0 or end($path);
}
for (@changes) {
  my ($kind, $path) = split /:/, $_, 2;
  if ($kind eq 'inert') { set(-100, $path, 0, 0x200000 | 0x8); next }
  my ($folder, $inner);
  for my $name (grep length, split m{/}, $path) {
    my $at = defined $folder ? '/proc/self/fd/' . fileno($folder) . "/$name" : "/$name";
    sysopen($inner, $at, 010000000 | O_NOFOLLOW) or end($path);
    ($folder, $inner) = ($inner);
  }
  my $tree = syscall(428, fileno $folder, $empty, 0x81001);
  $tree >= 0 or end($path);
  set($tree + 0, '', 0x1000, 0x1) if $kind eq 'ro';
  syscall(429, $tree + 0, $empty, fileno $folder, $empty, 0x44) == 0 or end($path);
}
if ($rights eq 'drop') {
  my ($head, $none) = (pack('Ll', 0x20080522, 0), pack('L6', (0) x 6));
  syscall(PRCTL, 24, $_, 0, 0, 0) for 0 .. 63;
  syscall(CAPSET, $head, $none) == 0 or end('rights');
}
open my $pipe, '<&=', ${FILTER_DESCRIPTOR} or end('the filter');
local $/;
my $filter = <$pipe>;
close $pipe;
my $program = pack 'Sx6P', length($filter) / 8, $filter;
syscall(PRCTL, 38, 1, 0, 0, 0) == 0 && syscall(PRCTL, 22, 2, $program) == 0 or end('the filter');
exec { $ARGV[0] } @ARGV;
end($ARGV[0]);
`)
