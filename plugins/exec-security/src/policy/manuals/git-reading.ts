/** git: options of several commands, and the commands that show something. They come first. */
export const GIT_READING = `
# Options of every command that shows differences.
.diff <read>...
  numeric-options, tolerant, mixed-operands
  -p -u -s -z -D -w -b -a -R -q -W -c -m -0 -1 -2 -3 --patch --no-patch --raw --patch-with-raw --patch-with-stat
  --numstat --shortstat --cumulative --check --summary --name-only --name-status --compact-summary --binary
  --full-index --no-prefix --irreversible-delete --find-copies-harder --no-renames --rename-empty --no-rename-empty
  --follow --no-follow --minimal --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol
  --ignore-blank-lines --indent-heuristic --no-indent-heuristic --patience --histogram --text --exit-code --quiet
  --no-ext-diff --no-textconv --ita-invisible-in-index --ita-visible-in-index --pickaxe-all --pickaxe-regex
  --function-context --cached --staged --merge-base --no-color --no-color-moved --no-relative --no-stat --no-notes
  --cc --no-abbrev --ours --theirs --base --no-index
  --ext-diff --textconv: deny
  -l -I -S -G -L --stat-width --stat-name-width --stat-graph-width --stat-count --ws-error-highlight <text>
  --src-prefix --dst-prefix --line-prefix --inter-hunk-context --output-indicator-new --output-indicator-old <text>
  --output-indicator-context --ignore-matching-lines --diff-algorithm --anchored --word-diff-regex <text>
  --color-moved-ws --rotate-to --skip-to --find-object --diff-filter --diff-merges <text>
  -O <read>
  --output <sideWrite>
  -U -X -B -M -C --unified --dirstat --dirstat-by-file --stat --color --abbrev --break-rewrites [text]
  --find-renames --find-copies --word-diff --color-words --color-moved --relative --ignore-submodules [text]
  --submodule --notes [text]
  recursive: --no-index

# Options of every command that walks through commits.
.revisions
  -g -i -E -F -P -t -q -v --oneline --graph --all --reverse --no-merges --merges --merge --first-parent --topo-order
  --date-order --author-date-order --name-only --no-decorate --left-right --left-only --right-only --cherry-pick
  --cherry-mark --cherry --boundary --simplify-merges --simplify-by-decoration --full-history --dense --sparse
  --show-pulls --do-walk --abbrev-commit --no-abbrev-commit --parents --children --show-signature --relative-date
  --source --use-mailmap --mailmap --no-mailmap --clear-decorations --walk-reflogs --regexp-ignore-case
  --extended-regexp --fixed-strings --perl-regexp --all-match --invert-grep --log-size --remove-empty --full-diff
  --no-expand-tabs --stdin --no-min-parents --no-max-parents --quiet --no-graph --basic-regexp --bisect --reflog
  --ignore-missing --count --objects --objects-edge --unpacked --header --object-names --no-object-names --timestamp
  --use-bitmap-index --in-commit-order
  --expand-tabs --pretty --decorate --branches --tags --remotes --ancestry-path --no-walk --show-linear-break [text]
  -n --max-count --skip --since --after --until --before --author --committer --grep --format --encoding <text>
  --date --decorate-refs --decorate-refs-exclude --min-parents --max-parents --since-as-filter --exclude <text>
  --glob --max-age --min-age --grep-reflog --show-notes --filter --exclude-hidden <text>

.log
  like: .revisions .diff

.remote
  network
  -v -q -4 -6 -n --verbose --quiet --progress --no-progress --ipv4 --ipv6 --dry-run --tags --no-tags

git
  options-first, no-abbreviations
  -p -P --paginate --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare
  --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path
  -v -h --version --help: query
  -c <setting>
  -C <tree>
  --namespace <text>
  --config-env --exec-path --git-dir --work-tree --super-prefix --attr-source --list-cmds <deny>
  works-in: -C --git-dir --work-tree

git blame|annotate <read>...
  tolerant, mixed-operands
  -b -f -n -p -c -t -l -s -e -w --incremental --root --show-stats --progress --score-debug --show-name --show-number
  --porcelain --line-porcelain --show-email --color-lines --color-by-age --minimal
  -L --ignore-rev --date <text>
  -S --ignore-revs-file --contents <read>
  -C -M --abbrev [text]

git describe
  tolerant
  --contains --debug --all --tags --long --first-parent --exact-match --always --no-dirty
  --candidates --match --exclude <text>
  --abbrev --dirty --broken [text]

git diff|diff-index|diff-files
  like: .diff

git diff-tree
  like: .log
  -r --root

git format-patch <text>...
  like: .log
  --cc --base --suffix --start-number --reroll-count --filename-max-length --cover-from-description <text>
  --subject-prefix --add-header --to --in-reply-to --signature --interdiff --range-diff --creation-factor <text>
  -N -k --no-numbered --numbered --signoff --stdout --cover-letter --no-cover-letter --numbered-files --rfc
  --keep-subject --no-binary --zero-commit --ignore-if-in-upstream --progress --force-in-body-from --no-attach
  --no-thread --no-signature
  --signature-file <read>
  -o --output-directory <sideWrite>
  --from --attach --inline --thread [text]

git grep <text> <read>...
  numeric-options, tolerant, mixed-operands
  -v -i -w -a -I -r -E -G -F -P -n -h -H -l -L -z -o -c -p -W -q --cached --untracked --no-exclude-standard
  --exclude-standard --recurse-submodules --invert-match --ignore-case --word-regexp --text --recursive
  --no-recursive --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --full-name
  --files-with-matches --name-only --files-without-match --null --only-matching --count --break --heading
  --show-function --function-context --and --or --not --quiet --all-match
  --no-index --textconv --ext-grep: deny
  -C -B -A -e -m --max-depth --context --before-context --after-context --threads --max-count <text>
  -f <read>
  --color [text]
  -O --open-files-in-pager [program]
  replaces-operand: -e -f

git log|show|whatchanged|rev-list
  like: .log

git reflog <text>...
  like: .log

git shortlog <text>...
  like: .revisions
  tolerant
  -c -s -e --numbered --summary --email
  -n -w [text]
  --group <text>

git ls-files <list>...
  tolerant, mixed-operands
  -z -t -v -f -c -d -m -o -i -s -k -u --cached --deleted --modified --others --ignored --stage --killed --directory
  --no-empty-directory --empty-directory --eol --unmerged --resolve-undo --exclude-standard --full-name
  --recurse-submodules --error-unmatch --debug --deduplicate --sparse
  -x --exclude --with-tree --format <text>
  -X --exclude-from --exclude-per-directory <read>
  --abbrev [text]

git ls-tree <list>...
  tolerant, mixed-operands
  -d -r -t -z -l --long --name-only --name-status --object-only --full-name --full-tree
  --format <text>
  --abbrev [text]

git merge-base
  tolerant
  -a --all --octopus --independent --is-ancestor --fork-point

git status <list>...
  tolerant, mixed-operands
  -v -s -b -z --verbose --short --branch --show-stash --ahead-behind --no-ahead-behind --long --null --no-renames
  --renames --no-column
  -u -M --porcelain --untracked-files --ignored --ignore-submodules --column --find-renames [text]

git cat-file <read>...
  tolerant, mixed-operands
  -e -p -t -s -z --batch-all-objects --buffer --follow-symlinks --unordered --use-mailmap --mailmap
  --allow-unknown-type
  --textconv --filters: deny
  --path <read>
  --batch --batch-check --batch-command [text]

git check-ignore <list>...
  tolerant, mixed-operands
  -q -v -z -n --quiet --verbose --stdin --non-matching --no-index

git for-each-ref
  tolerant
  --ignore-case
  --count --format --sort --points-at --contains --no-contains --exclude <text>
  --color --merged --no-merged [text]

git range-diff <text>...
  like: .diff
  --no-dual-color --left-only --right-only
  --creation-factor <text>

git rev-parse
  tolerant
  -q --show-toplevel --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir
  --is-bare-repository --is-shallow-repository --show-cdup --show-prefix --verify --quiet --symbolic --all
  --local-env-vars --show-superproject-working-tree --show-ref-format --sq --symbolic-full-name
  --default --prefix --git-path <text>
  --short --abbrev-ref --branches --tags --remotes --glob --since --until --disambiguate --show-object-format [text]
  --path-format --exclude [text]

git show-ref
  tolerant
  -d -q --tags --heads --branches --verify --head --dereference --quiet
  -s --hash --abbrev --exclude-existing [text]

git help
  tolerant, other-subcommands
  -a -g -c --all --guides --config

git version
  tolerant
  --build-options

git cherry|count-objects|fsck|name-rev
  tolerant
  -v -H --verbose --human-readable --full --strict --unreachable --dangling --name-only --tags --all --always
  --abbrev [text]

git notes|sparse-checkout

git notes list|show
`
