/** git: commands that change the working folder and the history. */
export const GIT_WORKING = `
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

git bisect <text>...
  options-first

git bisect run <program>...
  no-options

git bisect start|bad|good|new|old|terms|skip|reset|replay|log|help
  other-subcommands
  --no-checkout --first-parent
  --term-new --term-old --term-good --term-bad <text>

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

git mv <write>...
  tolerant, mixed-operands, edits-operands
  -v -n -f -k --verbose --dry-run --force --sparse

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
`
