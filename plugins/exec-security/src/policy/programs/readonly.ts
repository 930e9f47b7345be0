// The twelve read-only commands, as their GNU versions read their options.
import type { ProgramSpec } from './program-spec.js'

const COMMON = { query: 'help version' } as const

export const READONLY: Readonly<Record<string, ProgramSpec>> = {
  ls: {
    flags: `a A b B c C d D f F g G h H i k l L m n N o p q Q r s S t u U v x X Z 1 all almost-all author escape ignore-backups directory dired file-type full-time
      group-directories-first no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir inode kibibytes dereference numeric-uid-gid literal
      hide-control-chars show-control-chars quote-name reverse size context zero`,
    acts: COMMON,
    values: {
      text: 'I T w block-size format hide indicator-style ignore quoting-style sort time time-style tabsize width',
    },
    optional: { text: 'color classify hyperlink' },
    recursive: 'R recursive',
    operands: ['list'],
    tolerant: true,
  },
  cat: {
    flags: 'A b e E n s t T u v show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
    acts: COMMON,
    operands: ['read'],
    tolerant: true,
  },
  pwd: { flags: 'L P logical physical', acts: COMMON, tolerant: true },
  whoami: { acts: COMMON, tolerant: true },
  // An operand that is no format sets the clock.
  date: {
    flags: 'R u debug rfc-email rfc-2822 utc universal resolution',
    acts: COMMON,
    values: { text: 'd date rfc-3339', read: 'f file', list: 'r reference', never: 's set' },
    optional: { text: 'I iso-8601' },
    operands: ['setting'],
  },
  head: {
    flags: 'q v z quiet silent verbose zero-terminated',
    acts: COMMON,
    values: { text: 'c n bytes lines' },
    numbers: true,
    operands: ['read'],
    tolerant: true,
  },
  tail: {
    flags: 'f F q v z r quiet silent verbose zero-terminated retry',
    acts: COMMON,
    values: { text: 'c n s b bytes lines pid sleep-interval max-unchanged-stats' },
    optional: { text: 'follow' },
    numbers: true,
    operands: ['read'],
    tolerant: true,
  },
  wc: {
    flags: 'c l L m w bytes chars lines max-line-length words',
    acts: COMMON,
    values: { text: 'total', read: 'files0-from' },
    operands: ['read'],
    tolerant: true,
  },
  stat: {
    flags: 'f L t n q r s x dereference file-system terse',
    acts: COMMON,
    values: { text: 'c format printf cached' },
    operands: ['list'],
    tolerant: true,
  },
  file: {
    flags: `b c d E h i I k l L n N p r s S v z Z 0 brief checking-printout mime mime-type mime-encoding keep-going list dereference no-dereference no-pad no-buffer preserve-date raw
      special-files uncompress uncompress-noreport print0 apple extension debug no-sandbox`,
    acts: { never: 'C compile', ...COMMON },
    values: { text: 'e F P exclude exclude-quiet separator parameter', read: 'f m files-from magic-file' },
    operands: ['list'],
    tolerant: true,
  },
  grep: {
    flags: `E F G P i v w x c L l q s h H n b T U z a I o y u V extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp
      count files-without-match files-with-matches quiet silent no-messages with-filename no-filename line-number byte-offset initial-tab binary null null-data text only-matching
      line-buffered unix-byte-offsets no-group-separator`,
    acts: COMMON,
    recursive: 'r R recursive dereference-recursive d directories',
    values: {
      text: 'e m A B C d D regexp max-count after-context before-context context binary-files directories devices exclude exclude-dir label group-separator',
      read: 'f file exclude-from',
      names: 'include',
    },
    optional: { text: 'color colour' },
    replaces: 'e f regexp file',
    operands: ['text', 'read'],
    alone: 'tree',
    numbers: true,
    tolerant: true,
  },
  find: {
    style: 'find',
    flags: `-a -and -o -or -not ! ( ) , -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -nowarn -warn -noleaf -empty -executable -readable -writable
      -nouser -nogroup -true -false -print -print0 -ls -prune -quit -H -L -P -O0 -O1 -O2 -O3 -E -X -x -s`,
    acts: { never: '-delete', query: '-help -version help version' },
    values: {
      text: `-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -regextype -maxdepth -mindepth -type -xtype -size -perm -user -group -uid -gid -links -inum
        -mmin -mtime -amin -atime -cmin -ctime -used -fstype -context -printf -D`,
      list: '-samefile -newer -anewer -cnewer',
      spill: '-fprint -fprint0 -fls -fprintf',
      never: '-files0-from',
      program: '-exec -execdir -ok -okdir',
    },
    operands: ['list'],
  },
}
