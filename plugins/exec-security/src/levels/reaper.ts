// The helper of the levels without namespaces, a program of perl: each Debian has perl, and Node cannot make these
// system calls.

import { withCallNumbers } from './call-numbers.js'

/**
 * Returns the text of the helper, or undefined for an architecture whose numbers are not known. Its arguments are
 * options, `--` and a command.
 *
 * - `land` restricts the command to the paths `ro:<path>` and `rw:<path>`, to no TCP without `tcp`, and to signals for
 *   its own processes, as far as the kernel can. It takes the rights of root away, with which a command could read the
 *   environment of other processes.
 * - It adopts what leaves the command, and kills all of it when the command or the host ends. It looks again until it
 *   has no children, since one may come while it looks. A process can be called like the rest of its line.
 *
 * It exits with 125 if Landlock does not work, and otherwise as the command does.
 */
export const reaperProgram = (architecture?: NodeJS.Architecture): string | undefined =>
  withCallNumbers(TEXT, architecture)

const TEXT = String.raw`
my (@rules, %is);
while (@ARGV && $ARGV[0] ne '--') { my $a = shift; if ($a =~ /^r[ow]:/) { push @rules, $a } else { $is{$a} = 1 } }
shift;
my $ruleset = -1;
if ($is{land}) {
  my $abi = syscall(444, 0, 0, 1);
  if ($abi < 1) { print STDERR "Landlock is not available\n"; exit 125 }
  my $all = (1 << 13) - 1;
  $all |= 1 << 13 if $abi >= 2; $all |= 1 << 14 if $abi >= 3; $all |= 1 << 15 if $abi >= 5;
  my $read = 1 | 4 | 8;
  my $of_files = 1 | 2 | 4 | 1 << 14 | 1 << 15;
  my $attributes = pack('QQQ', $all, $abi >= 4 && !$is{tcp} ? 3 : 0, $abi >= 6 ? 3 : 0);
  $ruleset = syscall(444, $attributes, $abi >= 6 ? 24 : $abi >= 4 ? 16 : 8, 0);
  if ($ruleset < 0) { print STDERR "Landlock: $!\n"; exit 125 }
  for (@rules) {
    my ($mode, $path) = split /:/, $_, 2;
    sysopen(my $handle, $path, 010000000) or next;
    my $access = $mode eq 'rw' ? $all : $read;
    $access &= $of_files unless -d $path;
    my $rule = pack('Ql', $access & $all, fileno $handle);
    if (syscall(445, $ruleset + 0, 1, $rule, 0) != 0) { print STDERR "Landlock: $path: $!\n"; exit 125 }
  }
}
syscall(PRCTL, 36, 1, 0, 0, 0) == 0 or exit 125;
syscall(PRCTL, 1, 15, 0, 0, 0) == 0 or exit 125;
my $pid = fork;
defined $pid or exit 125;
if (!$pid) {
  if ($is{land}) {
    my ($head, $none) = (pack('Ll', 0x20080522, 0), pack('L6', (0) x 6));
    syscall(PRCTL, 24, $_, 0, 0, 0) for 0 .. 63;
    syscall(CAPSET, $head, $none) == 0 or exit 125;
    syscall(PRCTL, 38, 1, 0, 0, 0) == 0 or exit 125;
    syscall(446, $ruleset + 0, 0) == 0 or exit 125;
  }
  exec { $ARGV[0] } @ARGV;
  print STDERR "$ARGV[0]: $!\n";
  exit 127;
}
sub sweep {
  local $/;
  for (1 .. 2000) {
    opendir my $proc, '/proc' or last;
    for my $other (grep /^\d+$/, readdir $proc) {
      open my $file, '<', "/proc/$other/stat" or next;
      my $line = <$file>;
      kill 9, $other if defined $line && $line =~ /.*\) \S (\d+)/s && $1 == $$;
    }
    my $ended;
    do { $ended = waitpid -1, 1 } while $ended > 0;
    last if $ended == -1;
    select undef, undef, undef, 0.002;
  }
}
$SIG{TERM} = sub { select undef, undef, undef, 0.2; sweep(); $SIG{TERM} = 'DEFAULT'; kill 15, $$; exit 143 };
my $status = 0;
while ((my $ended = waitpid -1, 0) > 0) { if ($ended == $pid) { $status = $?; last } }
sweep();
if (my $signal = $status & 127) { $SIG{$_} = 'DEFAULT' for 'TERM'; kill $signal, $$; select undef, undef, undef, 0.1; exit 128 + $signal }
exit $status >> 8;
`
