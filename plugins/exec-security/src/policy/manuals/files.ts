/** Programs that work on files and text. */
export const FILES = `
test|[|true|false|:|echo|printf|type|help|seq|sleep|basename|dirname|hostname|uname|uptime|arch|id|groups|nproc|df|
    free|tty|cal|which|whereis|expr|apropos|whatis|kill <text>...
  no-options

sort <read>...
  -b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order --ignore-case
  --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort
  --reverse --version-sort --merge --stable --unique --zero-terminated --debug
  --help --version: query
  -k -S -t --batch-size --key --buffer-size --field-separator --parallel <text>
  -o -T --output --temporary-directory <sideWrite>
  --compress-program <program>
  --files0-from --random-source <read>
  --check --sort [text]

uniq <read> <write>...
  numeric-options, tolerant
  -c -d -D -i -u -z --count --repeated --unique --ignore-case --zero-terminated
  --help --version: query
  -f -s -w --skip-fields --skip-chars --check-chars <text>
  --all-repeated --group [text]

cut <read>...
  tolerant
  -n -s -z --complement --only-delimited --zero-terminated
  --help --version: query
  -b -c -d -f --bytes --characters --delimiter --fields --output-delimiter <text>

tr <text>...
  tolerant
  -c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1
  --help --version: query

nl|tac|rev|fold|fmt|expand|unexpand|join|comm|column|cksum|md5sum|sha1sum|sha256sum|sha512sum|b2sum|base64|od|
    hexdump|strings <read>...
  -a -b -d -e -f -h -i -l -n -p -r -s -t -u -v -w -z -A -B -C -D -E -N -R -S -T -V -X -0 -1 -2 -3 --decode
  --ignore-garbage --check --binary --text --quiet --status --strict --warn --zero --ignore-missing --tag --serial
  --show-control-chars
  --help --version: query
  -c -j -o <read>

paste <read>...
  -s -z --serial --zero-terminated
  --help --version: query
  -d --delimiters <text>

xxd <read> <write>...
  single-hyphen
  -a -b -C -e -E -i -p -r -u -ps -plain -postscript -revert
  -c -g -l -n -o -s -cols -len -name -seek <text>

diff|cmp <read>...
  numeric-options, tolerant
  -q -s -c -u -e -n -y -l -a -b -B -d -E -h -i -I -N -p -r -R -t -T -w -W -Z -H --brief --report-identical-files
  --ed --rcs --side-by-side --left-column --suppress-common-lines --show-c-function --recursive --new-file
  --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space --text
  --minimal --no-dereference --strip-trailing-cr --verbose --print-bytes
  --unified --context --color [text]
  -U -C -x -L -F -S --label --exclude --width --tabsize --horizon-lines <text>
  -X --exclude-from --from-file --to-file <read>
  recursive: -r --recursive

tee <write>...
  -a -i -p --append --ignore-interrupts
  --help --version: query
  --output-error [text]

touch|mkdir <write>...
  -a -c -f -h -p -v -Z --no-create --no-dereference --parents --verbose
  -m -d -t --date --time --mode <text>
  --help --version: query
  -r --reference <list>
  --context [text]

rm|rmdir|shred|unlink <write>...
  -f -i -I -r -R -d -v -p -u -z -x --force --recursive --dir --verbose --one-file-system --no-preserve-root
  --parents --ignore-fail-on-non-empty --zero --exact --remove
  --help --version: query
  -n -s --iterations --size <text>
  --interactive --preserve-root [text]

# A linked or moved file can be read and written at its new place, so every operand counts as written.
cp|mv|ln|link <write>...
  last-is-target
  -a -d -f -H -i -L -l -n -P -p -R -r -s -T -u -v -x -b -D -F -c -C -Z --archive --copy-contents --force
  --interactive --link --dereference --no-clobber --no-dereference --recursive --symbolic-link
  --strip-trailing-slashes --no-target-directory --verbose --one-file-system --symbolic --relative --physical
  --logical --directory --parents --preserve-timestamps --strip --compare --debug
  --update --backup --preserve --no-preserve --reflink --sparse --context [text]
  --help --version: query
  -S -m -o -g --suffix --mode --owner --group <text>
  -t --target-directory <write>

install <write>...
  like: cp
  --strip-program <deny>

chmod|chown|chgrp <text> <write>...
  -c -f -v -R -h -H -L -P --changes --silent --quiet --verbose --recursive --no-preserve-root --preserve-root
  --dereference --no-dereference
  --help --version: query
  --reference <list>
  --from <text>

truncate <write>...
  -c -o --no-create --io-blocks
  -s --size <text>
  -r --reference <list>

split <read> <write>...
  numeric-options
  -d -x -e -u -z --numeric-suffixes --hex-suffixes --elide-empty-files --unbuffered --verbose
  --help --version: query
  -a -b -C -l -n -t --suffix-length --additional-suffix --bytes --line-bytes --lines --number --separator <text>
  --filter <shell>

sed|gsed <code> <read>...
  -n -E -r -s -u -z --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --posix
  --debug --sandbox --follow-symlinks
  --help --version: query
  -e --expression <code>
  -l --line-length <text>
  -f --file <deny>
  -i --in-place [write]
  changes-operands: -i --in-place
  replaces-operand: -e -f --expression --file

awk|gawk|mawk|nawk <code> <read>...
  options-first
  -b -c -C -g -h -M -n -N -O -P -r -s -S -t -V --posix --sandbox --traditional --re-interval --characters-as-bytes
  -F -v --field-separator --assign <text>
  -e --source <code>
  -f -E -i -l -o -D -d -p --file --exec --include --load <deny>
  replaces-operand: -f -e --file --source

jq <code> <read>...
  no-abbreviations, tolerant
  -r -c -n -s -S -e -j -a -C -M -R -h -V --raw-output --compact-output --null-input --slurp --sort-keys
  --exit-status --join-output --raw-output0 --ascii-output --color-output --monochrome-output --raw-input --tab
  --stream --stream-errors --seq --unbuffered --help --version --args --jsonargs
  --indent <text>
  -f -L --from-file <script>
  --arg --argjson <name> <text>
  --slurpfile --rawfile <name> <read>
  replaces-operand: -f --from-file

tar|bsdtar <tree>...
  style: tar
  -c -x -t -r -u -d -v -z -j -J -a -k -m -p -s -S -w -W -h -l -M -n -O -U -Z -0 -1 -2 -3 -4 -5 -6 -7 -8 -9
  --create --extract --get --list --append --update --diff --compare --delete --concatenate --catenate --verbose
  --gzip --gunzip --ungzip --bzip2 --xz --lzma --lzip --lzop --zstd --compress --uncompress --auto-compress
  --no-auto-compress --keep-old-files --keep-newer-files --skip-old-files --overwrite --unlink-first
  --recursive-unlink --touch --preserve-permissions --same-permissions --no-same-permissions --same-owner
  --no-same-owner --preserve-order --same-order --sparse --interactive --confirmation --verify --dereference
  --hard-dereference --multi-volume --to-stdout --no-recursion --recursion --one-file-system --wildcards
  --no-wildcards --anchored --no-anchored --ignore-case --no-ignore-case --exclude-vcs --exclude-vcs-ignores
  --exclude-backups --exclude-caches --numeric-owner --show-defaults --show-transformed-names --show-stored-names
  --utc --full-time --block-number --check-links --ignore-zeros --ignore-failed-read --remove-files --null --no-null
  --verbatim-files-from --no-unquote --delay-directory-restore --acls --xattrs --selinux --posix --warning
  --quote-chars
  --totals --checkpoint --occurrence --backup --atime-preserve [text]
  -P --absolute-names --unlink: deny
  --help --version: query
  -b -N -H -V -K -L --exclude --strip-components --mtime --owner --group --mode --newer --newer-mtime <text>
  --after-date --format --label --sort --blocking-factor --record-size --level --tape-length --owner-map <text>
  --group-map --suffix --pax-option --quoting-style --occurrences --hole-detection --starting-file <text>
  -f -C -g --file --directory --one-top-level --index-file --listed-incremental <write>
  works-in: -C --directory
  -T --files-from --transform --xform <deny>
  -X --exclude-from --add-file <read>
  -I -F --use-compress-program --to-command --checkpoint-action --rsh-command --rmt-command --info-script <program>
  --new-volume-script --set-mtime-command <program>

zip <write> <read>...
  single-hyphen
  -r -R -q -v -j -m -u -f -d -D -e -F -g -k -l -n -o -S -s -X -y -z -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -ll -recurse-paths
  -quiet -junk-paths
  -i -x -b -t -tt -ds -exclude -include <text>
  -lf -O -logfile-path -output-file <sideWrite>
  -T -test: deny
  -TT -unzip-command <program>
  -P <deny>
  recursive: -r -R -recurse-paths

unzip <read> <text>...
  -l -v -t -n -o -q -j -p -z -C -a -b -L -u -f --Z1 --qq
  -d <write>
  -x <text>
  -P <deny>

gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd <read>...
  -c -d -f -h -k -l -L -n -N -q -r -t -v -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --decompress --force --keep --list
  --quiet --test --verbose --best --fast --recursive
  -S -T --threads <text>
  recursive: -r
  edits-operands-unless: -c --stdout -t --test -l --list

zcat|bzcat|xzcat|zstdcat <read>...
  -c -d -f -h -k -l -L -n -N -q -r -t -v -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --decompress --force --keep --list
  --quiet --test --verbose --best --fast --recursive
  -S -T --threads <text>
  recursive: -r

rg <text> <tree>...
  tolerant
  -a -c -F -H -h -I -i -l -L -n -N -o -p -P -q -s -S -u -U -v -w -x -y -. --uu --uuu --hidden --no-ignore
  --no-ignore-vcs --files --files-with-matches --files-without-match --count --count-matches --fixed-strings
  --ignore-case --smart-case --line-number --no-line-number --with-filename --no-filename --only-matching --pcre2
  --quiet --invert-match --word-regexp --multiline --heading --no-heading --pretty --vimgrep --json --stats --trim
  --null --follow --text --column --passthru --no-messages --type-list --debug
  -z --search-zip: deny
  -A -B -C -e -E -g -j -m -M -r -t -T -d --regexp --glob --iglob --type --type-not --max-count --max-depth <text>
  --max-columns --context --after-context --before-context --replace --colors --sort --sortr --threads <text>
  --encoding --max-filesize --path-separator <text>
  --color [text]
  -f --file --ignore-file <read>
  --pre --hostname-bin --pre-glob <program>
  replaces-operand: -e -f --regexp --file --files --type-list
  without-operands: tree

fd|fdfind <text> <list>...
  -H -I -u -s -i -g -F -a -l -L -p -0 -1 -q --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive
  --ignore-case --glob --fixed-strings --absolute-path --list-details --follow --full-path --print0 --quiet --prune
  --one-file-system
  -d -t -e -S -E -o -j --max-depth --min-depth --exact-depth --type --extension --size --exclude --owner <text>
  --threads --color --changed-within --changed-before --max-results <text>
  --base-directory --search-path <list>
  works-in: --base-directory
  -x -X --exec --exec-batch <program>
  --ignore-file <read>
`
