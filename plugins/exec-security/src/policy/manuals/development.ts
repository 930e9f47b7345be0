/** Package managers, interpreters and other tools of development. */
export const DEVELOPMENT = `
.npm-values
  network, no-abbreviations, tolerant, mixed-operands
  -w -m -F -t --workspace --tag --loglevel --omit --include --depth --before --otp --access --scope --message <text>
  --preid --save-prefix --fetch-retries --fetch-timeout --maxsockets --searchlimit --filter --reporter <text>
  --network-concurrency --child-concurrency --target --format --entrypoint --platform --arch --libc --os <text>
  --cpu --node-linker --package-import-method --resolution-mode --audit-level --diff --pattern --auth-type <text>
  --test-name-pattern --bail-after --timeout --port <text>
  -C --outdir --outfile --pack-destination --prefix --cwd --dir <write>
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

.pip
  network, options-first
  -h -V -v -q --help --version --verbose --quiet --isolated --require-virtualenv --no-input --no-cache-dir
  --disable-pip-version-check --no-color --debug --no-python-version-warning
  --retries --timeout --exists-action --progress-bar <text>
  --python --proxy --trusted-host --cert --client-cert --log --log-file --cache-dir <deny>

.pip install|download|uninstall|freeze|list|check|search|index|wheel|hash|completion|debug|cache|inspect|run|inject|
    upgrade|upgrade-all|reinstall|ensurepath <address>...
  tolerant
  -U -I -q -v -y -o -u -l -a --upgrade --user --no-deps --pre --force-reinstall --no-build-isolation --use-pep517
  --no-use-pep517 --ignore-installed --require-hashes --no-cache-dir --no-compile --compile --quiet --verbose --yes
  --outdated --uptodate --local --not-required --exclude-editable --include-editable --all --files --no-input
  --disable-pip-version-check --no-warn-script-location --no-warn-conflicts --prefer-binary --dry-run
  --ignore-requires-python --break-system-packages --no-clean --check-build-dependencies --only-deps --no-color
  --include-deps --force
  -r -c -e --requirement --constraint --editable <read>
  -t -d -w --target --dest --wheel-dir --root --prefix --src --report <write>
  --upgrade-strategy --platform --python-version --implementation --abi --no-binary --only-binary <text>
  --progress-bar --format --exclude --use-feature --use-deprecated --retries --timeout --group <text>
  -i -f --index-url --extra-index-url --find-links --proxy --trusted-host --cert --client-cert <deny>
  --global-option --config-settings --install-option --build-option --python --spec --pip-args --suffix <deny>
  --no-index <deny>

.pip show <text>...
  -f -q -v --files --quiet --verbose

.pip config

.pip config list|get|debug <setting>...
  --user --global --site

node|nodejs <script> <list>...
  options-first, no-abbreviations, single-hyphen, tolerant, mixed-operands
  -v -h -c -i --version --help --check --interactive --test --watch --watch-preserve-output --test-only
  --test-force-exit --test-update-snapshots --enable-source-maps --no-warnings --no-deprecation --trace-* --no-*
  --throw-deprecation --pending-deprecation --preserve-symlinks --preserve-symlinks-main
  --abort-on-uncaught-exception --expose-gc --expose_gc --harmony --allow-child-process --allow-worker
  --allow-addons --permission --experimental-* --frozen-intrinsics --report-on-signal --report-uncaught-exception
  --verify-base-objects --zero-fill-buffers --track-heap-objects --prof --cpu-prof --heap-prof --stack-trace
  --strip-types --use-system-ca --insecure-http-parser --force-fips --enable-fips --deprecation --warnings
  -e -p --eval --print -pe <code>
  -C --conditions --input-type --max-http-header-size --max-old-space-size --max-semi-space-size <text>
  --max-old-space-size-percentage --stack-size --stack-trace-limit --unhandled-rejections --dns-result-order <text>
  --test-name-pattern --test-skip-pattern --test-reporter --test-concurrency --test-timeout --test-shard <text>
  --title --disable-warning --secure-heap --es-module-specifier-resolution --test-coverage-include <text>
  --test-coverage-exclude --test-isolation --run --watch-kill-signal --heapsnapshot-signal <text>
  -r --require --import --loader --experimental-loader --test-global-setup <script>
  --env-file --env-file-if-exists <list>
  --snapshot-blob --watch-path --allow-fs-read --experimental-config-file --experimental-default-config-file <read>
  --cpu-prof-dir --heap-prof-dir --diagnostic-dir --redirect-warnings --trace-event-file-pattern <write>
  --report-dir --report-directory --report-filename --test-reporter-destination --build-snapshot <write>
  --allow-fs-write <write>
  --icu-data-dir --openssl-config --tls-keylog --build-sea --experimental-sea-config --openssl-shared-config <deny>
  --inspect --inspect-brk --inspect-port --inspect-wait [deny]
  replaces-operand: -e --eval -p --print -pe --run
  stdin: code

python|python2|python3|pypy|pypy3 <script> <list>...
  options-first, no-abbreviations, tolerant, mixed-operands
  -b -B -d -E -h -i -I -O -P -q -s -S -u -v -V -x -? --OO --help --version --help-all --help-env --help-xoptions
  -c <code>
  -m -W -X --check-hash-based-pycs <text>
  replaces-operand: -c -m
  ends-options: -c -m
  stdin: code

# The meaning of the words of other modules is unknown.
python -m * <text>...
  no-options, tolerant, mixed-operands

python -m json.tool <read> <write>...
  *
  --indent <text>

python -m zipapp <tree>...
  *
  -o --output <write>
  -p -m --python --main <text>

python -m compileall|py_compile|lib2to3 <write>...
  *

python -m ensurepip
  *
  --root <deny>

python -m pip
  like: .pip

python -m venv|virtualenv <write>...
  *
  --prompt <text>

python -m timeit <code>...
  -p -v -u -h
  -n -r <text>
  -s <code>

python -m webbrowser <deny>...
  -n -t

python -m zipfile|tarfile <tree>...
  *
  -e --extract: deny

python -m http.server <text>...
  --cgi
  -b -p --bind --protocol <text>
  -d --directory <tree>

python -m cProfile|profile|trace|pdb|runpy <script> <text>...
  options-first
  *
  -o -C -f --coverdir --file <write>
  -s -m <text>
  -c <deny>

python -m code <deny>...
  without-operands: deny

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

bun upgrade|repl
  like: .npm

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

pip|pip3|pipx
  like: .pip

tsc <read>...
  no-abbreviations, single-hyphen, tolerant, other-subcommands
  -h -v -w -b -d -f -help -all -version -init -watch -build -noEmit -strict -showConfig -listFiles -listFilesOnly
  -listEmittedFiles -explainFiles -traceResolution -diagnostics -extendedDiagnostics -pretty -declaration
  -declarationMap -emitDeclarationOnly -sourceMap -inlineSourceMap -removeComments -skipLibCheck -esModuleInterop
  -allowJs -checkJs -incremental -composite -force -verbose -clean -dry -preserveWatchOutput -isolatedModules
  -resolveJsonModule -noImplicitAny -noUnusedLocals -noUnusedParameters -noEmitOnError -allowImportingTsExtensions
  -forceConsistentCasingInFileNames -experimentalDecorators -downlevelIteration -singleThreaded -noCheck
  -ignoreConfig -quiet
  -p -project -rootDir -baseUrl -typeRoots <read>
  -outDir -outFile -declarationDir -tsBuildInfoFile -generateTrace -generateCpuProfile <write>
  -t -m -target -module -moduleResolution -lib -jsx -types -moduleDetection -locale -jsxImportSource <text>
  -jsxFactory -checkers -newLine -watchFile -watchDirectory -maxNodeModuleJsDepth -customConditions <text>
  -stopBuildOnErrors <text>
  -plugins <deny>
  edits-operands-unless: -noEmit
  prefixes: @

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

make|gmake <setting>...
  tolerant
  -B -d -e -i -k -n -q -r -R -s -S -t -v -w -h -p --always-make --environment-overrides --ignore-errors --keep-going
  --just-print --dry-run --recon --question --no-builtin-rules --silent --quiet --stop --touch --version
  --print-directory --no-print-directory --warn-undefined-variables --help --print-data-base
  -o -W --old-file --what-if <read>
  -f -E -I --file --makefile --eval --include-dir <deny>
  -C --directory <tree>
  -j -l -O --jobs --load-average --output-sync --debug [text]

tsx|ts-node
  like: node
  -T --transpile-only

perl <script> <read>...
  options-first, no-abbreviations, mixed-operands
  -a -c -n -p -l -s -S -t -T -u -U -v -V -w -W -X -h
  -e -E <code>
  -I -m -M <text>
  -0 -i -F -x -C -d [text]
  changes-operands: -i
  replaces-operand: -e -E
  stdin: code

ruby <script> <read>...
  options-first, no-abbreviations, mixed-operands
  -a -c -h -l -n -p -s -S -v -w -y --version --help
  -e <code>
  -I -r -E --encoding <text>
  -C <tree>
  -0 -i -F -x -K -T -W [text]
  changes-operands: -i
  replaces-operand: -e
  stdin: code

php <script> <text>...
  options-first, no-abbreviations
  -a -h -i -l -m -n -q -v -w -s
  -r -B -R -E <code>
  -f -F <script>
  -c -d -z -S -t <deny>
  replaces-operand: -r -f
  stdin: code

lua|lua5.3|lua5.4|luajit <script> <text>...
  options-first, no-abbreviations
  -i -v -E -W
  -e <code>
  -l <text>
  replaces-operand: -e
  stdin: code

deno
  options-first, other-subcommands

deno eval <code>...
  -p --print

deno run <script> <text>...
  options-first
  *

deno test|fmt|lint|check|task|info|doc|bench <text>...
  *
`
