// Programs that work on files and text, as far as owners commonly list them.
import { alike, type ProgramSpec } from './program-spec.js'

const COMMON = { query: 'help version' } as const

const CONTAINER: ProgramSpec = {
  flags: 'd i t P q rm init read-only no-healthcheck detach interactive tty publish-all quiet',
  acts: { never: 'privileged' },
  network: true,
  stops: true,
  exact: true,
  values: {
    text: 'name e env w workdir p publish l label u user network net m memory cpus restart hostname h platform add-host shm-size stop-timeout log-driver log-opt ulimit pull expose dns cpu-shares gpus stop-signal',
    remote: 'entrypoint health-cmd',
    read: 'env-file',
    mount: 'v volume mount',
    never:
      'pid ipc userns cap-add security-opt device volumes-from cgroupns cgroup-parent uts sysctl runtime cidfile label-file group-add',
  },
  operands: ['text', 'remote'],
}

const BUILD: ProgramSpec = {
  flags: '*',
  values: {
    text: 't tag build-arg target platform label progress cache-from cache-to network',
    read: 'f file',
    write: 'o output iidfile metadata-file',
    never: 'secret ssh allow',
  },
  operands: ['list'],
  network: true,
  exact: true,
}

const CONTAINERS: ProgramSpec = {
  flags: 'D debug v version',
  values: { text: 'l log-level c context', never: 'H host config tlscacert tlscert tlskey url connection identity' },
  stops: true,
  exact: true,
  open: true,
  network: true,
  subcommands: {
    ...alike('run create', CONTAINER),
    container: { subcommands: alike('run create', CONTAINER), open: true },
    exec: { ...CONTAINER, stops: true },
    build: BUILD,
    cp: { flags: 'a L q', operands: ['tree', 'write'] },
    ...alike('save export', { values: { write: 'o output' }, operands: ['text'] }),
    ...alike('load import', { flags: 'q', values: { read: 'i input' }, operands: ['read', 'text'] }),
    plugin: { operands: ['never'], alone: 'never' },
    ...alike('swarm service stack trust', { operands: ['never'] }),
    buildx: { open: true, flags: '', subcommands: { build: BUILD } },
    context: { subcommands: { ls: { open: true }, show: { open: true } } },
    compose: {
      flags: '*',
      values: { read: 'f file env-file', tree: 'project-directory', text: 'p project-name profile' },
      operands: ['text'],
      network: true,
      open: true,
      subcommands: alike('run exec create', {
        ...CONTAINER,
        flags: `${CONTAINER.flags ?? ''} T no-deps service-ports use-aliases build remove-orphans no-TTY`,
      }),
    },
  },
}

/** Command lines of clusters and clouds: what hands out credentials or takes others needs the owner. */
const CLUSTER: ProgramSpec = {
  flags: '*',
  values: {
    tree: 'chdir',
    text: 'n namespace o output l selector c container',
    write: 'state state-out out d destination',
    never: 's kubeconfig token plugin-dir as as-group server certificate-authority client-key client-certificate',
    read: 'f filename var-file',
  },
  exact: true,
  network: true,
  words: true,
  open: true,
  operands: ['text'],
  subcommands: {
    ...alike('edit proxy plugin console', { operands: ['never'], alone: 'never' }),
    cp: { flags: '*', values: { text: 'n namespace c container' }, operands: ['tree', 'write'] },
    ...alike('exec run debug', {
      flags: '*',
      values: { text: 'n namespace c container image l labels env port', read: 'f filename' },
      operands: ['text', 'remote'],
    }),
    config: {
      open: true,
      flags: '*',
      acts: { never: 'raw' },
      subcommands: {
        ...alike('set set-credentials', { operands: ['never'] }),
        view: { flags: '*', acts: { never: 'raw' } },
      },
    },
    ...alike('install upgrade template', {
      flags: '*',
      values: { program: 'post-renderer', read: 'f values set-file', text: 'n namespace set version' },
      words: true,
      operands: ['text', 'read'],
    }),
  },
  hyphen: true,
}

export const FILES: Readonly<Record<string, ProgramSpec>> = {
  ...alike('test [ true false :', { verbatim: true, operands: ['text'] }),
  ...alike(
    'echo printf type help seq sleep basename dirname hostname uname uptime arch id groups nproc df free tty cal which whereis expr apropos whatis kill',
    { verbatim: true, operands: ['text'] },
  ),
  sort: {
    flags:
      'b d f g i M h n R r V c C m s u z ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse version-sort merge stable unique zero-terminated debug',
    acts: COMMON,
    values: {
      text: 'k S t batch-size key buffer-size field-separator parallel',
      spill: 'o output T temporary-directory',
      program: 'compress-program',
      read: 'files0-from random-source',
    },
    optional: { text: 'check sort' },
    operands: ['read'],
  },
  uniq: {
    flags: 'c d D i u z count repeated unique ignore-case zero-terminated',
    acts: COMMON,
    values: { text: 'f s w skip-fields skip-chars check-chars' },
    optional: { text: 'all-repeated group' },
    numbers: true,
    operands: ['read', 'write'],
    tolerant: true,
  },
  cut: {
    flags: 'n s z complement only-delimited zero-terminated',
    acts: COMMON,
    values: { text: 'b c d f bytes characters delimiter fields output-delimiter' },
    operands: ['read'],
    tolerant: true,
  },
  tr: {
    flags: 'c C d s t complement delete squeeze-repeats truncate-set1',
    acts: COMMON,
    operands: ['text'],
    tolerant: true,
  },
  ...alike(
    'nl tac rev fold fmt expand unexpand paste join comm column cksum md5sum sha1sum sha256sum sha512sum b2sum base64 od hexdump strings',
    {
      flags:
        'a b d e f h i l n p r s t u v w z A B C D E N R S T V X 0 1 2 3 decode ignore-garbage check binary text quiet status strict warn zero ignore-missing tag serial show-control-chars',
      values: { read: 'c j o' },
      acts: COMMON,
      operands: ['read'],
    },
  ),
  xxd: {
    flags: 'a b C e E i p ps r u plain postscript revert',
    values: { text: 'c cols g len l n name o s seek' },
    hyphen: true,
    operands: ['read', 'write'],
  },
  ...alike('diff cmp', {
    flags:
      'q s c u e n y l a b B d E h i I N p r R t T w W Z H brief report-identical-files unified context ed rcs side-by-side left-column suppress-common-lines show-c-function recursive new-file ignore-case ignore-all-space ignore-space-change ignore-blank-lines ignore-trailing-space text minimal color no-dereference strip-trailing-cr verbose print-bytes',
    recursive: 'r recursive',
    values: { text: 'U C x L F S label exclude width tabsize horizon-lines', read: 'X exclude-from from-file to-file' },
    optional: { text: 'unified context color' },
    operands: ['read'],
    numbers: true,
    tolerant: true,
  }),
  tee: {
    flags: 'a i p append ignore-interrupts',
    optional: { text: 'output-error' },
    acts: COMMON,
    operands: ['write'],
  },
  ...alike('touch mkdir', {
    flags: 'a c f h m p v Z no-create no-dereference parents verbose',
    acts: COMMON,
    values: { text: 'd t m date time mode', list: 'r reference' },
    optional: { text: 'context' },
    operands: ['write'],
  }),
  ...alike('rm rmdir shred unlink', {
    flags:
      'f i I r R d v p u z x force recursive dir verbose one-file-system no-preserve-root parents ignore-fail-on-non-empty zero exact remove',
    acts: COMMON,
    values: { text: 'n s iterations size' },
    optional: { text: 'interactive preserve-root' },
    operands: ['write'],
  }),
  ...alike('cp mv ln install link', {
    into: true,
    flags:
      'a d f H i L l n P p R r s T u v x b D F c C Z archive copy-contents force interactive link dereference no-clobber no-dereference recursive symbolic-link strip-trailing-slashes no-target-directory update verbose one-file-system symbolic relative physical logical directory parents preserve-timestamps strip compare debug',
    acts: COMMON,
    values: { text: 'S suffix m mode o owner g group', write: 't target-directory', never: 'strip-program' },
    optional: { text: 'backup preserve no-preserve reflink sparse update context' },
    // What is linked to or moved away can be read and written from its new place.
    operands: ['write'],
  }),
  ...alike('chmod chown chgrp', {
    flags:
      'c f v R h H L P changes silent quiet verbose recursive no-preserve-root preserve-root dereference no-dereference',
    acts: COMMON,
    values: { list: 'reference', text: 'from' },
    operands: ['text', 'write'],
  }),
  truncate: { flags: 'c o no-create io-blocks', values: { text: 's size', list: 'r reference' }, operands: ['write'] },
  split: {
    flags: 'd x e u z numeric-suffixes hex-suffixes elide-empty-files unbuffered verbose',
    acts: COMMON,
    values: {
      text: 'a b C l n t suffix-length additional-suffix bytes line-bytes lines number separator',
      shell: 'filter',
    },
    operands: ['read', 'write'],
    numbers: true,
  },
  ...alike('sed gsed', {
    flags:
      'n E r s u z quiet silent regexp-extended separate unbuffered null-data zero-terminated posix debug sandbox follow-symlinks',
    acts: COMMON,
    values: { code: 'e expression', text: 'l line-length', never: 'f file' },
    optional: { write: 'i in-place' },
    changes: 'i in-place',
    replaces: 'e f expression file',
    operands: ['code', 'read'],
  }),
  ...alike('awk gawk mawk nawk', {
    flags: 'b c C g h M n N O P r s S t V posix sandbox traditional re-interval characters-as-bytes',
    values: { text: 'F v field-separator assign', code: 'e source', never: 'f file E exec i include l load o D d p' },
    replaces: 'f e file source',
    operands: ['code', 'read'],
    stops: true,
  }),
  jq: {
    exact: true,
    flags:
      'r c n s S e j a C M R h V raw-output compact-output null-input slurp sort-keys exit-status join-output raw-output0 ascii-output color-output monochrome-output raw-input tab stream stream-errors seq unbuffered help version args jsonargs',
    pairs: { text: 'arg argjson', read: 'slurpfile rawfile' },
    values: { text: 'indent', script: 'f from-file L' },
    replaces: 'f from-file',
    operands: ['code', 'read'],
    tolerant: true,
  },
  ...alike('tar bsdtar', {
    style: 'tar',
    operands: ['tree'],
    flags:
      'c x t r u d v z j J a k m p s S w W h l L M n O U Z 0 1 2 3 4 5 6 7 8 9 create extract get list append update diff compare delete concatenate catenate verbose gzip gunzip ungzip bzip2 xz lzma lzip lzop zstd compress uncompress auto-compress no-auto-compress keep-old-files keep-newer-files skip-old-files overwrite unlink-first recursive-unlink touch preserve-permissions same-permissions no-same-permissions same-owner no-same-owner preserve-order same-order sparse interactive confirmation verify dereference hard-dereference multi-volume to-stdout no-recursion recursion one-file-system totals wildcards no-wildcards anchored no-anchored ignore-case no-ignore-case exclude-vcs exclude-vcs-ignores exclude-backups exclude-caches numeric-owner show-defaults show-transformed-names show-stored-names utc full-time block-number check-links ignore-zeros ignore-failed-read remove-files null no-null verbatim-files-from no-unquote delay-directory-restore acls xattrs selinux posix warning quote-chars',
    acts: { never: 'P absolute-names unlink', ...COMMON },
    values: {
      text: 'b N H exclude strip-components mtime owner group mode newer newer-mtime after-date format label V sort blocking-factor record-size level tape-length owner-map group-map suffix pax-option quoting-style occurrences hole-detection starting-file K',
      write: 'f file C directory one-top-level index-file g listed-incremental',
      never: 'T files-from transform xform',
      read: 'X exclude-from add-file',
      program:
        'I use-compress-program to-command checkpoint-action rsh-command rmt-command info-script new-volume-script F',
    },
    optional: { text: 'checkpoint occurrence backup totals atime-preserve' },
  }),
  ...alike('zip', {
    flags: 'r R q v j m u f d D e F g i k l ll n o S s X y z 0 1 2 3 4 5 6 7 8 9 recurse-paths quiet junk-paths',
    values: { text: 'i x b t exclude include', program: 'TT unzip-command', never: 'P' },
    acts: { never: 'T test' },
    hyphen: true,
    recursive: 'r R recurse-paths',
    operands: ['write', 'read'],
  }),
  ...alike('unzip', {
    flags: 'l v t n o q j p z C a b L u f Z1 qq',
    values: { write: 'd', text: 'x', never: 'P' },
    operands: ['read', 'text'],
  }),
  ...alike('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd', {
    edits: 'c stdout t test l list',
    flags:
      'c d f h k l L n N q r t v 0 1 2 3 4 5 6 7 8 9 stdout decompress force keep list quiet test verbose best fast recursive',
    recursive: 'r',
    values: { text: 'S T threads' },
    operands: ['read'],
  }),
  ...alike('zcat bzcat xzcat zstdcat', {
    flags:
      'c d f h k l L n N q r t v 0 1 2 3 4 5 6 7 8 9 stdout decompress force keep list quiet test verbose best fast recursive',
    recursive: 'r',
    values: { text: 'S T threads' },
    operands: ['read'],
  }),
  ...alike('rg', {
    flags:
      'a c F H h I i l L n N o p P q s S u U uu uuu v w x y . hidden no-ignore no-ignore-vcs files files-with-matches files-without-match count count-matches fixed-strings ignore-case smart-case line-number no-line-number with-filename no-filename only-matching pcre2 quiet invert-match word-regexp multiline heading no-heading pretty vimgrep json stats trim null follow text column passthru no-messages type-list debug',
    acts: { never: 'z search-zip' },
    values: {
      text: 'A B C e E g j m M r t T d regexp glob iglob type type-not max-count max-depth max-columns context after-context before-context replace color colors sort sortr threads encoding max-filesize path-separator',
      read: 'f file ignore-file',
      program: 'pre hostname-bin pre-glob',
    },
    optional: { text: 'color' },
    replaces: 'e f regexp file files type-list',
    operands: ['text', 'tree'],
    tolerant: true,
  }),
  ...alike('fd fdfind', {
    flags:
      'H I u s i g F a l L p 0 1 q hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob fixed-strings absolute-path list-details follow full-path print0 quiet prune one-file-system',
    values: {
      text: 'd t e S E o j max-depth min-depth exact-depth type extension size exclude owner threads color changed-within changed-before max-results',
      list: 'base-directory search-path',
      program: 'x X exec exec-batch',
      read: 'ignore-file',
    },
    operands: ['text', 'list'],
  }),
  ...alike('less more most', {
    signs: '+',
    flags: 'a B c C d e E f F g G i I J m M n N q Q r R s S u U w W X',
    values: { text: 'b h j p P x y z', never: 'k K o O t T D' },
    operands: ['read'],
    acts: { never: 'lesskey-file log-file LOG-FILE tag-file' },
  }),
  man: {
    flags: 'a f k K w W i I c u',
    values: { text: 's S L', read: 'l local-file', never: 'P H C M m T p' },
    operands: ['read'],
    words: true,
    acts: { never: 'html' },
  },
  ...alike('ed ex', { signs: '+', flags: 's v n R E', values: { code: 'c cmd' }, operands: ['write'], input: 'code' }),
  ...alike('vi vim nvim view nano emacs', {
    signs: '+',
    flags: 'R n N',
    values: { code: 'c cmd', never: 'S s u U i W w' },
    operands: ['write'],
    input: 'code',
  }),
  sqlite3: {
    hyphen: true,
    flags: 'readonly header noheader csv json column line list table markdown box html quote tabs bail batch version',
    values: { code: 'cmd', script: 'init', text: 'separator nullvalue' },
    operands: ['write', 'code'],
    exact: true,
    input: 'shell',
  },
  psql: {
    flags: '*',
    values: {
      code: 'c command',
      script: 'f file',
      text: 'd U h p dbname username host port v F R',
      write: 'o output L log-file',
    },
    operands: ['text'],
    input: 'shell',
    network: true,
  },
  rsync: {
    into: true,
    flags:
      'a v r l p t g o D z h n u P q c d H A X S W x i 4 6 archive verbose recursive links perms times compress human-readable dry-run update progress delete delete-after delete-before stats quiet checksum itemize-changes partial existing ignore-existing size-only numeric-ids safe-links copy-links',
    network: true,
    values: {
      text: 'exclude include filter max-size min-size bwlimit chmod f',
      program: 'e rsh rsync-path',
      never: 'config password-file files-from T temp-dir log-file daemon remote-option M',
      read: 'exclude-from include-from',
    },
    operands: ['write'],
  },
  ...alike('cd pushd', { flags: 'L P e n @', operands: ['enter'], tolerant: true }),
  ...alike('ps top', {
    flags: 'b c i S A a d e f F l L j M T u x w y H no-headers forest',
    operands: ['setting'],
    tolerant: true,
    values: { text: 'n C g G o O p q s t U sort format columns pid ppid user' },
  }),
  ...alike('docker podman', CONTAINERS),
  ...alike('kubectl terraform helm', CLUSTER),
  openssl: { subcommands: { version: { open: true }, rand: { flags: 'hex base64' } } },
}
