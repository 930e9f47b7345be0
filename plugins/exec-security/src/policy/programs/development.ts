// Tools of development: package managers, interpreters and what stands around them.
import { alike, type ProgramSpec } from './program-spec.js'
import { GIT } from './git.js'

const anything: ProgramSpec = { open: true, tolerant: true, stops: true }

/** Configuration keys that decide what later runs start, load or trust are looked at as settings. */
const NPM: ProgramSpec = {
  flags: `g global f force s silent d dd ddd q quiet verbose S P save save-prod D save-dev save-optional O save-peer B save-bundle E save-exact no-save no-audit audit no-fund fund no-optional no-shrinkwrap legacy-peer-deps strict-peer-deps
    prefer-offline prefer-online offline ignore-scripts no-ignore-scripts foreground-scripts production dry-run json long l parseable p a all ws workspaces include-workspace-root no-workspaces if-present yes y no
    package-lock-only no-package-lock package-lock frozen-lockfile no-frozen-lockfile depth-all link no-bin-links engine-strict color no-color no-progress progress unicode timing usage h help v version allow-same-version no-git-tag-version
    no-commit-hooks git-tag-version sign-git-tag provenance no-provenance r recursive parallel stream aggregate-output w-root shamefully-hoist strict-peer-dependencies no-strict-peer-dependencies latest L i interactive immutable
    check-cache inline-builds T exact dev peer optional D-only prod no-lockfile lockfile-only fix-lockfile merge-git-branch-lockfiles ignore-workspace workspace-root no-optional no-emit silent reporter-hide-prefix no-bail bail expand no-install pure-lockfile
    non-interactive prefer-dedupe no-prefer-dedupe A W C-only global-style install-links bun watch hot smol trust no-summary minify splitting sourcemap coverage update-snapshots u todo only patch minor major prerelease premajor preminor prepatch`,
  values: {
    text: `w workspace tag loglevel omit include depth before otp access scope message m preid save-prefix fetch-retries fetch-timeout maxsockets searchlimit filter F reporter network-concurrency child-concurrency
      target format entrypoint platform arch libc os cpu node-linker package-import-method resolution-mode audit-level diff pattern auth-type t test-name-pattern bail-after timeout port`,
    write: 'outdir outfile pack-destination C prefix cwd dir',
    never:
      'registry userconfig globalconfig script-shell shell node-options git cache init-module editor viewer onload-script use-node-version config modules-folder store-dir virtual-store-dir proxy https-proxy',
    shell: 'c call',
  },
  optional: { text: 'color' },
  exact: true,
  words: true,
  network: true,
  tolerant: true,
}

const npm = (extra: Partial<ProgramSpec> = {}): ProgramSpec => ({ ...NPM, operands: ['text'], ...extra })
/** The subcommands of npm, pnpm, yarn and bun that name packages, scripts or nothing. */
const verbs = (list: string, table: ProgramSpec): Record<string, ProgramSpec> => alike(list, table)

const SCRIPT: ProgramSpec = { ...npm(), stops: true }

const PACKAGE_MANAGER: ProgramSpec = {
  ...NPM,
  stops: true,
  subcommands: {
    ...verbs(
      `install i in ins add a ci clean-install install-test it install-ci-test cit update up upgrade uninstall un remove rm r unlink link ln dedupe ddp prune rebuild rb outdated ls list la ll why explain view info show v search find s
      audit fund doctor ping prefix root bin unpublish deprecate dist-tag dist-tags owner version versions help help-search init create innit query bugs docs home repo completion shrinkwrap sbom diff star stars unstar
      import fetch store patch-remove licenses server rebuild approve-builds cache dedupe check info autoclean versions up pm build bundle outdated patch link unlink whoami profile team org access logout`,
      npm(),
    ),
    ...verbs('install i in ins add a install-test it link ln', npm({ operands: ['any'] })),
    ...verbs('pack publish', npm({ operands: ['tree'] })),
    ...verbs('deploy patch-commit', npm({ operands: ['write'] })),
    ...verbs('run run-script rum urn test t tst start stop restart', SCRIPT),
    // A word that is not an option names the program, one behind `-p` a package.
    ...verbs('exec x dlx', {
      ...SCRIPT,
      operands: ['any'],
      values: { ...NPM.values, text: `${NPM.values?.text ?? ''} p package` },
    }),
    config: {
      ...npm(),
      subcommands: {
        ...verbs('get list ls delete rm', npm({ operands: ['setting'] })),
        set: npm({ operands: ['setting', 'setting'] }),
      },
    },
    c: {
      ...npm(),
      subcommands: {
        ...verbs('get list ls delete rm', npm({ operands: ['setting'] })),
        set: npm({ operands: ['setting', 'setting'] }),
      },
    },
    get: npm({ operands: ['setting'] }),
    set: npm({ operands: ['setting', 'setting'] }),
    pkg: { ...npm(), subcommands: { get: npm(), fix: npm(), set: npm({ operands: ['never'] }), delete: npm() } },
    workspace: { ...npm(), stops: true },
    workspaces: { ...npm(), stops: true },
    recursive: { ...npm(), stops: true },
    m: { ...npm(), stops: true },
    multi: { ...npm(), stops: true },
    // The directory of a package, a shell, a credential, an editor, and what is loaded from then on.
    ...verbs(
      'explore token edit login adduser env setup plugin hook policies',
      npm({ operands: ['never'], alone: 'never' }),
    ),
  },
}

const PIP: ProgramSpec = {
  flags:
    'h help V version v verbose q quiet isolated require-virtualenv no-input no-cache-dir disable-pip-version-check no-color debug no-python-version-warning',
  values: {
    text: 'retries timeout exists-action progress-bar',
    never: 'python proxy trusted-host cert client-cert log log-file cache-dir',
  },
  network: true,
  stops: true,
  subcommands: {
    ...alike(
      'install download uninstall freeze list show check search index wheel hash completion debug cache inspect run inject upgrade upgrade-all reinstall ensurepath',
      {
        flags:
          'U upgrade user no-deps pre force-reinstall no-build-isolation use-pep517 no-use-pep517 ignore-installed I require-hashes no-cache-dir no-compile compile q quiet v verbose y yes o outdated u uptodate local l not-required exclude-editable include-editable a all files no-input disable-pip-version-check no-warn-script-location no-warn-conflicts prefer-binary dry-run ignore-requires-python break-system-packages no-clean check-build-dependencies only-deps no-color include-deps force',
        values: {
          read: 'r requirement c constraint e editable',
          write: 't target d dest w wheel-dir root prefix src report',
          text: 'upgrade-strategy platform python-version implementation abi no-binary only-binary progress-bar format exclude use-feature use-deprecated retries timeout group',
          never:
            'i index-url extra-index-url f find-links proxy trusted-host cert client-cert global-option config-settings install-option build-option python spec pip-args suffix no-index',
        },
        operands: ['address'],
        tolerant: true,
      },
    ),
    show: { flags: 'f files q quiet v verbose', operands: ['text'] },
    config: { subcommands: alike('list get debug', { flags: 'user global site', operands: ['setting'] }) },
  },
}

const PYTHON: ProgramSpec = {
  flags: 'b B d E h i I O OO P q s S u v V x ? help version help-all help-env help-xoptions',
  values: { code: 'c', text: 'm W X check-hash-based-pycs' },
  stops: true,
  exact: true,
  operands: ['script', 'list'],
  words: true,
  replaces: 'c m',
  input: 'code',
  tolerant: true,
  ends: 'c m',
  modules: {
    // Of others it is not known what they do with their words.
    '*': { verbatim: true, words: true, operands: ['text'], tolerant: true },
    'json.tool': { flags: '*', values: { text: 'indent' }, operands: ['read', 'write'] },
    zipapp: { flags: '*', values: { write: 'o output', text: 'p python m main' }, operands: ['tree'] },
    ...alike('compileall py_compile lib2to3', { flags: '*', operands: ['write'] }),
    ensurepip: { flags: '*', values: { never: 'root' } },
    pip: PIP,
    ...alike('venv virtualenv', { flags: '*', values: { text: 'prompt' }, operands: ['write'] }),
    ...alike('timeit', { flags: 'p v u h', values: { text: 'n r', code: 's' }, operands: ['code'] }),
    webbrowser: { flags: 'n t', operands: ['never'] },
    ...alike('zipfile tarfile', { flags: '*', acts: { never: 'e extract' }, operands: ['tree'] }),
    'http.server': { flags: 'cgi', values: { text: 'b bind p protocol', tree: 'd directory' }, operands: ['text'] },
    ...alike('cProfile profile trace pdb runpy', {
      flags: '*',
      values: { write: 'o C coverdir f file', text: 's m', never: 'c' },
      stops: true,
      operands: ['script', 'text'],
    }),
    code: { operands: ['never'], alone: 'never' },
  },
}

const NODE: ProgramSpec = {
  flags: `v version h help c check i interactive test watch watch-preserve-output test-only test-force-exit test-update-snapshots enable-source-maps no-warnings no-deprecation trace-* no-* throw-deprecation pending-deprecation
    preserve-symlinks preserve-symlinks-main abort-on-uncaught-exception expose-gc expose_gc harmony allow-child-process allow-worker allow-addons permission experimental-* frozen-intrinsics report-on-signal
    report-uncaught-exception verify-base-objects zero-fill-buffers track-heap-objects prof cpu-prof heap-prof stack-trace strip-types use-system-ca insecure-http-parser force-fips enable-fips deprecation warnings`,
  values: {
    code: 'e eval p print pe',
    text: `conditions C input-type max-http-header-size max-old-space-size max-semi-space-size max-old-space-size-percentage stack-size stack-trace-limit unhandled-rejections dns-result-order test-name-pattern test-skip-pattern test-reporter test-concurrency
      test-timeout test-shard title disable-warning secure-heap es-module-specifier-resolution test-coverage-include test-coverage-exclude test-isolation run watch-kill-signal heapsnapshot-signal`,
    script: 'r require import loader experimental-loader test-global-setup',
    list: 'env-file env-file-if-exists',
    read: 'snapshot-blob watch-path allow-fs-read experimental-config-file experimental-default-config-file',
    write:
      'cpu-prof-dir heap-prof-dir diagnostic-dir redirect-warnings trace-event-file-pattern report-dir report-directory report-filename test-reporter-destination build-snapshot allow-fs-write',
    never: 'icu-data-dir openssl-config tls-keylog build-sea experimental-sea-config openssl-shared-config',
  },
  optional: { never: 'inspect inspect-brk inspect-port inspect-wait' },
  stops: true,
  exact: true,
  hyphen: true,
  operands: ['script', 'list'],
  words: true,
  replaces: 'e eval p print pe run',
  input: 'code',
  tolerant: true,
}

const GH: ProgramSpec = {
  flags: `h help w web d draft f fill fill-first fill-verbose c comments dry-run yes y squash merge rebase delete-branch admin auto disable-auto a all exit-status failed log log-failed verbose v compact undo
    detach private public internal source archived no-archived fork latest prerelease generate-notes verify-tag patch name-only force approve request-changes comment j show-failed required fail-fast merged closed no-repo clobber
    include-forks add-readme disable-wiki disable-issues skip-existing`,
  values: {
    text: `R repo n t title b body B base H head l label L limit s state S search assignee author json q jq template p project m milestone r reviewer add-label remove-label add-assignee remove-assignee add-reviewer
      remove-reviewer add-project remove-project event workflow branch u user job attempt interval visibility topic add-topic language owner sort order match name description homepage notes target tag reason subject
      match-head-commit mention created updated involves g gitignore license team recover color commit pattern ref key`,
    read: 'F body-file notes-file',
    write: 'D dir',
    fetch: 'O output',
  },
  operands: ['text'],
  exact: true,
  words: true,
  tolerant: true,
}

export const DEVELOPMENT: Readonly<Record<string, ProgramSpec>> = {
  git: GIT,
  ...alike('node nodejs', NODE),
  ...alike('python python2 python3 pypy pypy3', PYTHON),
  // npm looks for its own options behind the name of a script, too; those of the script are not known.
  npm: {
    ...PACKAGE_MANAGER,
    subcommands: {
      ...PACKAGE_MANAGER.subcommands,
      ...verbs('run run-script rum urn test t tst start stop restart', npm({ flags: '*' })),
    },
  },
  pnpm: { ...PACKAGE_MANAGER, open: true },
  yarn: { ...PACKAGE_MANAGER, open: true },
  bun: {
    ...PACKAGE_MANAGER,
    open: true,
    values: { ...PACKAGE_MANAGER.values, code: 'e eval p print', script: 'r preload require', list: 'env-file' },
    input: 'code',
    subcommands: {
      ...PACKAGE_MANAGER.subcommands,
      upgrade: { ...NPM },
      repl: { ...NPM },
      run: { ...SCRIPT, input: 'code' },
      exec: { ...NPM, stops: true, operands: ['shell'] },
    },
  },
  ...alike('npx pnpx bunx', {
    ...NPM,
    operands: ['any'],
    values: { ...NPM.values, text: `${NPM.values?.text ?? ''} p package`, shell: 'c call' },
    stops: true,
  }),
  ...alike('pip pip3 pipx', PIP),
  tsc: {
    hyphen: true,
    exact: true,
    open: true,
    edits: 'noEmit',
    signs: '@',
    flags: `h help all v version init w watch b build noEmit strict showConfig listFiles listFilesOnly listEmittedFiles explainFiles traceResolution diagnostics extendedDiagnostics pretty d declaration declarationMap emitDeclarationOnly sourceMap inlineSourceMap removeComments skipLibCheck esModuleInterop allowJs checkJs incremental composite force f verbose clean dry preserveWatchOutput isolatedModules resolveJsonModule noImplicitAny noUnusedLocals noUnusedParameters noEmitOnError allowImportingTsExtensions forceConsistentCasingInFileNames experimentalDecorators downlevelIteration singleThreaded noCheck ignoreConfig quiet`,
    values: {
      read: 'p project rootDir baseUrl typeRoots',
      write: 'outDir outFile declarationDir tsBuildInfoFile generateTrace generateCpuProfile',
      text: 't target m module moduleResolution lib jsx types moduleDetection locale jsxImportSource jsxFactory checkers newLine watchFile watchDirectory maxNodeModuleJsDepth customConditions stopBuildOnErrors',
      never: 'plugins',
    },
    operands: ['read'],
    tolerant: true,
  },
  gh: {
    flags: 'help version',
    network: true,
    stops: true,
    exact: true,
    subcommands: {
      ...alike(
        'pr issue repo run release label milestone workflow cache ruleset project org gist search status browse variable secret preview attestation',
        {
          flags: 'help n no-browser',
          stops: true,
          open: true,
          subcommands: {
            ...alike(
              'list view create edit close reopen comment diff checks status delete clone fork sync watch download upload rerun cancel develop transfer pin unpin lock unlock ready checkout review enable disable run set-default archive unarchive rename issues prs repos commits code verify',
              GH,
            ),
            // After `--` stand options of git.
            clone: { ...GH, operands: ['text', 'write', 'never'] },
            fork: { ...GH, flags: `${GH.flags ?? ''} clone remote default-branch-only`, operands: ['text', 'never'] },
            merge: { ...GH, flags: `${GH.flags ?? ''} s m r` },
          },
        },
      ),
      api: {
        flags: 'i include paginate silent slurp verbose',
        values: {
          text: 'X method f raw-field q jq t template hostname cache p preview',
          sent: 'F field H header',
          read: 'input',
        },
        exact: true,
        tolerant: true,
      },
      auth: { flags: '', subcommands: { status: { flags: 'active a', values: { text: 'hostname h' } } } },
      config: { flags: '', subcommands: { get: anything, list: anything, set: { operands: ['setting', 'setting'] } } },
      extension: { flags: '', subcommands: { list: anything, search: anything } },
      alias: { flags: '', subcommands: { list: anything } },
      help: anything,
      version: anything,
      completion: anything,
    },
  },
  ...alike('make gmake', {
    flags:
      'B d e i k n q r R s S t v w always-make environment-overrides ignore-errors keep-going just-print dry-run recon question no-builtin-rules silent quiet stop touch version print-directory no-print-directory warn-undefined-variables h help p print-data-base',
    values: { read: 'o old-file W what-if', never: 'f file makefile E eval I include-dir', tree: 'C directory' },
    optional: { text: 'j jobs l load-average O output-sync debug' },
    operands: ['setting'],
    tolerant: true,
  }),
  ...alike('tsx ts-node', { ...NODE, flags: `${NODE.flags ?? ''} T transpile-only` }),
  perl: {
    flags: 'a c n p l s S t T u U v V w W X h',
    optional: { text: '0 i F x C d' },
    values: { code: 'e E', text: 'I m M' },
    stops: true,
    exact: true,
    words: true,
    changes: 'i',
    operands: ['script', 'read'],
    replaces: 'e E',
    input: 'code',
  },
  ruby: {
    flags: 'a c h l n p s S v w y version help',
    optional: { text: '0 i F x K T W' },
    values: { code: 'e', text: 'I r E encoding', tree: 'C' },
    stops: true,
    exact: true,
    words: true,
    changes: 'i',
    operands: ['script', 'read'],
    replaces: 'e',
    input: 'code',
  },
  php: {
    flags: 'a h i l m n q v w s',
    values: { code: 'r B R E', script: 'f F', never: 'c d z S t' },
    stops: true,
    exact: true,
    operands: ['script', 'text'],
    replaces: 'r f',
    input: 'code',
  },
  ...alike('lua lua5.3 lua5.4 luajit', {
    flags: 'i v E W',
    values: { code: 'e', text: 'l' },
    stops: true,
    exact: true,
    operands: ['script', 'text'],
    replaces: 'e',
    input: 'code',
  }),
  deno: {
    stops: true,
    open: true,
    subcommands: {
      eval: { flags: 'p print', operands: ['code'] },
      run: { flags: '*', stops: true, operands: ['script', 'text'] },
      ...alike('test fmt lint check task info doc bench', { flags: '*', operands: ['text'] }),
    },
  },
}
