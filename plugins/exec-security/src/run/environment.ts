import { anyOf } from '../policy/any-of.js'

/** Variables that a command needs to find its programs, its home and its language. */
const PASSES = /^(?:PATH|HOME|LANG|LC_[A-Z]+|TERM|TZ|TMPDIR|USER|SHELL)$/
/** Names that no list lets pass: the loader and the shell take code from them. */
const NEVER = anyOf(
  /^(?:LD_|DYLD_|BASH_|GLIBC_TUNABLES$|GCONV_PATH$|ENV$|SHELLOPTS$|BASHOPTS$|PS[0-4]$|PROMPT_COMMAND$|IFS$|MYNAH_)/,
  /^HTTP_TOKEN$/,
)

/**
 * Settings of git that no repository can change: it asks no questions and opens no editor, does not take plain files
 * for a repository, and starts no program to watch files. The owner of a file, who may be another one in each run, is
 * no sign that it has changed.
 */
const GIT: Readonly<Record<string, string>> = {
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
  GIT_CONFIG_KEY_2: 'core.checkStat',
  GIT_CONFIG_VALUE_2: 'minimal',
}

/**
 * Returns the environment of a command: listed names only.
 *
 * @param source the environment of the host
 * @param names further names that the owner lets pass
 * @param extra variables set by the caller
 */
export function commandEnvironment(
  source: NodeJS.ProcessEnv,
  names: readonly string[] = [],
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && (PASSES.test(name) || names.includes(name)) && !NEVER.test(name)) result[name] = value
  }
  return { EDITOR: 'true', VISUAL: 'true', ...result, ...GIT, PAGER: 'cat', ...extra }
}
