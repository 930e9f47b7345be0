/** git: commands about repositories, their settings and other machines. */
export const GIT_REPOSITORY = `
git archive <read>...
  tolerant, mixed-operands
  -v -l -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --worktree-attributes --verbose --list
  --format --prefix --add-virtual-file --mtime <text>
  -o --output <sideWrite>
  --add-file <read>
  --remote --exec <deny>

git clone <address> <write>...
  network, edits-operands
  -v -q -n -l -s -4 -6 --verbose --quiet --progress --no-progress --reject-shallow --no-checkout --bare --mirror
  --local --no-local --no-hardlinks --shared --dissociate --single-branch --no-single-branch --no-tags --tags
  --shallow-submodules --ipv4 --ipv6 --also-filter-submodules --remote-submodules --sparse
  -j -o -b --jobs --origin --branch --depth --shallow-since --shallow-exclude --server-option --filter <text>
  --revision <text>
  -c --config <setting>
  -u --upload-pack <program>
  --template --bundle-uri <deny>
  --separate-git-dir <sideWrite>
  --reference --reference-if-able <read>
  --recurse-submodules --recursive [text]

# The key is checked on its own: some values are run, some are secrets.
git config <text>...
  -l -z --global --system --local --worktree --get --get-all --get-regexp --get-urlmatch --replace-all --add --unset
  --unset-all --rename-section --remove-section --list --fixed-value --get-color --get-colorbool --bool --int
  --bool-or-int --bool-or-str --path --expiry-date --null --name-only --includes --no-includes --show-origin
  --show-scope --all --regexp --show-names
  -e --edit: deny
  -t --type --default --value <text>
  -f --file --blob <deny>

git fetch <address> <text>...
  like: .remote
  -a -f -m -t -p -P -k -u --all --set-upstream --append --atomic --force --multiple --prefetch --prune --prune-tags
  --write-fetch-head --keep --update-head-ok --unshallow --refetch --update-shallow --negotiate-only
  --auto-maintenance --auto-gc --no-auto-gc --show-forced-updates --write-commit-graph --stdin --porcelain
  -j -o --jobs --depth --shallow-since --shallow-exclude --deepen --refmap --server-option --negotiation-tip <text>
  --filter <text>
  --upload-pack <program>
  --recurse-submodules [text]

git gc
  tolerant
  -q --quiet --cruft --no-cruft --aggressive --auto --force --keep-largest-pack --no-prune
  --prune [text]

git init <write>...
  edits-operands
  -q --bare --quiet
  -b --initial-branch --object-format <text>
  --template <deny>
  --separate-git-dir <sideWrite>
  --shared [text]

git ls-remote <address> <text>...
  like: .remote
  -t -h --heads --refs --get-url --exit-code --symref
  -o --sort --server-option <text>
  --upload-pack --exec <program>

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

# Each submodule runs it in a shell.
git submodule foreach <program>...
  options-first
  -q --recursive --quiet

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
`
