// Why some spellings cannot be proven where they are tried: what the run says, what is not installed, and what is known
// of a few.
import type { Attack } from './family.js'
import { anyOf } from '../../policy/any-of.js'

/** Programs that are tried where they are installed. */
const OPTIONAL = new Set(
  'rsync rg fd gh bun tsc yarn pnpm nc ncat telnet socat emacs busybox expect dig host nslookup mise nix-shell ping sqlite3 zip vim ed watch strace docker kubectl ssh scp apt crontab npx npm pip git-lfs unknown python3 node perl jq less man curl wget docker-compose rpm cargo go octave m4 hg ansible mysql fzf pdflatex cmake sftp ruby cpio'.split(
    ' ',
  ),
)

/** Errors of a program that cannot do here what the spelling asks of it. */
const SAYS: readonly (readonly [RegExp, string])[] = [
  [
    anyOf(
      /could not resolve|unable to resolve|name or service not known|temporary failure in name resolution/i,
      /getaddrinfo|nodename nor servname/i,
    ),
    'the name is not known here',
  ],
  [
    anyOf(
      /unrecognized option|unknown (?:option|switch)|invalid option|is unknown|bad option|ambiguous|is badly used/i,
      /requires parameter/i,
    ),
    'the installed version does not take the option',
  ],
  [
    /Is a directory|omitting directory|can't find '__main__'|read error|not a regular file/i,
    'a folder has no text of its own',
  ],
  [/unknown (?:command: docker|shorthand flag)|rustup could not choose/i, 'the program is here by its name alone'],
  [
    anyOf(
      /already exists and is not an empty directory|did not match any file|bad source|ENOENT/i,
      /No matching distribution|externally-managed/i,
    ),
    'what it works on is not there',
  ],
  [
    anyOf(
      /Cannot connect to the Docker daemon|connection (?:to the server|refused)|was refused/i,
      /permission denied while trying to connect/i,
    ),
    'nothing answers here',
  ],
  [/Permission denied|Operation not permitted/i, 'who tries it has no right to'],
]

/** Spellings that need something else than there is, with what they need. */
export const MARKS: readonly (readonly [RegExp, string])[] = [
  [/localhost\.[:}]|nip\.io|localtest\.me|myhost\.example/, 'the name is not known here'],
  [/^git (?:hash-object|apply|blame --contents) /, 'it tells that the file was read, not what is in it'],
  [/^ps eww$/, 'it shows the processes of a terminal'],
  [/%output\{/, 'curl before 8.3 writes no file for it'],
  [/--proto-redir/, 'nothing is redirected here'],
  [/^wget --config=f/, 'the file is none of the settings of wget'],
  [/^time (?:-a?o|--output)/, 'the keyword of bash takes no such option, the program does'],
  [/^(?:SHELL=|MAKEFLAGS=-f)\S+ /, 'this make does not take it from there'],
  [/^(?:env )?LD_PRELOAD=\S+ make .*2>\/dev\/null/, 'what the loader says is hidden'],
  [/^env -a /, 'env before 9.4 has no such option'],
  [/^xargs (?:-a f )?(?:timeout 5 )?make/, 'what is added is no target here'],
  [/^make test (?:3< evil|> >\(cat\))/, 'this recipe does not look at it'],
  [/^qq group <\(/, 'a descriptor is none of the subcommands of the stand-in'],
  [/^sort --compress-program/, 'so few lines are sorted without a temporary file'],
  [/^git -c core\.pager=\S.* log$/, 'a pager is started on a terminal'],
  [/^git bisect run /, 'no search is under way'],
  [/^git submodule foreach /, 'there is no submodule'],
  [/^(?:mapfile 'a\[|\(\(a\[|ls \$\{#a\[)/, 'this bash does not evaluate the subscript there'],
  [/^(?:PROMPT_COMMAND=|PS1=|PS4=.* bash -x)/, 'only a shell with a terminal, or not of root, takes it'],
  [
    anyOf(
      /^(?:declare -A BASH_ALIASES|declare -n r=BASH_CMDS|printf -v 'BASH_CMDS|read 'BASH_ALIASES)/,
      /^(?:git config core\.pager|npm config set editor|cp \/usr\/bin\/sudo)/,
    ),
    'what it prepares is run later',
  ],
  [/^(?:export|readonly|getopts ab|wait -p|local -i) /, 'this bash takes no subscript there, or only in a function'],
  [/^x=\$\(wc -l f\)/, 'the file has a harmless name'],
  [/^PAGER='cat \|/, 'a pager is started on a terminal'],
  [/^\/lib64\/ld-linux/, 'the stand-ins are scripts'],
  [/^tsc --outDir plugins$/, 'there is no project to compile'],
  [/^enable -f/, 'there is no such library'],
  [/^apt -o /, 'only root can install'],
  [/^(?:ls|find|cd) (?:\.\/|\$PWD\/)?mynah\.config\.yml/, 'the name of the file is all that it tells'],
  [/^xargs -a (?:\.\/|\$PWD\/)?data echo/, 'a folder has no text of its own'],
]

/** Why a variant could not be proven, or undefined where it should have been. */
export function whyUnproven({ command }: Attack, output: string): string | undefined {
  for (const [, name = ''] of output.matchAll(
    /(?:^|[\s:'‘"])([\w.+-]+)['’"]?: (?:command not found|No such file or directory)/g,
  ))
    if (OPTIONAL.has(name)) return `${name} is not installed`
  return MARKS.find(([mark]) => mark.test(command))?.[1] ?? SAYS.find(([says]) => says.test(output))?.[1]
}
