// The environment that a command is given: the host's own, without secrets and without names that change what runs.
import { namesSecret } from '../policy/environment.js'

// Loaders, shell start-up and interpreter hooks; PATH, HOME and the proxies of the host are its own choice and stay.
const HOOKS =
  /^(?:LD_|DYLD_|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|MALLOC_|BASH|ENV$|SHELLOPTS$|PS[0-4]$|PROMPT_COMMAND$|IFS$|CDPATH$|GLOBIGNORE$|EXECIGNORE$|FUNCNEST$|NODE_OPTIONS$|NODE_PATH$|NODE_REPL|PYTHON(?:STARTUP|HOME|PATH|INSPECT|BREAKPOINT)$|PERL5|RUBY(?:OPT|LIB)$|JAVA_TOOL_OPTIONS$|GIT_|SSH_ASKPASS|LESS(?:OPEN|CLOSE)$|(?:MAN|GIT_|GH_)?PAGER$|EDITOR$|VISUAL$|BROWSER$|npm_|NPM_CONFIG_|PIP_|MYNAH_|SUDO_|SSLKEYLOGFILE$)/i

/** A value that carries a password inside an address. */
const CREDENTIAL_URL = /^[a-z][\w+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i

/** Copies an environment without what a command must not see, and with settings for a run without a terminal. */
export function commandEnvironment(source: NodeJS.ProcessEnv, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || HOOKS.test(name) || namesSecret(name) || CREDENTIAL_URL.test(value)) continue
    result[name] = value
  }
  return { ...result, PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', ...extra }
}
