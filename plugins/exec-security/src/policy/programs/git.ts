// git: its subcommands with their options; what starts programs, writes elsewhere or changes later runs is marked.
import type { Options, ProgramSpec } from './program-spec.js'
import { cutArg, type Arg } from '../words.js'

/** Options of everything that shows differences. */
const DIFF: ProgramSpec = {
  flags: `p patch u s no-patch raw patch-with-raw patch-with-stat numstat shortstat cumulative check summary name-only name-status compact-summary binary full-index z no-prefix D
    irreversible-delete find-copies-harder no-renames rename-empty no-rename-empty follow no-follow minimal w ignore-all-space b ignore-space-change ignore-space-at-eol ignore-cr-at-eol
    ignore-blank-lines indent-heuristic no-indent-heuristic patience histogram a text R exit-code quiet q no-ext-diff no-textconv ita-invisible-in-index ita-visible-in-index pickaxe-all
    pickaxe-regex W function-context cached staged merge-base no-color no-color-moved no-relative no-stat no-notes c cc m no-abbrev 0 1 2 3 ours theirs base`,
  acts: { never: 'ext-diff textconv' },
  values: {
    text: `stat-width stat-name-width stat-graph-width stat-count ws-error-highlight src-prefix dst-prefix line-prefix inter-hunk-context output-indicator-new output-indicator-old
      output-indicator-context l I ignore-matching-lines diff-algorithm anchored word-diff-regex color-moved-ws S G rotate-to skip-to find-object diff-filter L diff-merges`,
    read: 'O',
    spill: 'output',
  },
  optional: {
    text: 'U unified X dirstat dirstat-by-file stat color abbrev B break-rewrites M find-renames C find-copies word-diff color-words color-moved relative ignore-submodules submodule notes',
  },
  recursive: 'no-index',
  operands: ['read'],
  words: true,
  tolerant: true,
  numbers: true,
}

const REVISIONS: ProgramSpec = {
  flags: `oneline graph all reverse no-merges merges merge first-parent topo-order date-order author-date-order name-only no-decorate left-right left-only right-only cherry-pick
    cherry-mark cherry boundary simplify-merges simplify-by-decoration full-history dense sparse show-pulls do-walk abbrev-commit no-abbrev-commit parents children
    show-signature relative-date source use-mailmap mailmap no-mailmap clear-decorations walk-reflogs g i regexp-ignore-case E extended-regexp F fixed-strings P perl-regexp all-match
    invert-grep log-size remove-empty full-diff expand-tabs no-expand-tabs stdin t no-min-parents no-max-parents quiet q no-graph basic-regexp bisect reflog v
    ignore-missing count objects objects-edge unpacked header object-names no-object-names timestamp use-bitmap-index in-commit-order`,
  values: {
    text: `n max-count skip since after until before author committer grep format encoding date decorate-refs decorate-refs-exclude min-parents max-parents since-as-filter
      exclude glob max-age min-age grep-reflog show-notes filter exclude-hidden`,
  },
  optional: { text: 'pretty decorate branches tags remotes ancestry-path no-walk show-linear-break expand-tabs' },
}

function merged(...tables: readonly ProgramSpec[]): ProgramSpec {
  const join = (key: 'flags'): string => tables.map((table) => table[key] ?? '').join(' ')
  const both = (key: 'acts' | 'values' | 'optional'): Options => {
    const all: Options = {}
    for (const table of tables)
      for (const [effect, list] of Object.entries(table[key] ?? {}))
        all[effect as keyof Options] = `${all[effect as keyof Options] ?? ''} ${list}`
    return all
  }
  return {
    ...(Object.assign({}, ...tables) as ProgramSpec),
    flags: join('flags'),
    acts: both('acts'),
    values: both('values'),
    optional: both('optional'),
  }
}

const files = (table: ProgramSpec): ProgramSpec => ({ operands: ['read'], words: true, tolerant: true, ...table })
const plain = (table: ProgramSpec): ProgramSpec => ({ tolerant: true, ...table })
const LOG = merged(REVISIONS, DIFF, { operands: ['read'], words: true, tolerant: true, numbers: true })
const REMOTE: ProgramSpec = {
  flags: 'v verbose q quiet progress no-progress 4 ipv4 6 ipv6 n dry-run tags no-tags',
  network: true,
}

/** A list of the words that a subcommand may begin with. */
const verbs = (list: string, table: ProgramSpec = {}): Record<string, ProgramSpec> =>
  Object.fromEntries(list.split(' ').map((name) => [name, { open: true, ...table }]))

/** Subcommands that change the files that they name. */
const EDITS =
  'checkout cherry-pick clean clone init merge mv pull rebase reset restore revert rm stash submodule switch worktree'

const COMMANDS: ProgramSpec = {
  flags:
    'p paginate P no-pager no-replace-objects no-lazy-fetch no-optional-locks no-advice bare literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs html-path man-path info-path',
  acts: { query: 'v version help h' },
  values: {
    setting: 'c',
    tree: 'C',
    text: 'namespace',
    never: 'config-env exec-path git-dir work-tree super-prefix attr-source list-cmds',
  },
  stops: true,
  exact: true,
  subcommands: {
    add: files({
      flags:
        'n dry-run v verbose p patch f force u update renormalize N intent-to-add A all no-all ignore-removal refresh ignore-errors ignore-missing sparse pathspec-file-nul',
      acts: { never: 'i interactive e edit' },
      values: { text: 'chmod', read: 'pathspec-from-file' },
    }),
    am: files({
      flags:
        '3 3way q quiet s signoff u utf8 k keep keep-non-patch m message-id keep-cr no-keep-cr c scissors ignore-space-change ignore-whitespace reject continue r resolved skip abort quit allow-empty committer-date-is-author-date ignore-date',
      values: { text: 'quoted-cr whitespace exclude include C p patch-format empty', write: 'directory' },
      optional: { text: 'show-current-patch' },
      acts: { never: 'i interactive S gpg-sign' },
    }),
    apply: files({
      flags:
        'stat numstat summary check index N intent-to-add cached apply 3 3way z ignore-space-change ignore-whitespace R reverse unidiff-zero reject allow-overlap v verbose q quiet inaccurate-eof recount allow-empty',
      acts: { never: 'unsafe-paths' },
      values: { text: 'exclude include p C whitespace', write: 'directory build-fake-ancestor' },
    }),
    archive: files({
      flags: 'worktree-attributes v verbose l list 0 1 2 3 4 5 6 7 8 9',
      values: {
        text: 'format prefix add-virtual-file mtime',
        spill: 'o output',
        read: 'add-file',
        never: 'remote exec',
      },
    }),
    bisect: {
      flags: '',
      operands: ['text'],
      stops: true,
      subcommands: {
        run: { verbatim: true, operands: ['program'] },
        ...verbs('visualize view', { open: false, operands: ['never'] }),
        ...verbs('start bad good new old terms skip reset replay log help', {
          flags: 'no-checkout first-parent',
          values: { text: 'term-new term-old term-good term-bad' },
        }),
      },
    },
    ...Object.fromEntries(
      ['blame', 'annotate'].map((name) => [
        name,
        files({
          flags:
            'incremental b root show-stats progress score-debug f show-name n show-number p porcelain line-porcelain c t l s e show-email w color-lines color-by-age minimal',
          values: { text: 'ignore-rev L date', read: 'ignore-revs-file S contents' },
          optional: { text: 'C M abbrev' },
        }),
      ]),
    ),
    branch: plain({
      flags:
        'v verbose q quiet unset-upstream r remotes a all d delete D m move M c copy C l list show-current create-reflog f force i ignore-case recurse-submodules no-track no-color no-column no-abbrev',
      acts: { never: 'edit-description' },
      values: { text: 'u set-upstream-to contains no-contains sort points-at format' },
      optional: { text: 't track color abbrev column merged no-merged' },
    }),
    checkout: files({
      flags:
        'l guess no-guess overlay no-overlay q quiet progress no-progress m merge d detach f force overwrite-ignore ignore-other-worktrees 2 ours 3 theirs p patch ignore-skip-worktree-bits pathspec-file-nul no-track',
      values: { text: 'b B conflict orphan', read: 'pathspec-from-file' },
      optional: { text: 'recurse-submodules t track' },
      operands: ['write'],
    }),
    'cherry-pick': plain({
      flags:
        'quit continue abort skip n no-commit e edit no-edit s signoff rerere-autoupdate x ff allow-empty allow-empty-message keep-redundant-commits',
      values: { text: 'cleanup m mainline X strategy-option strategy' },
      optional: { never: 'S gpg-sign' },
    }),
    clean: files({
      flags: 'q quiet n dry-run f force d x X',
      acts: { never: 'i interactive' },
      values: { text: 'e exclude' },
    }),
    clone: {
      network: true,
      flags:
        'v verbose q quiet progress no-progress reject-shallow n no-checkout bare mirror l local no-local no-hardlinks s shared dissociate single-branch no-single-branch no-tags tags shallow-submodules 4 ipv4 6 ipv6 also-filter-submodules remote-submodules sparse',
      values: {
        text: 'j jobs o origin b branch depth shallow-since shallow-exclude server-option filter revision',
        setting: 'c config',
        program: 'u upload-pack',
        never: 'template separate-git-dir bundle-uri',
        read: 'reference reference-if-able',
      },
      optional: { text: 'recurse-submodules recursive' },
      operands: ['address', 'write'],
    },
    commit: files({
      flags:
        'q quiet v verbose reset-author s signoff no-signoff e edit no-edit status no-status a all i include p patch o only n no-verify verify dry-run short branch ahead-behind no-ahead-behind porcelain long z null amend no-post-rewrite pathspec-file-nul allow-empty allow-empty-message no-gpg-sign',
      acts: { never: 'interactive' },
      values: {
        text: 'author date m message c reedit-message C reuse-message fixup squash trailer cleanup',
        read: 'F file t template pathspec-from-file',
      },
      optional: { text: 'u untracked-files S gpg-sign' },
    }),
    // The key is looked at by itself: some are run, some hold secrets.
    config: {
      flags:
        'global system local worktree get get-all get-regexp get-urlmatch replace-all add unset unset-all rename-section remove-section l list fixed-value get-color get-colorbool bool int bool-or-int bool-or-str path expiry-date z null name-only includes no-includes show-origin show-scope all regexp show-names',
      acts: { never: 'e edit' },
      values: { text: 't type default value', never: 'f file blob' },
      operands: ['text'],
    },
    describe: plain({
      flags: 'contains debug all tags long first-parent exact-match always no-dirty',
      values: { text: 'candidates match exclude' },
      optional: { text: 'abbrev dirty broken' },
    }),
    diff: DIFF,
    'diff-tree': merged(DIFF, REVISIONS, { operands: ['read'], flags: 'r t root', tolerant: true }),
    'diff-index': DIFF,
    'diff-files': DIFF,
    fetch: merged(REMOTE, {
      flags:
        'all set-upstream a append atomic f force m multiple t prefetch p prune P prune-tags write-fetch-head k keep u update-head-ok unshallow refetch update-shallow negotiate-only auto-maintenance auto-gc no-auto-gc show-forced-updates write-commit-graph stdin porcelain',
      values: {
        text: 'j jobs depth shallow-since shallow-exclude deepen refmap o server-option negotiation-tip filter',
        program: 'upload-pack',
      },
      optional: { text: 'recurse-submodules' },
      operands: ['address', 'text'],
    }),
    'format-patch': merged(REVISIONS, DIFF, {
      flags:
        'N no-numbered numbered s signoff stdout cover-letter no-cover-letter numbered-files rfc k keep-subject no-binary zero-commit ignore-if-in-upstream no-stat progress force-in-body-from no-attach no-thread no-signature',
      values: {
        text: 'suffix start-number reroll-count filename-max-length cover-from-description subject-prefix add-header to cc in-reply-to signature base interdiff range-diff creation-factor',
        spill: 'o output-directory',
        read: 'signature-file',
      },
      optional: { text: 'from attach inline thread' },
      operands: ['text'],
    }),
    gc: plain({
      flags: 'q quiet cruft no-cruft aggressive auto force keep-largest-pack no-prune',
      optional: { text: 'prune' },
    }),
    grep: files({
      flags:
        'cached untracked no-exclude-standard exclude-standard recurse-submodules v invert-match i ignore-case w word-regexp a text I r recursive no-recursive E extended-regexp G basic-regexp F fixed-strings P perl-regexp n line-number column h H full-name l files-with-matches name-only L files-without-match z null o only-matching c count break heading p show-function W function-context and or not q quiet all-match',
      acts: { never: 'no-index textconv ext-grep' },
      values: { text: 'max-depth C context B before-context A after-context threads e m max-count', read: 'f' },
      optional: { text: 'color', program: 'O open-files-in-pager' },
      replaces: 'e f',
      operands: ['text', 'read'],
      numbers: true,
    }),
    init: {
      flags: 'bare q quiet',
      values: { text: 'b initial-branch object-format', never: 'template separate-git-dir' },
      optional: { text: 'shared' },
      operands: ['write'],
    },
    log: LOG,
    show: LOG,
    whatchanged: LOG,
    'rev-list': LOG,
    reflog: { flags: '', tolerant: true, ...LOG, operands: ['text'] },
    shortlog: merged(REVISIONS, {
      flags: 'c committer numbered s summary e email',
      values: { text: 'group' },
      optional: { text: 'w n' },
      operands: ['text'],
      tolerant: true,
    }),
    'ls-files': files({
      flags:
        'z t v f c cached d deleted m modified o others i ignored s stage k killed directory no-empty-directory empty-directory eol u unmerged resolve-undo exclude-standard full-name recurse-submodules error-unmatch debug deduplicate sparse',
      values: { text: 'x exclude with-tree format', read: 'X exclude-from exclude-per-directory' },
      optional: { text: 'abbrev' },
      operands: ['list'],
    }),
    'ls-remote': merged(REMOTE, {
      flags: 't h heads refs get-url exit-code symref',
      values: { text: 'sort o server-option', program: 'upload-pack exec' },
      operands: ['address', 'text'],
    }),
    'ls-tree': files({
      flags: 'd r t z l long name-only name-status object-only full-name full-tree',
      values: { text: 'format' },
      optional: { text: 'abbrev' },
      operands: ['list'],
    }),
    merge: plain({
      flags:
        'n stat no-stat summary squash no-squash commit no-commit e edit no-edit ff no-ff ff-only rerere-autoupdate verify-signatures v verbose q quiet abort quit continue allow-unrelated-histories progress no-progress autostash no-autostash overwrite-ignore signoff no-verify',
      values: { text: 'cleanup s strategy X strategy-option m message into-name', read: 'F file' },
      optional: { text: 'log', never: 'S gpg-sign' },
    }),
    'merge-base': plain({ flags: 'a all octopus independent is-ancestor fork-point' }),
    mv: files({ flags: 'v verbose n dry-run f force k sparse', operands: ['write'] }),
    pull: merged(REMOTE, {
      flags:
        'stat no-stat squash no-squash commit no-commit edit no-edit ff no-ff ff-only verify no-verify verify-signatures autostash no-autostash allow-unrelated-histories all a append f force t p prune k keep unshallow update-shallow show-forced-updates set-upstream no-rebase no-recurse-submodules',
      values: {
        text: 'cleanup s strategy X strategy-option depth shallow-since shallow-exclude deepen refmap o server-option negotiation-tip',
        program: 'upload-pack',
      },
      optional: { text: 'recurse-submodules r rebase log signoff j jobs', never: 'S gpg-sign' },
      operands: ['address', 'text'],
    }),
    push: merged(REMOTE, {
      flags:
        'all branches mirror d delete porcelain f force force-if-includes no-force-if-includes thin no-thin u set-upstream prune no-verify follow-tags no-follow-tags atomic no-atomic',
      values: { text: 'recurse-submodules o push-option', address: 'repo', program: 'receive-pack exec' },
      optional: { text: 'force-with-lease no-force-with-lease signed' },
      operands: ['address', 'text'],
    }),
    rebase: plain({
      flags:
        'keep-base no-verify verify q quiet v verbose n no-stat stat signoff committer-date-is-author-date reset-author-date ignore-whitespace f force-rebase no-ff continue skip abort quit show-current-patch apply m merge i interactive rerere-autoupdate autosquash no-autosquash update-refs no-update-refs autostash no-autostash fork-point no-fork-point root reschedule-failed-exec reapply-cherry-picks no-keep-empty keep-empty',
      acts: { never: 'edit-todo' },
      values: { text: 'onto C whitespace empty s strategy X strategy-option', program: 'x exec' },
      optional: { text: 'r rebase-merges', never: 'S gpg-sign' },
    }),
    reset: files({
      flags: 'q quiet no-quiet no-refresh refresh mixed soft hard merge keep p patch N intent-to-add pathspec-file-nul',
      values: { read: 'pathspec-from-file' },
      optional: { text: 'recurse-submodules' },
    }),
    restore: files({
      flags:
        'S staged W worktree ignore-unmerged overlay no-overlay q quiet progress m merge 2 ours 3 theirs p patch ignore-skip-worktree-bits pathspec-file-nul',
      values: { text: 's source conflict', read: 'pathspec-from-file' },
      optional: { text: 'recurse-submodules' },
      operands: ['write'],
    }),
    revert: plain({
      flags: 'quit continue abort skip n no-commit e edit no-edit s signoff rerere-autoupdate reference',
      values: { text: 'cleanup m mainline X strategy-option strategy' },
      optional: { never: 'S gpg-sign' },
    }),
    rm: files({
      flags: 'n dry-run q quiet cached f force r ignore-unmatch sparse pathspec-file-nul',
      values: { read: 'pathspec-from-file' },
      operands: ['list'],
    }),
    stash: {
      flags: 'k keep-index no-keep-index S staged p patch q quiet u include-untracked a all',
      values: { text: 'm message' },
      tolerant: true,
      subcommands: {
        push: files({
          flags:
            'k keep-index no-keep-index S staged p patch q quiet u include-untracked a all no-include-untracked pathspec-file-nul',
          values: { text: 'm message', read: 'pathspec-from-file' },
        }),
        ...verbs('pop apply branch clear drop create store list', {
          flags: 'index q quiet oneline',
          values: { text: 'm message' },
        }),
        show: merged(DIFF, { flags: 'u include-untracked only-untracked' }),
        save: plain({ flags: 'k u a q p S', open: true }),
      },
    },
    status: files({
      flags:
        'v verbose s short b branch show-stash ahead-behind no-ahead-behind long z null no-renames renames no-column',
      optional: { text: 'porcelain u untracked-files ignored ignore-submodules column M find-renames' },
      operands: ['list'],
    }),
    submodule: {
      flags: 'quiet q cached',
      network: true,
      subcommands: {
        ...verbs('status init sync deinit summary absorbgitdirs', {
          flags: 'recursive all f force cached q files',
          values: { text: 'n summary-limit' },
        }),
        update: plain({
          flags:
            'init remote N no-fetch f force recursive progress merge rebase checkout no-recommend-shallow recommend-shallow no-single-branch single-branch q',
          values: { text: 'depth j jobs filter reference' },
        }),
        add: plain({
          flags: 'f force q quiet',
          values: { text: 'b branch name depth reference' },
          operands: ['address', 'write'],
        }),
        'set-branch': plain({ flags: 'd default', values: { text: 'b branch' } }),
        'set-url': { operands: ['write', 'address'] },
        // Each submodule runs it in a shell.
        foreach: { flags: 'recursive q quiet', stops: true, operands: ['program'] },
      },
    },
    switch: plain({
      flags:
        'guess no-guess discard-changes q quiet progress no-progress m merge d detach f force overwrite-ignore ignore-other-worktrees no-track',
      values: { text: 'c create C force-create conflict orphan' },
      optional: { text: 'recurse-submodules t track' },
    }),
    tag: plain({
      flags: 'l list d delete a annotate f force create-reflog i ignore-case no-color no-column',
      acts: { never: 'v verify s sign' },
      values: {
        text: 'm message cleanup contains no-contains sort points-at format',
        read: 'F file',
        never: 'u local-user',
      },
      optional: { text: 'n column color merged no-merged' },
    }),
    worktree: {
      flags: '',
      subcommands: {
        ...verbs('list prune lock unlock repair', {
          flags: 'porcelain v verbose n dry-run z',
          values: { text: 'reason expire' },
        }),
        add: {
          flags: 'f force d detach checkout no-checkout lock q quiet track no-track guess-remote',
          values: { text: 'b B reason' },
          operands: ['write', 'text'],
        },
        move: { flags: 'f force', operands: ['write'] },
        remove: { flags: 'f force', operands: ['write'] },
      },
    },
    'cat-file': files({
      flags: 'e p t s z batch-all-objects buffer follow-symlinks unordered use-mailmap mailmap allow-unknown-type',
      acts: { never: 'textconv filters' },
      values: { read: 'path' },
      optional: { text: 'batch batch-check batch-command' },
    }),
    'check-ignore': files({ flags: 'q quiet v verbose stdin z n non-matching no-index', operands: ['list'] }),
    'check-attr': files({ flags: 'a all stdin z cached', operands: ['list'] }),
    'for-each-ref': plain({
      flags: 'ignore-case',
      values: { text: 'count format sort points-at contains no-contains exclude' },
      optional: { text: 'color merged no-merged' },
    }),
    fsck: plain({
      flags:
        'v verbose unreachable dangling no-dangling tags root cache reflogs no-reflogs full connectivity-only strict lost-found progress no-progress name-objects',
    }),
    'hash-object': files({
      flags: 'stdin no-filters literally w',
      acts: { never: 'stdin-paths' },
      values: { text: 't', read: 'path' },
    }),
    'name-rev': plain({ flags: 'name-only tags all stdin annotate-stdin always', values: { text: 'refs exclude' } }),
    notes: {
      flags: '',
      values: { text: 'ref' },
      subcommands: {
        ...verbs('list show remove prune get-ref copy merge', { flags: 'f force n v' }),
        add: plain({ flags: 'f force allow-empty', values: { text: 'm message C c reuse-message', read: 'F file' } }),
        append: plain({ flags: 'allow-empty', values: { text: 'm message', read: 'F file' } }),
      },
    },
    'range-diff': merged(DIFF, {
      flags: 'no-dual-color left-only right-only',
      values: { text: 'creation-factor' },
      operands: ['text'],
    }),
    remote: {
      flags: 'v verbose',
      network: true,
      subcommands: {
        ...verbs('show prune rename remove rm get-url set-head update set-branches', {
          flags: 'n dry-run all push a auto d delete p prune add',
        }),
        add: {
          flags: 'f fetch tags no-tags',
          values: { text: 't m' },
          optional: { text: 'mirror' },
          operands: ['text', 'address'],
        },
        'set-url': { flags: 'push add delete', operands: ['text', 'address'] },
      },
    },
    'rev-parse': plain({
      flags:
        'show-toplevel git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-cdup show-prefix verify q quiet symbolic all local-env-vars show-superproject-working-tree show-ref-format sq symbolic-full-name',
      values: { text: 'default prefix git-path' },
      optional: {
        text: 'short abbrev-ref branches tags remotes glob since until disambiguate show-object-format path-format exclude',
      },
    }),
    'show-ref': plain({
      flags: 'tags heads branches verify head d dereference q quiet',
      optional: { text: 's hash abbrev exclude-existing' },
    }),
    'show-branch': plain({
      flags:
        'a all r remotes list no-name current sha1-name merge-base independent topo-order topics sparse date-order',
      optional: { text: 'color more reflog g' },
    }),
    'sparse-checkout': {
      flags: '',
      subcommands: verbs('list init set add reapply disable', {
        flags: 'cone no-cone sparse-index no-sparse-index stdin',
      }),
    },
    'symbolic-ref': plain({ flags: 'q quiet d delete short no-recurse', values: { text: 'm' } }),
    'verify-commit': plain({ flags: 'v raw' }),
    var: plain({ flags: 'l' }),
    'count-objects': plain({ flags: 'v verbose H human-readable' }),
    cherry: plain({ flags: 'v verbose', optional: { text: 'abbrev' } }),
    help: plain({ flags: 'a all g guides c config', open: true }),
    version: plain({ flags: 'build-options' }),
    prune: plain({ flags: 'n dry-run v verbose progress', values: { text: 'expire' } }),
    repack: plain({ flags: 'a A d f F l n q' }),
    'update-index': files({
      flags:
        'q refresh really-refresh add remove force-remove assume-unchanged no-assume-unchanged skip-worktree no-skip-worktree',
      values: { text: 'chmod cacheinfo' },
    }),
    'update-ref': plain({ flags: 'd no-deref', values: { text: 'm' } }),
    'write-tree': plain({}),
    'commit-tree': plain({ values: { text: 'p m', read: 'F' } }),
    maintenance: { flags: '', subcommands: verbs('run', { flags: 'auto quiet', values: { text: 'task' } }) },
    rerere: plain({ open: true }),
    'merge-tree': plain({
      flags: 'write-tree z name-only messages no-messages allow-unrelated-histories',
      values: { text: 'merge-base' },
    }),
  },
}

export const GIT: ProgramSpec = {
  ...COMMANDS,
  subcommands: Object.fromEntries(
    Object.entries(COMMANDS.subcommands ?? {}).map(([name, table]) => [
      name,
      EDITS.split(' ').includes(name) ? { ...table, edits: '' } : table,
    ]),
  ),
}

/** The paths that a word names: one may stand behind a revision, and signs before it. */
export function trackedPaths(arg: Arg): readonly Arg[] {
  const signs = /^:(?:\([^)]*\)|[/!^]+)/.exec(arg.shape)?.[0].length ?? 0
  if (signs > 0) return [cutArg(arg, signs)]
  const colon = arg.shape.includes('://') ? -1 : arg.shape.indexOf(':')
  return colon < 0 ? [arg] : [arg, cutArg(arg, colon + 1)]
}
