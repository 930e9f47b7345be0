// git: the options and configuration keys through which it runs other programs.
import { displayShape, secretFile } from './secrets.js'
import type { Arg } from './words.js'

/** Configuration keys whose value is run, loaded, or decides where code comes from. */
const RUNNING_KEY =
  /^(?:alias\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|worktree|attributesfile|alternaterefscommand)|sequence\.editor|pager\.|diff\.(?:external|.*\.(?:command|textconv))|difftool\.|mergetool\.|merge\..*\.driver|filter\.|credential\.|gpg\.|ssh\.|uploadpack\.|receive\.|remote\..*\.(?:uploadpack|receivepack|proxy|vcs)|url\.|include(?:if)?\.|protocol\.|http\.(?:.*\.)?(?:proxy|sslverify|sslcainfo|cookiefile|extraheader)|browser\.|man\.|web\.browser|help\.browser|sendemail\.|interactive\.difffilter|submodule\..*\.update|imap\.|init\.templatedir|commit\.template|trailer\.|tar\.|instaweb\.|guitool\.|safe\.)/i

const RUNNING_OPTION =
  /^--(?:exec-path=|exec(?:=|$)|upload-pack|receive-pack|upload-archive|ext-diff|textconv|extcmd|open-files-in-pager|config-env|template|git-dir|work-tree|tool(?:=|$)|smtp-server|sendmail-cmd|to-cmd|cc-cmd|index-filter|tree-filter|msg-filter|env-filter|commit-filter|parent-filter|tag-name-filter|attr-source|gpg-program|edit-description|reference|editor|output(?:=|$)|output-directory|ignore-revs-file|pathspec-from-file|file(?:=|$)|initial-branch=.*[;|&$`])/

const HARMLESS_CONFIG = /^(?:color\.\w+|user\.(?:name|email)|core\.(?:quotepath|autocrlf|longpaths|abbrev|precomposeunicode|filemode|untrackedcache)|advice\.\w+|log\.\w+|init\.defaultbranch|pull\.\w+|push\.\w+|fetch\.\w+|rebase\.\w+|merge\.\w+|diff\.\w+|gc\.\w+|commit\.gpgsign|tag\.gpgsign|rerere\.\w+|status\.\w+|branch\.\w+|column\.\w+|index\.\w+|pack\.\w+|http\.(?:version|postbuffer|lowspeed\w+)|submodule\.recurse|feature\.\w+|lfs\.\w+|maintenance\.\w+|core\.sparsecheckout)/i

const WITHOUT_VALUE = new Set(['-p', '--paginate', '-P', '--no-pager', '--no-replace-objects', '--no-lazy-fetch', '--no-optional-locks', '--no-advice', '--bare', '--literal-pathspecs', '--glob-pathspecs', '--noglob-pathspecs', '--icase-pathspecs', '--version', '-v', '--help', '-h', '--html-path', '--man-path', '--info-path', '--exec-path'])

/** Returns what is not covered about a call of git. */
export function checkGit(args: readonly Arg[]): string | undefined {
  let i = 0
  for (; i < args.length; i++) {
    const word = args[i]
    if (word === undefined) break
    if (!word.shape.startsWith('-')) break
    const option = word.value
    if (option === undefined) return `the option ${word.text} of git is computed`
    if (option === '-c' || option.startsWith('-c')) {
      const attached = option.slice(2)
      const setting = attached === '' ? args[(i += 1)] : { ...word, shape: attached }
      const problem = checkSetting(setting)
      if (problem !== undefined) return problem
    } else if (option === '-C' || option === '--namespace') {
      const place = args[(i += 1)]
      if (place === undefined || place.splits) return `the directory of git ${option} is computed`
    } else if (!WITHOUT_VALUE.has(option)) {
      return `git ${option} is not covered`
    }
  }
  const command = args[i]
  if (command === undefined) return undefined
  if (command.value === undefined) return `the subcommand of git is computed: ${command.text}`
  return checkSubcommand(command.value, args.slice(i + 1))
}

/** The texts among the arguments that git would run as programs. */
export function gitPrograms(args: readonly Arg[]): readonly string[] {
  const values = args.map((arg) => arg.value ?? '')
  const programs: string[] = []
  values.forEach((value, i) => {
    const setting = value === '-c' || value === '--config' ? values[i + 1] : undefined
    const key = setting?.split('=')[0] ?? ''
    if (setting !== undefined && RUNNING_KEY.test(key)) programs.push(setting.slice(key.length + 1).replace(/^!/, ''))
    if (value === '-x' || value === '--exec' || value === '--extcmd' || value === '--upload-pack' || value === '-u') programs.push(values[i + 1] ?? '')
    const attached = /^--(?:exec|extcmd|upload-pack|receive-pack|open-files-in-pager|(?:tree|index|msg|env|commit|parent|tag-name)-filter)=(.*)$/s.exec(value)
    if (attached !== null) programs.push(attached[1] ?? '')
    if ((value === 'run' && values[i - 1] === 'bisect') || (value === 'foreach' && values.includes('submodule'))) {
      programs.push(values.slice(i + 1).filter((word) => !word.startsWith('--')).join(' '))
    }
    if (value.startsWith('!')) programs.push(value.slice(1))
  })
  return programs
}

function checkSetting(setting: Arg | undefined): string | undefined {
  if (setting === undefined || (setting.value === undefined && !/^[\w.-]+=/.test(setting.shape))) return 'a setting given to git is computed'
  const { shape } = setting
  if (/^core\.(?:pager=(?:cat)?|fsmonitor=(?:false|0)?)$/i.test(shape)) return undefined
  const key = shape.split('=')[0] ?? ''
  if (HARMLESS_CONFIG.test(key) && !RUNNING_KEY.test(key)) return undefined
  return `git -c ${displayShape(setting)} is not known to be harmless`
}

function checkSubcommand(name: string, args: readonly Arg[]): string | undefined {
  const words = args.flatMap((arg) => (arg.value !== undefined && !arg.value.startsWith('-') ? [arg.value] : []))
  const values = args.map((arg) => arg.value ?? arg.shape)
  const option = args.find((arg) => RUNNING_OPTION.test(arg.shape))
  if (option !== undefined) return `git ${name} ${displayShape(option)} can run or write something that the list does not cover`
  if (args.some((arg) => /^(?:(?:ext|fd)::|file:\/\/)/i.test(arg.shape) || /(?:^|=)--(?:upload-pack|receive-pack)/.test(arg.shape))) return `git ${name} would use a transport that runs a program or reads local files`
  switch (name) {
    case 'config':
      return checkConfig(args, words)
    case 'bisect':
      return words[0] === 'run' ? 'git bisect run runs a program' : undefined
    case 'submodule':
      return words[0] === 'foreach' ? 'git submodule foreach runs a program' : undefined
    case 'for-each-repo':
    case 'filter-branch':
    case 'instaweb':
    case 'daemon':
    case 'credential':
    case 'credential-store':
    case 'credential-cache':
    case 'send-email':
    case 'imap-send':
    case 'hook':
    case 'mergetool':
    case 'difftool':
    case 'web--browse':
    case 'remote-ext':
    case 'remote-fd':
    case 'upload-pack':
    case 'receive-pack':
    case 'upload-archive':
    case 'shell':
    case 'update-git-for-windows':
    case 'http-backend':
      return `git ${name} runs other programs`
    case 'rebase':
      return values.some((value) => /^-[a-zA-Z]*x/.test(value) && !value.startsWith('--')) ? 'git rebase -x runs a program' : undefined
    case 'grep':
      return values.some((value) => /^-[a-zA-Z]*O/.test(value) && !value.startsWith('--')) ? 'git grep -O runs a program' : readsSecret(name, args)
    case 'clone':
    case 'init':
      return clones(name, args)
    case 'fetch':
    case 'pull':
    case 'ls-remote':
    case 'push':
      return undefined
    case 'archive':
      return values.some((value) => /^-o|^--remote/.test(value)) ? 'git archive would write a file or reach another machine' : readsSecret(name, args)
    case 'show':
    case 'diff':
    case 'cat-file':
    case 'blame':
    case 'log':
    case 'stash':
    case 'add':
    case 'hash-object':
    case 'commit':
      return readsSecret(name, args)
    default:
      return undefined
  }
}

function clones(name: string, args: readonly Arg[]): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const shape = args[i]?.shape ?? ''
    if (shape === '-u' || shape.startsWith('-u')) return `git ${name} -u runs a program`
    const setting = shape === '-c' || shape === '--config' ? args[i + 1] : shape.startsWith('--config=') && args[i] !== undefined ? { ...args[i] as Arg, shape: shape.slice(9) } : undefined
    if (setting !== undefined) {
      const problem = checkSetting(setting)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function checkConfig(args: readonly Arg[], words: readonly string[]): string | undefined {
  if (args.some((arg) => /^(?:-e|--edit)$/.test(arg.shape)) || words[0] === 'edit') return 'git config --edit runs an editor'
  if (args.some((arg) => /^(?:-f|--file|--blob)/.test(arg.shape))) return 'git config with a file of its own is not covered'
  const reads = args.some((arg) => /^(?:--get|--get-all|--get-regexp|--get-urlmatch|-l|--list|--name-only|--show-origin|--unset|--unset-all)$/.test(arg.shape)) || /^(?:get|list|unset)$/.test(words[0] ?? '')
  const [first, second] = words[0] === 'set' || words[0] === 'get' ? words.slice(1) : words
  if (first === undefined) return args.some((arg) => arg.value === undefined) ? 'an argument of git config is computed' : undefined
  if (/^credential\.|extraheader|token|password/i.test(first)) return 'git config would touch a credential'
  if (reads || second === undefined && !args.some((arg) => arg.value === undefined)) return undefined
  return HARMLESS_CONFIG.test(first) && !RUNNING_KEY.test(first) ? undefined : `git config ${first} changes what later commands run`
}

function readsSecret(name: string, args: readonly Arg[]): string | undefined {
  const secret = args.find((arg) => !arg.shape.startsWith('-') && secretFile(arg))
  return secret === undefined ? undefined : `git ${name} would show ${displayShape(secret)}, which may hold credentials`
}
