// The environment that a command is given: a list of names that may pass, and nothing else of the host's.

/** What a command needs to find its programs, its home and its language. */
const PASSES = /^(?:PATH|HOME|LANG|LC_[A-Z]+|TERM|TZ|TMPDIR|USER|SHELL)$/
/** Names that no list lets pass: the loader and the shell take code from them. */
const NEVER =
  /^(?:LD_|DYLD_|BASH_|GLIBC_TUNABLES$|GCONV_PATH$|ENV$|SHELLOPTS$|BASHOPTS$|PS[0-4]$|PROMPT_COMMAND$|IFS$|MYNAH_|HTTP_TOKEN$)/

/**
 * The environment of a command.
 *
 * @param source the environment of the host
 * @param names what the owner lets pass beside the usual names
 * @param extra variables set by whoever runs the command
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
  return { ...result, PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', ...extra }
}
