// The settings of git that commands may see: a list of what is harmless, since any key may hold a secret or a command.
import { names } from '../policy/programs/program-spec.js'
import { redactCommand } from '../redact-command.js'
import { parseGitSettings, type GitSetting } from './parse-git-settings.js'

/** Keys whose value is a switch, a number or a word. Neither programs nor paths nor addresses are among them. */
const WORDS = new Set(
  names(`
    core.abbrev core.autocrlf core.bigFileThreshold core.checkRoundtripEncoding core.checkStat core.commentChar
    core.commentString core.compression core.deltaBaseCacheLimit core.eol core.fileMode core.ignoreCase core.longPaths
    core.looseCompression core.packedGitLimit core.packedGitWindowSize core.precomposeUnicode core.preloadIndex
    core.protectHFS core.protectNTFS core.quotePath core.safecrlf core.symlinks core.trustctime core.untrackedCache
    core.warnAmbiguousRefs core.whitespace
    init.defaultBranch init.defaultObjectFormat init.defaultRefFormat
    pull.ff pull.rebase
    push.autoSetupRemote push.default push.followTags push.recurseSubmodules push.useForceIfIncludes
    merge.autoStash merge.branchdesc merge.conflictStyle merge.directoryRenames merge.ff merge.log merge.renameLimit
    merge.renames merge.stat merge.verbosity
    diff.algorithm diff.autoRefreshIndex diff.colorMoved diff.colorMovedWS diff.context diff.dirstat
    diff.ignoreSubmodules diff.indentHeuristic diff.interHunkContext diff.mnemonicPrefix diff.noPrefix diff.relative
    diff.renameLimit diff.renames diff.statGraphWidth diff.statNameWidth diff.submodule diff.suppressBlankEmpty
    diff.wsErrorHighlight
    branch.autoSetupMerge branch.autoSetupRebase branch.sort
    fetch.all fetch.fsckObjects fetch.negotiationAlgorithm fetch.output fetch.parallel fetch.prune fetch.pruneTags
    fetch.recurseSubmodules fetch.showForcedUpdates fetch.writeCommitGraph
    rebase.abbreviateCommands rebase.autoSquash rebase.autoStash rebase.backend rebase.forkPoint
    rebase.missingCommitsCheck rebase.rebaseMerges rebase.rescheduleFailedExec rebase.stat rebase.updateRefs
    log.abbrevCommit log.date log.decorate log.diffMerges log.follow log.graphColors log.initialDecorationSet
    log.mailmap log.showRoot
    status.aheadBehind status.branch status.displayCommentPrefix status.relativePaths status.renameLimit status.renames
    status.short status.showStash status.showUntrackedFiles status.submoduleSummary
    commit.cleanup commit.status commit.verbose
    tag.sort rerere.autoUpdate rerere.enabled help.autoCorrect versionsort.suffix
    grep.column grep.extendedRegexp grep.fallbackToNoIndex grep.fullName grep.lineNumber grep.patternType grep.threads
    blame.blankBoundary blame.coloring blame.date blame.markIgnoredLines blame.markUnblamableLines blame.showEmail
    blame.showRoot
    apply.ignoreWhitespace apply.whitespace am.keepcr am.messageId am.threeWay
    checkout.defaultRemote checkout.guess checkout.thresholdForParallelism checkout.workers
    clone.defaultRemoteName clone.rejectShallow
    feature.experimental feature.manyFiles gc.auto gc.autoDetach gc.autoPackLimit
    index.skipHash index.sparse index.threads index.version pack.threads pack.windowMemory
    stash.showIncludeUntracked stash.showPatch stash.showStat submodule.fetchJobs submodule.recurse
    i18n.commitEncoding i18n.logOutputEncoding interactive.singleKey protocol.version
    receive.fsckObjects transfer.fsckObjects safe.bareRepository worktree.guessRemote
  `).map((key) => key.toLowerCase()),
)
/** Sections of which every key is a switch or a color. */
const SECTIONS = /^(?:advice|color|column)$/
const WORD = /^[\w.,:+*%#= -]{0,100}$/

/** Keys with a text of their own, and what it looks like. */
const TEXTS: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^(?:user|author|committer)\.(?:name|email)$/, /^[^\n]{0,200}$/],
  // A command of git, and neither another program nor settings for one run.
  [/^alias\.[a-z\d-]+$/, /^[a-z][a-z-]*(?:[ \t](?!-c\b|--config-env)[^!\n\t ]*){0,50}$/],
  [/^(?:format\.pretty|pretty\.[a-z\d-]+)$/, /^[^\n]{0,500}$/],
  // Without it, git refuses repositories of other users.
  [/^safe\.directory$/, /^(?:\*|%?[\w./~+ -]{0,300})$/],
  // As `git lfs install` writes it.
  [/^filter\.lfs\.(?:clean|smudge|process)$/, /^git-lfs (?:clean -- %f|smudge -- %f|filter-process)$/],
  [/^filter\.lfs\.required$/, /^true$/],
  // Only between the usual ways to one host.
  [
    /^url\.https:\/\/[a-z\d.-]+\/\.(?:push)?insteadof$/i,
    /^(?:git@[\w.-]+:|(?:git|http|https):\/\/[\w.-]+\/|ssh:\/\/(?:git@)?[\w.-]+\/)$/,
  ],
]
/** An address with a name of its own, or with a password. */
const CREDENTIALS = /:\/\/(?!git@)[^/\s]*@/
/** Text as long and as mixed as that of a key. */
const KEY_LIKE = /(?=[\w+=-]{0,31}\d)(?=[\w+=-]{0,31}[a-z])[\w+=-]{32}/i
/** Longer values are no settings of a person. */
const MAX_VALUE = 1000
const PERSON = /^(?:user|author|committer)$/

/** Returns the settings of git that name no secret, no program and no file of the host. */
export function harmlessSettings(text: string): string {
  return parseGitSettings(text).filter(isHarmless).map(written).join('')
}

function isHarmless({ section, subsection, key, value = '' }: GitSetting): boolean {
  if (value.length > MAX_VALUE || CREDENTIALS.test(value) || redactCommand(value) !== value) return false
  // The address of a person may be as long.
  if (!PERSON.test(section) && KEY_LIKE.test(value)) return false
  const name = [section, subsection ?? [], key].flat().join('.')
  if (WORDS.has(name) || SECTIONS.test(section)) return WORD.test(value)
  return TEXTS.some(([keys, values]) => keys.test(name) && values.test(value))
}

function written({ section, subsection, key, value }: GitSetting): string {
  const header = subsection === undefined ? `[${section}]` : `[${section} "${subsection.replaceAll(/["\\]/g, '\\$&')}"]`
  return `${header}\n\t${key}${value === undefined ? '' : ` = ${quoted(value)}`}\n`
}

const quoted = (value: string): string =>
  `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b')}"`
