/** Interpreters and other tools of development. */
export const DEVELOPMENT = `
.pip
  network, options-first
  -h -V -v -q --help --version --verbose --quiet --isolated --require-virtualenv --no-input --no-cache-dir
  --disable-pip-version-check --no-color --debug --no-python-version-warning
  --retries --timeout --exists-action --progress-bar <text>
  --python --proxy --trusted-host --cert --client-cert <deny>
  --log --log-file --cache-dir <sideWrite>

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
  --test-coverage-branches --test-coverage-functions --test-coverage-lines --test-random-seed <text>
  --experimental-test-isolation --experimental-test-tag-filter --experimental-default-type --disable-proto <text>
  --trace-event-categories --trace-require-module --cpu-prof-interval --heap-prof-interval --report-signal <text>
  --heapsnapshot-near-heap-limit --network-family-autoselection-attempt-timeout --secure-heap-min <text>
  --inspect-publish-uid --use-largepages --v8-pool-size <text>
  -r --require --import --loader --experimental-loader --test-global-setup <script>
  --env-file --env-file-if-exists <list>
  --snapshot-blob --watch-path --allow-fs-read --experimental-config-file --experimental-default-config-file <read>
  --build-snapshot-config <read>
  --cpu-prof-dir --heap-prof-dir --diagnostic-dir --redirect-warnings --trace-event-file-pattern <write>
  --report-dir --report-directory --report-filename --test-reporter-destination --build-snapshot <write>
  --allow-fs-write --cpu-prof-name --heap-prof-name --localstorage-file --test-rerun-failures <write>
  --icu-data-dir --openssl-config --tls-keylog --build-sea --experimental-sea-config --openssl-shared-config <deny>
  --experimental-package-map --experimental-policy --policy-integrity --security-revert --security-reverts <deny>
  --tls-cipher-list --inspect-port --debug-port <deny>
  --inspect --inspect-brk --inspect-brk-node --inspect-wait --debug --debug-brk [deny]
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

make|gmake <setting>...
  tolerant
  -B -d -e -i -k -n -q -r -R -s -S -t -v -w -h -p --always-make --environment-overrides --ignore-errors --keep-going
  --just-print --dry-run --recon --question --no-builtin-rules --silent --quiet --stop --touch --version
  --print-directory --no-print-directory --warn-undefined-variables --help --print-data-base
  -o -W --old-file --what-if <read>
  -f -E -I --file --makefile --eval --include-dir <deny>
  -C --directory <tree>
  works-in: -C --directory
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
  works-in: -C
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

deno test|fmt|lint|check|info|doc|bench <text>...
  *

deno task <text>...
  *
  --eval <shell>
`
