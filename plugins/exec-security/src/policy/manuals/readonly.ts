/** The twelve read-only commands, with the options of their GNU versions. */
export const READONLY = `
ls <list>...
  tolerant
  -a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -s -S -t -u -U -v -x -X -Z -1 -R
  --all --almost-all --author --escape --ignore-backups --directory --dired --file-type --full-time
  --group-directories-first --no-group --human-readable --si --dereference-command-line
  --dereference-command-line-symlink-to-dir --inode --kibibytes --dereference --numeric-uid-gid --literal
  --hide-control-chars --show-control-chars --quote-name --reverse --size --context --zero --recursive
  --help --version: query
  -I -T -w --block-size --format --hide --indicator-style --ignore --quoting-style --sort --time --time-style <text>
  --tabsize --width <text>
  --color --classify --hyperlink [text]
  recursive: -R --recursive

cat <read>...
  tolerant
  -A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs
  --show-nonprinting
  --help --version: query

pwd
  tolerant
  -L -P --logical --physical
  --help --version: query

whoami
  tolerant
  --help --version: query

# An operand that is not a format sets the clock.
date <setting>...
  -R -u --debug --rfc-email --rfc-2822 --utc --universal --resolution
  --help --version: query
  -d --date --rfc-3339 <text>
  -f --file <read>
  -r --reference <list>
  -s --set <deny>
  -I --iso-8601 [text]

head <read>...
  numeric-options, tolerant
  -q -v -z --quiet --silent --verbose --zero-terminated
  --help --version: query
  -c -n --bytes --lines <text>

tail <read>...
  numeric-options, tolerant
  -f -F -q -v -z -r --quiet --silent --verbose --zero-terminated --retry
  --help --version: query
  -c -n -s -b --bytes --lines --pid --sleep-interval --max-unchanged-stats <text>
  --follow [text]

wc <read>...
  tolerant
  -c -l -L -m -w --bytes --chars --lines --max-line-length --words
  --help --version: query
  --total <text>
  --files0-from <read>

stat <list>...
  tolerant
  -f -L -t -n -q -r -s -x --dereference --file-system --terse
  --help --version: query
  -c --format --printf --cached <text>

file <list>...
  tolerant
  -b -c -d -E -h -i -I -k -l -L -n -N -p -r -s -S -v -z -Z -0 --brief --checking-printout --mime --mime-type
  --mime-encoding --keep-going --list --dereference --no-dereference --no-pad --no-buffer --preserve-date --raw
  --special-files --uncompress --uncompress-noreport --print0 --apple --extension --debug --no-sandbox
  -C --compile: deny
  --help --version: query
  -e -F -P --exclude --exclude-quiet --separator --parameter <text>
  -f -m --files-from --magic-file <read>

grep|egrep|fgrep <text> <read>...
  numeric-options, tolerant
  -E -F -G -P -i -v -w -x -c -L -l -q -s -h -H -n -b -T -U -z -a -I -o -y -u -V -r -R --extended-regexp
  --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp
  --line-regexp --count --files-without-match --files-with-matches --quiet --silent --no-messages --with-filename
  --no-filename --line-number --byte-offset --initial-tab --binary --null --null-data --text --only-matching
  --line-buffered --unix-byte-offsets --no-group-separator --recursive --dereference-recursive
  -d -e -m -A -B -C -D --directories --regexp --max-count --after-context --before-context --context <text>
  --binary-files --devices --exclude --exclude-dir --label --group-separator <text>
  --help --version: query
  -f --file --exclude-from <read>
  --include <names>
  --color --colour [text]
  recursive: -r -R --recursive --dereference-recursive -d --directories
  replaces-operand: -e -f --regexp --file
  without-operands: tree

find <list>...
  style: find
  ! ( ) , -a -and -o -or -not -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev
  -nowarn -warn -noleaf -empty -executable -readable -writable -nouser -nogroup -true -false -print -print0 -ls
  -prune -quit -H -L -P -O0 -O1 -O2 -O3 -E -X -x -s
  -delete: deny
  -help -version --help --version: query
  -name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -regextype -maxdepth <text>
  -mindepth -type -xtype -size -perm -user -group -uid -gid -links -inum -mmin -mtime -amin -atime -cmin <text>
  -ctime -used -fstype -context -printf -D <text>
  -samefile -newer -anewer -cnewer <list>
  -fprint -fprint0 -fls -fprintf <sideWrite>
  -files0-from <deny>
  -exec -execdir -ok -okdir <program>
`
