/** git: options that start programs, write elsewhere or change later runs have an effect of their own. */
export const GIT = `
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

git add <read>...
  tolerant, mixed-operands
  -n -v -p -f -u -N -A --dry-run --verbose --patch --force --update --renormalize --intent-to-add --all --no-all
  --ignore-removal --refresh --ignore-errors --ignore-missing --sparse --pathspec-file-nul
  -i -e --interactive --edit: deny
  --chmod <text>
  --pathspec-from-file <read>

git am <read>...
  tolerant, mixed-operands
  -3 -q -s -u -k -m -c -r --3way --quiet --signoff --utf8 --keep --keep-non-patch --message-id --keep-cr
  --no-keep-cr --scissors --ignore-space-change --ignore-whitespace --reject --continue --resolved --skip --abort
  --quit --allow-empty --committer-date-is-author-date --ignore-date
  -i -S --interactive --gpg-sign: deny
  -C -p --quoted-cr --whitespace --exclude --include --patch-format --empty <text>
  --directory <write>
  --show-current-patch [text]

git apply <read>...
  tolerant, mixed-operands
  -N -3 -z -R -v -q --stat --numstat --summary --check --index --intent-to-add --cached --apply --3way
  --ignore-space-change --ignore-whitespace --reverse --unidiff-zero --reject --allow-overlap --verbose --quiet
  --inaccurate-eof --recount --allow-empty
  --unsafe-paths: deny
  -p -C --exclude --include --whitespace <text>
  --directory --build-fake-ancestor <write>

git archive <read>...
  tolerant, mixed-operands
  -v -l -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --worktree-attributes --verbose --list
  --format --prefix --add-virtual-file --mtime <text>
  -o --output <sideWrite>
  --add-file <read>
  --remote --exec <deny>

git bisect <text>...
  options-first

git bisect run <program>...
  no-options

git bisect visualize|view <deny>...

git bisect start|bad|good|new|old|terms|skip|reset|replay|log|help
  other-subcommands
  --no-checkout --first-parent
  --term-new --term-old --term-good --term-bad <text>

git blame|annotate <read>...
  tolerant, mixed-operands
  -b -f -n -p -c -t -l -s -e -w --incremental --root --show-stats --progress --score-debug --show-name --show-number
  --porcelain --line-porcelain --show-email --color-lines --color-by-age --minimal
  -L --ignore-rev --date <text>
  -S --ignore-revs-file --contents <read>
  -C -M --abbrev [text]

git branch
  tolerant
  -v -q -r -a -d -D -m -M -c -C -l -f -i --verbose --quiet --unset-upstream --remotes --all --delete --move --copy
  --list --show-current --create-reflog --force --ignore-case --recurse-submodules --no-track --no-color --no-column
  --no-abbrev
  --edit-description: deny
  -u --set-upstream-to --contains --no-contains --sort --points-at --format <text>
  -t --track --color --abbrev --column --merged --no-merged [text]

git checkout <write>...
  tolerant, mixed-operands, edits-operands
  -l -q -m -d -f -2 -3 -p --guess --no-guess --overlay --no-overlay --quiet --progress --no-progress --merge
  --detach --force --overwrite-ignore --ignore-other-worktrees --ours --theirs --patch --ignore-skip-worktree-bits
  --pathspec-file-nul --no-track
  -b -B --conflict --orphan <text>
  --pathspec-from-file <read>
  -t --recurse-submodules --track [text]

git cherry-pick
  tolerant, edits-operands
  -n -e -s -x --quit --continue --abort --skip --no-commit --edit --no-edit --signoff --rerere-autoupdate --ff
  --allow-empty --allow-empty-message --keep-redundant-commits
  -m -X --cleanup --mainline --strategy-option --strategy <text>
  -S --gpg-sign [deny]

git clean <read>...
  tolerant, mixed-operands, edits-operands
  -q -n -f -d -x -X --quiet --dry-run --force
  -i --interactive: deny
  -e --exclude <text>

git clone <address> <write>...
  network, edits-operands
  -v -q -n -l -s -4 -6 --verbose --quiet --progress --no-progress --reject-shallow --no-checkout --bare --mirror
  --local --no-local --no-hardlinks --shared --dissociate --single-branch --no-single-branch --no-tags --tags
  --shallow-submodules --ipv4 --ipv6 --also-filter-submodules --remote-submodules --sparse
  -j -o -b --jobs --origin --branch --depth --shallow-since --shallow-exclude --server-option --filter <text>
  --revision <text>
  -c --config <setting>
  -u --upload-pack <program>
  --template --separate-git-dir --bundle-uri <deny>
  --reference --reference-if-able <read>
  --recurse-submodules --recursive [text]

git commit <read>...
  tolerant, mixed-operands
  -q -v -s -e -a -i -p -o -n -z --quiet --verbose --reset-author --signoff --no-signoff --edit --no-edit --status
  --no-status --all --include --patch --only --no-verify --verify --dry-run --short --branch --ahead-behind
  --no-ahead-behind --porcelain --long --null --amend --no-post-rewrite --pathspec-file-nul --allow-empty
  --allow-empty-message --no-gpg-sign
  --interactive: deny
  -m -c -C --author --date --message --reedit-message --reuse-message --fixup --squash --trailer --cleanup <text>
  -F -t --file --template --pathspec-from-file <read>
  -u -S --untracked-files --gpg-sign [text]

# The key is checked on its own: some values are run, some are secrets.
git config <text>...
  -l -z --global --system --local --worktree --get --get-all --get-regexp --get-urlmatch --replace-all --add --unset
  --unset-all --rename-section --remove-section --list --fixed-value --get-color --get-colorbool --bool --int
  --bool-or-int --bool-or-str --path --expiry-date --null --name-only --includes --no-includes --show-origin
  --show-scope --all --regexp --show-names
  -e --edit: deny
  -t --type --default --value <text>
  -f --file --blob <deny>

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

git fetch <address> <text>...
  like: .remote
  -a -f -m -t -p -P -k -u --all --set-upstream --append --atomic --force --multiple --prefetch --prune --prune-tags
  --write-fetch-head --keep --update-head-ok --unshallow --refetch --update-shallow --negotiate-only
  --auto-maintenance --auto-gc --no-auto-gc --show-forced-updates --write-commit-graph --stdin --porcelain
  -j -o --jobs --depth --shallow-since --shallow-exclude --deepen --refmap --server-option --negotiation-tip <text>
  --filter <text>
  --upload-pack <program>
  --recurse-submodules [text]

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

git gc
  tolerant
  -q --quiet --cruft --no-cruft --aggressive --auto --force --keep-largest-pack --no-prune
  --prune [text]

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

git init <write>...
  edits-operands
  -q --bare --quiet
  -b --initial-branch --object-format <text>
  --template --separate-git-dir <deny>
  --shared [text]

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

git ls-remote <address> <text>...
  like: .remote
  -t -h --heads --refs --get-url --exit-code --symref
  -o --sort --server-option <text>
  --upload-pack --exec <program>

git ls-tree <list>...
  tolerant, mixed-operands
  -d -r -t -z -l --long --name-only --name-status --object-only --full-name --full-tree
  --format <text>
  --abbrev [text]

git merge
  tolerant, edits-operands
  -n -e -v -q --stat --no-stat --summary --squash --no-squash --commit --no-commit --edit --no-edit --ff --no-ff
  --ff-only --rerere-autoupdate --verify-signatures --verbose --quiet --abort --quit --continue
  --allow-unrelated-histories --progress --no-progress --autostash --no-autostash --overwrite-ignore --signoff
  --no-verify
  -s -X -m --cleanup --strategy --strategy-option --message --into-name <text>
  -F --file <read>
  --log [text]
  -S --gpg-sign [deny]

git merge-base
  tolerant
  -a --all --octopus --independent --is-ancestor --fork-point

git mv <write>...
  tolerant, mixed-operands, edits-operands
  -v -n -f -k --verbose --dry-run --force --sparse

git pull <address> <text>...
  like: .remote
  edits-operands
  -a -f -t -p -k --stat --no-stat --squash --no-squash --commit --no-commit --edit --no-edit --ff --no-ff --ff-only
  --verify --no-verify --verify-signatures --autostash --no-autostash --allow-unrelated-histories --all --append
  --force --prune --keep --unshallow --update-shallow --show-forced-updates --set-upstream --no-rebase
  --no-recurse-submodules
  -s -X -o --cleanup --strategy --strategy-option --depth --shallow-since --shallow-exclude --deepen --refmap <text>
  --server-option --negotiation-tip <text>
  --upload-pack <program>
  -r -j --recurse-submodules --rebase --log --signoff --jobs [text]
  -S --gpg-sign [deny]

git push <address> <text>...
  like: .remote
  -d -f -u --all --branches --mirror --delete --porcelain --force --force-if-includes --no-force-if-includes --thin
  --no-thin --set-upstream --prune --no-verify --follow-tags --no-follow-tags --atomic --no-atomic
  -o --recurse-submodules --push-option <text>
  --repo <address>
  --receive-pack --exec <program>
  --force-with-lease --no-force-with-lease --signed [text]

git rebase
  tolerant, edits-operands
  -q -v -n -f -m -i --keep-base --no-verify --verify --quiet --verbose --no-stat --stat --signoff
  --committer-date-is-author-date --reset-author-date --ignore-whitespace --force-rebase --no-ff --continue --skip
  --abort --quit --show-current-patch --apply --merge --interactive --rerere-autoupdate --autosquash --no-autosquash
  --update-refs --no-update-refs --autostash --no-autostash --fork-point --no-fork-point --root
  --reschedule-failed-exec --reapply-cherry-picks --no-keep-empty --keep-empty
  --edit-todo: deny
  -C -s -X --onto --whitespace --empty --strategy --strategy-option <text>
  -x --exec <program>
  -r --rebase-merges [text]
  -S --gpg-sign [deny]

git reset <read>...
  tolerant, mixed-operands, edits-operands
  -q -p -N --quiet --no-quiet --no-refresh --refresh --mixed --soft --hard --merge --keep --patch --intent-to-add
  --pathspec-file-nul
  --pathspec-from-file <read>
  --recurse-submodules [text]

git restore <write>...
  tolerant, mixed-operands, edits-operands
  -S -W -q -m -2 -3 -p --staged --worktree --ignore-unmerged --overlay --no-overlay --quiet --progress --merge
  --ours --theirs --patch --ignore-skip-worktree-bits --pathspec-file-nul
  -s --source --conflict <text>
  --pathspec-from-file <read>
  --recurse-submodules [text]

git revert
  tolerant, edits-operands
  -n -e -s --quit --continue --abort --skip --no-commit --edit --no-edit --signoff --rerere-autoupdate --reference
  -m -X --cleanup --mainline --strategy-option --strategy <text>
  -S --gpg-sign [deny]

git rm <list>...
  tolerant, mixed-operands, edits-operands
  -n -q -f -r --dry-run --quiet --cached --force --ignore-unmatch --sparse --pathspec-file-nul
  --pathspec-from-file <read>

git stash
  tolerant, edits-operands
  -k -S -p -q -u -a --keep-index --no-keep-index --staged --patch --quiet --include-untracked --all
  -m --message <text>

git stash push <read>...
  tolerant, mixed-operands
  -k -S -p -q -u -a --keep-index --no-keep-index --staged --patch --quiet --include-untracked --all
  --no-include-untracked --pathspec-file-nul
  -m --message <text>
  --pathspec-from-file <read>

git stash pop|apply|branch|clear|drop|create|store|list
  other-subcommands
  -q --index --quiet --oneline
  -m --message <text>

git stash show
  like: .diff
  --include-untracked --only-untracked

git stash save
  tolerant, other-subcommands
  -k -u -a -q -p -S

git status <list>...
  tolerant, mixed-operands
  -v -s -b -z --verbose --short --branch --show-stash --ahead-behind --no-ahead-behind --long --null --no-renames
  --renames --no-column
  -u -M --porcelain --untracked-files --ignored --ignore-submodules --column --find-renames [text]

git submodule
  network, edits-operands
  -q --quiet --cached

git submodule status|init|sync|deinit|summary|absorbgitdirs
  other-subcommands
  -f -q --recursive --all --force --cached --files
  -n --summary-limit <text>

git submodule update
  tolerant
  -N -f -q --init --remote --no-fetch --force --recursive --progress --merge --rebase --checkout
  --no-recommend-shallow --recommend-shallow --no-single-branch --single-branch
  -j --depth --jobs --filter --reference <text>

git submodule add <address> <write>...
  tolerant
  -f -q --force --quiet
  -b --branch --name --depth --reference <text>

git submodule set-branch
  tolerant
  -d --default
  -b --branch <text>

git submodule set-url <write> <address>...

# Each submodule runs it in a shell.
git submodule foreach <program>...
  options-first
  -q --recursive --quiet

git switch
  tolerant, edits-operands
  -q -m -d -f --guess --no-guess --discard-changes --quiet --progress --no-progress --merge --detach --force
  --overwrite-ignore --ignore-other-worktrees --no-track
  -c -C --create --force-create --conflict --orphan <text>
  -t --recurse-submodules --track [text]

git tag
  tolerant
  -l -d -a -f -i --list --delete --annotate --force --create-reflog --ignore-case --no-color --no-column
  -v -s --verify --sign: deny
  -m --message --cleanup --contains --no-contains --sort --points-at --format <text>
  -F --file <read>
  -u --local-user <deny>
  -n --column --color --merged --no-merged [text]

git worktree
  edits-operands

git worktree list|prune|lock|unlock|repair
  other-subcommands
  -v -n -z --porcelain --verbose --dry-run
  --reason --expire <text>

git worktree add <write> <text>...
  -f -d -q --force --detach --checkout --no-checkout --lock --quiet --track --no-track --guess-remote
  -b -B --reason <text>

git worktree move|remove <write>...
  -f --force

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

git check-attr <list>...
  tolerant, mixed-operands
  -a -z --all --stdin --cached

git for-each-ref
  tolerant
  --ignore-case
  --count --format --sort --points-at --contains --no-contains --exclude <text>
  --color --merged --no-merged [text]

git fsck
  tolerant
  -v --verbose --unreachable --dangling --no-dangling --tags --root --cache --reflogs --no-reflogs --full
  --connectivity-only --strict --lost-found --progress --no-progress --name-objects

git hash-object <read>...
  tolerant, mixed-operands
  -w --stdin --no-filters --literally
  --stdin-paths: deny
  -t <text>
  --path <read>

git name-rev
  tolerant
  --name-only --tags --all --stdin --annotate-stdin --always
  --refs --exclude <text>

git notes
  --ref <text>

git notes list|show|remove|prune|get-ref|copy|merge
  other-subcommands
  -f -n -v --force

git notes add
  tolerant
  -f --force --allow-empty
  -m -C -c --message --reuse-message <text>
  -F --file <read>

git notes append
  tolerant
  --allow-empty
  -m --message <text>
  -F --file <read>

git range-diff <text>...
  like: .diff
  --no-dual-color --left-only --right-only
  --creation-factor <text>

git remote
  network
  -v --verbose

git remote show|prune|rename|remove|rm|get-url|set-head|update|set-branches
  other-subcommands
  -n -a -d -p --dry-run --all --push --auto --delete --prune --add

git remote add <text> <address>...
  -f --fetch --tags --no-tags
  -t -m <text>
  --mirror [text]

git remote set-url <text> <address>...
  --push --add --delete

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

git show-branch
  tolerant
  -a -r --all --remotes --list --no-name --current --sha1-name --merge-base --independent --topo-order --topics
  --sparse --date-order
  -g --color --more --reflog [text]

git sparse-checkout

git sparse-checkout list|init|set|add|reapply|disable
  other-subcommands
  --cone --no-cone --sparse-index --no-sparse-index --stdin

git symbolic-ref
  tolerant
  -q -d --quiet --delete --short --no-recurse
  -m <text>

git verify-commit
  tolerant
  -v --raw

git var
  tolerant
  -l

git count-objects
  tolerant
  -v -H --verbose --human-readable

git cherry
  tolerant
  -v --verbose
  --abbrev [text]

git help
  tolerant, other-subcommands
  -a -g -c --all --guides --config

git version
  tolerant
  --build-options

git prune
  tolerant
  -n -v --dry-run --verbose --progress
  --expire <text>

git repack
  tolerant
  -a -A -d -f -F -l -n -q

git update-index <read>...
  tolerant, mixed-operands
  -q --refresh --really-refresh --add --remove --force-remove --assume-unchanged --no-assume-unchanged
  --skip-worktree --no-skip-worktree
  --chmod --cacheinfo <text>

git update-ref
  tolerant
  -d --no-deref
  -m <text>

git write-tree
  tolerant

git commit-tree
  tolerant
  -p -m <text>
  -F <read>

git maintenance

git maintenance run
  other-subcommands
  --auto --quiet
  --task <text>

git rerere
  tolerant, other-subcommands

git merge-tree
  tolerant
  -z --write-tree --name-only --messages --no-messages --allow-unrelated-histories
  --merge-base <text>
`
