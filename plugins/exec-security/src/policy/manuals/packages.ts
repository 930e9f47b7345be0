/** Package managers of JavaScript, and gh. */
export const PACKAGES = `
.npm-values
  network, no-abbreviations, tolerant, mixed-operands
  -w -m -F -t --workspace --tag --loglevel --omit --include --depth --before --otp --access --scope --message <text>
  --preid --save-prefix --fetch-retries --fetch-timeout --maxsockets --searchlimit --filter --reporter <text>
  --network-concurrency --child-concurrency --target --format --entrypoint --platform --arch --libc --os <text>
  --cpu --node-linker --package-import-method --resolution-mode --audit-level --diff --pattern --auth-type <text>
  --test-name-pattern --bail-after --timeout --port <text>
  -C --outdir --outfile --pack-destination --prefix --cwd --dir <write>
  works-in: -C --prefix --cwd --dir
  --registry --userconfig --globalconfig --script-shell --shell --node-options --git --cache --init-module <deny>
  --editor --viewer --onload-script --use-node-version --config --modules-folder --store-dir <deny>
  --virtual-store-dir --proxy --https-proxy <deny>
  -c --call <shell>
  --color [text]

# Options of npm, pnpm, yarn and bun. Configuration keys that decide what later runs start, load or trust are denied.
.npm
  like: .npm-values
  -g -f -s -d -q -S -P -D -O -B -E -l -p -a -y -h -v -r -L -i -T -A -W -u --global --force --silent --dd --ddd
  --quiet --verbose --save --save-prod --save-dev --save-optional --save-peer --save-bundle --save-exact --no-save
  --no-audit --audit --no-fund --fund --no-optional --no-shrinkwrap --legacy-peer-deps --strict-peer-deps
  --prefer-offline --prefer-online --offline --ignore-scripts --no-ignore-scripts --foreground-scripts --production
  --dry-run --json --long --parseable --all --ws --workspaces --include-workspace-root --no-workspaces --if-present
  --yes --no --package-lock-only --no-package-lock --package-lock --frozen-lockfile --no-frozen-lockfile --depth-all
  --link --no-bin-links --engine-strict --no-color --no-progress --progress --unicode --timing --usage --help
  --version --allow-same-version --no-git-tag-version --no-commit-hooks --git-tag-version --sign-git-tag
  --provenance --no-provenance --recursive --parallel --stream --aggregate-output --w-root --shamefully-hoist
  --strict-peer-dependencies --no-strict-peer-dependencies --latest --interactive --immutable --check-cache
  --inline-builds --exact --dev --peer --optional --D-only --prod --no-lockfile --lockfile-only --fix-lockfile
  --merge-git-branch-lockfiles --ignore-workspace --workspace-root --no-emit --reporter-hide-prefix --no-bail --bail
  --expand --no-install --pure-lockfile --non-interactive --prefer-dedupe --no-prefer-dedupe --C-only --global-style
  --install-links --bun --watch --hot --smol --trust --no-summary --minify --splitting --sourcemap --coverage
  --update-snapshots --todo --only --patch --minor --major --prerelease --premajor --preminor --prepatch

.package-manager
  like: .npm
  options-first

.package-manager install|i|in|ins|add|a|install-test|it|link|ln <any>...
  like: .npm

.package-manager ci|clean-install|install-ci-test|cit|update|up|upgrade|uninstall|un|remove|rm|r|unlink|dedupe|ddp|
    prune|rebuild|rb|outdated|ls|list|la|ll|why|explain|view|info|show|v|search|find|s|audit|fund|doctor|ping|
    prefix|root|bin|unpublish|deprecate|dist-tag|dist-tags|owner|version|versions|help|help-search|init|create|
    innit|query|bugs|docs|home|repo|completion|shrinkwrap|sbom|diff|star|stars|unstar|import|fetch|store|
    patch-remove|licenses|server|approve-builds|cache|check|autoclean|pm|build|bundle|patch|whoami|profile|team|org|
    access|logout <text>...
  like: .npm

.package-manager pack|publish <tree>...
  like: .npm

.package-manager deploy|patch-commit <write>...
  like: .npm

.package-manager run|run-script|rum|urn|test|t|tst|start|stop|restart|workspace|workspaces|recursive|m|multi <text>...
  like: .npm
  options-first

# The first operand names the program. The value of -p names a package.
.package-manager exec|x|dlx <any>...
  like: .npm
  options-first
  -p --package <text>

.package-manager config|c <text>...
  like: .npm

.package-manager config get|list|ls|delete|rm <setting>...
  like: .npm

.package-manager config set <setting> <setting>...
  like: .npm

.package-manager get <setting>...
  like: .npm

.package-manager set <setting> <setting>...
  like: .npm

.package-manager pkg <text>...
  like: .npm

.package-manager pkg get|fix|delete <text>...
  like: .npm

.package-manager pkg set <deny>...
  like: .npm

# These open a package folder, a shell, a credential or an editor, or load code from then on.
.package-manager explore|token|edit|login|adduser|env|setup|plugin|hook|policies <deny>...
  like: .npm
  without-operands: deny

.gh <text>...
  no-abbreviations, tolerant, mixed-operands
  -h -w -d -f -c -y -a -v -j --help --web --draft --fill --fill-first --fill-verbose --comments --dry-run --yes
  --squash --merge --rebase --delete-branch --admin --auto --disable-auto --all --exit-status --failed --log
  --log-failed --verbose --compact --undo --detach --private --public --internal --source --archived --no-archived
  --fork --latest --prerelease --generate-notes --verify-tag --patch --name-only --force --approve --request-changes
  --comment --show-failed --required --fail-fast --merged --closed --no-repo --clobber --include-forks --add-readme
  --disable-wiki --disable-issues --skip-existing
  -R -n -t -b -B -H -l -L -s -S -q -p -m -r -u -g --repo --title --body --base --head --label --limit --state <text>
  --search --assignee --author --json --jq --template --project --milestone --reviewer --add-label <text>
  --remove-label --add-assignee --remove-assignee --add-reviewer --remove-reviewer --add-project <text>
  --remove-project --event --workflow --branch --user --job --attempt --interval --visibility --topic <text>
  --add-topic --language --owner --sort --order --match --name --description --homepage --notes --target <text>
  --tag --reason --subject --match-head-commit --mention --created --updated --involves --gitignore --license <text>
  --team --recover --color --commit --pattern --ref --key <text>
  -F --body-file --notes-file <read>
  -D --dir <write>
  -O --output <fetch>

npm
  like: .package-manager

# npm accepts its own options after the name of a script too. Those of the script are unknown.
npm run|run-script|rum|urn|test|t|tst|start|stop|restart <text>...
  like: .npm-values
  *

pnpm|yarn
  like: .package-manager
  other-subcommands

bun
  like: .package-manager
  other-subcommands
  -p -e --eval --print <code>
  -r --preload --require <script>
  --env-file <list>
  stdin: code

bun upgrade
  like: .npm

bun repl
  like: .npm
  -p -e --eval --print <code>

bun run <text>...
  like: .npm
  options-first
  stdin: code

bun exec <shell>...
  like: .npm
  options-first

npx|pnpx|bunx <any>...
  like: .npm
  options-first
  -p --package <text>

gh
  network, options-first, no-abbreviations
  --help --version

gh pr|issue|repo|run|release|label|milestone|workflow|cache|ruleset|project|org|gist|search|status|browse|variable|
    secret|preview|attestation
  options-first, other-subcommands
  -n --help --no-browser

gh pr list|view|create|edit|close|reopen|comment|diff|checks|status|delete|sync|watch|download|upload|rerun|cancel|
    develop|transfer|pin|unpin|lock|unlock|ready|checkout|review|enable|disable|run|set-default|archive|unarchive|
    rename|issues|prs|repos|commits|code|verify|merge
  like: .gh

# Options of git follow '--'.
gh pr clone <text> <write> <deny>...
  like: .gh

gh pr fork <text> <deny>...
  like: .gh
  --clone --remote --default-branch-only

gh api
  no-abbreviations, tolerant
  -i --include --paginate --silent --slurp --verbose
  -X -f -q -t -p --method --raw-field --jq --template --hostname --cache --preview <text>
  -F -H --field --header <upload>
  --input <read>

gh auth

gh auth status
  -a --active
  -h --hostname <text>

gh config

gh config get|list
  options-first, tolerant, other-subcommands

gh config set <setting> <setting>...

gh extension

gh extension list|search
  options-first, tolerant, other-subcommands

gh alias

gh alias list
  options-first, tolerant, other-subcommands

gh help|version|completion
  options-first, tolerant, other-subcommands
`
