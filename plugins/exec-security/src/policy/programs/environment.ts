import { blacklisted, textBlacklisted } from '../blacklist.js'
import { names } from './program-spec.js'
import type { Arg } from '../words.js'
import { anyOf } from '../any-of.js'

const EXACT = new Set(
  names(`
    PATH IFS ENV HOME SHELL SHELLOPTS BASHOPTS CDPATH GLOBIGNORE EXECIGNORE FPATH FCEDIT HISTFILE INPUTRC MAILPATH
    PS0 PS1 PS2 PS4 PROMPT_COMMAND POSIXLY_CORRECT TMPPREFIX PAGER MANPAGER MANOPT SYSTEMD_PAGER BAT_PAGER
    DELTA_PAGER LESS LESSOPEN LESSCLOSE LESSKEY LESSEDIT EDITOR VISUAL SUDO_EDITOR SELECTED_EDITOR BROWSER TERMINFO
    TERMINFO_DIRS TERMCAP TERMPATH LOCPATH NLSPATH GCONV_PATH GETCONF_DIR GLIBC_TUNABLES HOSTALIASES LOCALDOMAIN
    RES_OPTIONS RESOLV_HOST_CONF RESOLV_ADD_TRIM_DOMAINS NIS_PATH MAGIC OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES
    SSLKEYLOGFILE SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE CURL_HOME CURL_SSL_BACKEND WGETRC
    SYSTEM_WGETRC NETRC KRB5_CONFIG CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS JAVA_HOME
    MAVEN_OPTS GRADLE_OPTS GOFLAGS GOPATH GOROOT GOENV GOPROXY GOTOOLCHAIN RUSTC RUSTC_WRAPPER
    RUSTC_WORKSPACE_WRAPPER RUSTFLAGS RUSTDOCFLAGS CC CXX LD AR CPP CFLAGS CXXFLAGS LDFLAGS MAKE MAKEFLAGS MFLAGS
    GNUMAKEFLAGS MAKEFILES LUA_INIT LUA_PATH LUA_CPATH PHPRC PHP_INI_SCAN_DIR TAR_OPTIONS GZIP BZIP BZIP2 XZ_OPT
    XZ_DEFAULTS ZIPOPT UNZIP RSYNC_RSH CVS_RSH SVN_SSH VIMINIT EXINIT VIM VIMRUNTIME NVIM_APPNAME MYVIMRC
    GREP_OPTIONS GREP_COLOR AWKPATH AWKLIBPATH KUBECONFIG KUBE_EDITOR HGRCPATH HGEDITOR VIRTUAL_ENV CONDA_PREFIX
    CONDA_EXE ANSIBLE_CONFIG TF_CLI_CONFIG_FILE TF_CLI_ARGS TF_PLUGIN_CACHE_DIR TF_DATA_DIR PYTEST_ADDOPTS
    PYTEST_PLUGINS RIPGREP_CONFIG_PATH FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS DBUS_SESSION_BUS_ADDRESS
    ELECTRON_RUN_AS_NODE ESBUILD_BINARY_PATH TSX_TSCONFIG_PATH INIT_CWD PREFIX HOSTFILE TIMEFORMAT TEXTDOMAIN
    TEXTDOMAINDIR TZDIR QLOGDIR MANPATH MANROFFOPT GROFF_BIN_PATH GROFF_FONT_PATH COMPILER_PATH GCC_EXEC_PREFIX
    CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES GOBIN GOCACHEPROG
    GOAUTH GOVCS GOINSECURE TMPDIR TEMP TMP TEXEDIT SQLITE_HISTORY KUBECTL_EXTERNAL_DIFF PSQLRC PGSERVICEFILE
    PGPASSFILE PGSYSCONFDIR PGOPTIONS LESSSECURE SYSTEMD_LESS SYSTEMD_PAGERSECURE PSMODULEPATH NODE TSC_WATCHFILE
  `),
)

const COMPILER = /^(?:ccache )?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d+)?$/
const COMPILER_FLAG = anyOf(
  /^-(?:O[\dsg]?|g\d?|std=[\w+]+|W(?:all|extra|error|pedantic)|Wno-[\w-]+|D\w+(?:=\w+)?)$/,
  /^-(?:f(?:PIC|pic|sanitize=[\w,]+)|m(?:arch|tune)=[\w-]+)$/,
)
const NODE_OPTION = anyOf(
  /^--(?:max-old-space-size=\d+|max-semi-space-size=\d+|stack-trace-limit=\d+|no-warnings|no-deprecation)$/,
  /^--(?:trace-warnings|trace-deprecation|trace-uncaught|enable-source-maps|experimental-vm-modules)$/,
  /^--(?:unhandled-rejections=[a-z-]+|dns-result-order=\w+)$/,
)

/** Whether every word of a text is of a kind. */
const each =
  (kind: RegExp) =>
  (text: string): boolean =>
    text.split(/\s/).every((word) => word === '' || kind.test(word))
const only =
  (kind: RegExp) =>
  (text: string): boolean =>
    kind.test(text)

const FAMILIES = anyOf(
  /^(?:LD_|DYLD_|_RLD|BASH_|GIT_|SSH_|GH_|GPG_|GNUPG|NODE_|NODE$|PYTHON|NPM_|YARN_|PNPM_|BUN_|COREPACK_|DENO_|PIP_)/,
  /^(?:PIPX_|PIPENV_|POETRY_|UV_|CONDA_|PERL|RUBY|GEM_|BUNDLE_|CARGO_|RUSTUP_|DOCKER_|CONTAINER|AWS_|AZURE_)/,
  /^(?:GOOGLE_|CLOUDSDK_|XDG_|MALLOC_|QT_|GTK_|GIO_|GST_|TS_NODE_|ANSIBLE_|CGO_|CMAKE_|JEST_|BABEL_|HUSKY_|JULIA_)/,
  /^(?:R_|RSYNC_|ZDOTDIR|FIGNORE|TF_CLI_ARGS_|TF_VAR_.*TOKEN|(?:HTTPS?|FTP|ALL|NO|SOCKS|RSYNC|WSS?)_PROXY$)/,
  /^(?:.*_PROXY$|.*PRELOAD|.*_ASKPASS$|.*_PAGER$|.*_EDITOR$|.*_OPTS$|.*_CA_BUNDLE$)/,
)

/** Members of the families above that only change looks, amount of output, or who is named. */
const HARMLESS_NAMES = anyOf(
  /^NODE_(?:ENV|DEBUG|NO_WARNINGS|DISABLE_COLORS|PENDING_DEPRECATION)$/,
  /^PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|IOENCODING|UTF8|FAULTHANDLER|OPTIMIZE)$/,
  /^PIP_(?:NO_INPUT|NO_COLOR|NO_CACHE_DIR|DISABLE_PIP_VERSION_CHECK|QUIET|PROGRESS_BAR)$/,
  /^NPM_CONFIG_(?:LOGLEVEL|YES|FUND|AUDIT|COLOR|PROGRESS|UPDATE_NOTIFIER)$/,
  /^GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|LFS_SKIP_SMUDGE|ADVICE|LITERAL_PATHSPECS)$/,
  /^(?:GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GH_(?:PROMPT_DISABLED|NO_UPDATE_NOTIFIER|FORCE_TTY))$/,
  /^(?:AWS_(?:REGION|DEFAULT_REGION|PROFILE|DEFAULT_OUTPUT)|DOCKER_(?:BUILDKIT|DEFAULT_PLATFORM|CLI_HINTS))$/,
  /^(?:UV_THREADPOOL_SIZE|CARGO_TERM_COLOR|HUSKY|BABEL_ENV|JEST_WORKER_ID|COREPACK_ENABLE_DOWNLOAD_PROMPT)$/,
  /^BUN_DEBUG$/,
)

/** Names that are harmless with the values that switch a feature off or only report. */
const HARMLESS_VALUES: readonly (readonly [RegExp, (text: string) => boolean])[] = [
  [/^(?:PAGER|MANPAGER|GIT_PAGER|GH_PAGER|SYSTEMD_PAGER|BAT_PAGER|AWS_PAGER)$/, only(/^(?:cat)?$/)],
  [/^(?:EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GH_EDITOR)$/, only(/^(?:true|:)$/)],
  [/^(?:CC|CXX)$/, only(COMPILER)],
  [/^(?:CFLAGS|CXXFLAGS)$/, each(COMPILER_FLAG)],
  [/^(?:MAKEFLAGS|GNUMAKEFLAGS)$/, each(/^-[jkslw]\d*$/)],
  [/^BROWSER$/, only(/^(?:none|false)?$/)],
  [/^GIT_(?:TRACE\w*|CURL_VERBOSE|FLUSH)$/, only(/^(?:0|1|2|true|false)$/)],
  [/^NODE_OPTIONS$/, each(NODE_OPTION)],
  [/^(?:TMPDIR|TEMP|TMP)$/, only(/^\/tmp(?:\/(?!\.\.)[\w.-]+)*\/?$/)],
  [/^CGO_ENABLED$/, only(/^[01]$/)],
  [/^CMAKE_(?:BUILD_PARALLEL_LEVEL|BUILD_TYPE|EXPORT_COMPILE_COMMANDS|COLOR_DIAGNOSTICS)$/, only(/^\w+$/)],
]

/** Tools read these two families in any case. The case of other names matters, as in `for path in …`. */
const upperName = (name: string): string => (/^npm_config_|_proxy$/i.test(name) ? name.toUpperCase() : name)

/** Whether a variable is one that programs read settings, paths or commands from. */
export const steersPrograms = (name: string): boolean => EXACT.has(upperName(name)) || FAMILIES.test(upperName(name))

/** Whether setting a variable may change what is run, loaded, trusted or reached. */
export function dangerousEnvironment(name: string, value: Arg | undefined): boolean {
  const upper = upperName(name)
  // Texts of other languages are found by that name, which may lead anywhere.
  if (/^(?:LANG|LANGUAGE|LC_\w+)$/.test(upper)) return value?.value?.includes('/') !== false
  if (!steersPrograms(name)) return false
  if (HARMLESS_NAMES.test(upper)) return false
  const text = value?.value
  if (text === undefined) return true
  return !HARMLESS_VALUES.some(([name, values]) => name.test(upper) && values(text))
}

/** Variables whose value other programs start as a command. */
const NAMES_PROGRAM = anyOf(
  /(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|GIT_SSH|COMMAND|EXTERNAL_DIFF|LESSOPEN|LESSCLOSE|SHELL|WRAPPER|RUNNER)$/i,
  /(?:RSH|^CC|^CXX|^LD|^RUSTC|TEXEDIT|GIT_CONFIG_VALUE_\d+|GIT_CONFIG_PARAMETERS|_HELPER)$/i,
  /^(?:LESS|LESSEDIT|VIMINIT|EXINIT)$/i,
)

/** Variables whose value other programs read as options, or as a command with its name before. */
const HOLDS_OPTIONS = /(?:FLAGS|OPTIONS|OPTS?|_SSH|TERMINAL)$/i

/** Signs that a prompt expands: a backtick or a dollar sign before text, also as the number of its character. */
const PROMPT_RUNS = /`|\$(?!\s|$)|\\(?:044|140)/

/** Whether options of the shell make `cd` take variables for folders, or words for variables of a command. */
export const changesMeaning = (options: string): boolean => /cdable_vars|keyword/.test(options)

/** Whether the shell would run the value of a variable, or find other programs behind its words, in any mode. */
export function runsValue(name: string, value: string | undefined): boolean {
  if (/^(?:BASH_CMDS|BASH_ALIASES|BASH_FUNC_.*)$/.test(name)) return value !== ''
  if (/^(?:BASHOPTS|SHELLOPTS)$/.test(name)) return value === undefined || changesMeaning(value)
  if (name === 'PROMPT_COMMAND') return value === undefined || !/^\w*$/.test(value) || blacklisted(value) !== undefined
  if (value !== undefined && namesForbidden(name, value)) return true
  return /^(?:PS[0124]|BASH_ENV|ENV|MAILPATH)$/.test(name) && (value === undefined || PROMPT_RUNS.test(value))
}

/** Whether a value names a forbidden command where another program looks for one. */
function namesForbidden(name: string, value: string): boolean {
  const isCommand = NAMES_PROGRAM.test(name)
  // Git takes what follows an exclamation mark for a command, by `--config-env`.
  if (!isCommand && !HOLDS_OPTIONS.test(name) && !/^\s*!/.test(value)) return false
  const words = value.replace(/^[\s|-]+/, '').split(isCommand ? /\s/ : /[\s=!]+/)
  const searched = isCommand ? words.slice(0, 1) : words
  return searched.some((word) => blacklisted(word) !== undefined) || textBlacklisted(value) !== undefined
}
