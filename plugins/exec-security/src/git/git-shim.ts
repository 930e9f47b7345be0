/** Where commands find the socket of {@link GitDoor}. */
export const DOOR = '/run/git.sock'
/** The folder of the program that stands for git, the first one of their `PATH`. */
export const SHIM_FOLDER = '/run/bin'

/**
 * Returns the program that stands for git in commands. It gives the words to the host, which runs git where that may
 * change the repository, and becomes git itself where the host says so. An answer is a letter, a length and a text:
 *
 * - `l`: git runs here, after the text was written to standard error
 * - `r`: the host runs it, and reads standard input if the text is `i`
 * - `1`, `2`: output, and errors
 * - `x`: the exit code
 */
export const gitShim = (perl: string, git: string): string =>
  `#!${perl}\n${TEXT.replaceAll('REAL', () => `'${git.replaceAll(/[\\']/g, '\\$&')}'`)}`

const TEXT = String.raw`
my ($door, $input) = ('${DOOR}', 0);
sub local_git { $ENV{PATH} =~ s{^${SHIM_FOLDER}:}{}; exec { REAL } 'git', @ARGV; print STDERR "git: $!\n"; exit 127 }
my @env = grep /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/, keys %ENV;
for (qw(DIR WORK_TREE INDEX_FILE OBJECT_DIRECTORY COMMON_DIR NAMESPACE ALTERNATE_OBJECT_DIRECTORIES)) {
  local_git() if defined $ENV{"GIT_$_"};
}
my $socket;
socket($socket, 1, 1, 0) && connect($socket, pack 'Sa108', 1, $door) or local_git();
my $asked = join "\0", readlink('/proc/self/cwd'), scalar(@env), (map { "$_=$ENV{$_}" } @env), @ARGV;
sub put { my ($to, $bytes) = @_; my $at = 0; while ($at < length $bytes) { $at += syswrite($to, $bytes, 65536, $at) // exit 141 } }
put($socket, pack('N', length $asked) . $asked);
my $read = '';
for (;;) {
  my $bits = '';
  vec($bits, fileno $socket, 1) = 1;
  vec($bits, 0, 1) = 1 if $input;
  select(my $ready = $bits, undef, undef, undef) > 0 or next;
  if ($input && vec($ready, 0, 1)) {
    if (sysread STDIN, my $bytes, 65536) { put($socket, $bytes) } else { $input = 0; shutdown $socket, 1 }
  }
  vec($ready, fileno $socket, 1) or next;
  sysread $socket, $read, 65536, length $read or do { print STDERR "git: the host has ended it\n"; exit 128 };
  while (length $read >= 5) {
    my ($kind, $length) = unpack 'aN', $read;
    length $read >= 5 + $length or last;
    my $text = substr $read, 5, $length;
    $read = substr $read, 5 + $length;
    if ($kind eq 'l') { put(\*STDERR, $text); close $socket; local_git() }
    elsif ($kind eq 'r') { $input = $text eq 'i' }
    elsif ($kind eq 'x') { exit $text }
    else { put($kind eq '1' ? \*STDOUT : \*STDERR, $text) }
  }
}
`
