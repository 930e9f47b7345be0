// The file-access policy: which paths hold credentials and are therefore not read by commands that need no approval.
import { HOLE } from './words.js'
import type { Arg } from './words.js'

const DIRECTORIES = ['.ssh', '.gnupg', '.gpg', '.aws', '.azure', '.kube', '.docker', '.gcloud', '.password-store', 'keyrings', '.mozilla', '.terraform.d', 'secrets', '.secrets']

const BASE_NAME =
  /^(?:\.env(?:[._-].*)?|\.envrc|.+\.env|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\..*)?|.+\.(?:pem|key|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|gpg|age|ovpn)|[._]netrc|\.npmrc|\.yarnrc|\.pypirc|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|\.dockerconfigjson|\.boto|\.s3cfg|\.vault-token|\.fly|\.terraformrc|\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|rediscli|lesshs)_?(?:history|t)?_?history|\.lesshst|\.histfile|\.psql_history|\.git-credential-cache|client_secret.*\.json|service[-_]?account.*\.json|application_default_credentials\.json|(?:.*[-_.])?(?:credentials?|secrets?|tokens?|passwords?|passwd|passphrases?|api[-_]?keys?|access[-_]?keys?|private[-_]?keys?)(?:\.(?:txt|json|ya?ml|toml|ini|cfg|conf|enc|csv|xml|properties|bak|old|env))?|kubeconfig(?:\..*)?|.*\.kubeconfig|g?shadow-?|sudoers(?:\..*)?|http-token|mynah\.config\.[\w.]*|krb5\.keytab|.*\.keytab|wallet\.dat|login\.keychain.*|cookies\.(?:sqlite|txt))$/i

/** Names like the secret ones that are published on purpose. */
const PUBLIC_NAME = /^(?:\.env[._-](?:example|sample|template|dist|defaults?)|.*\.pub|example\.env|sample\.env)$/i

const PREFIX =
  /^\/(?:etc\/(?:shadow|gshadow|sudoers|passwd|ssl\/private|ssh\/ssh_host_\w+_key$|krb5\.keytab|wireguard|openvpn|NetworkManager)|run\/secrets|var\/run\/secrets|var\/lib\/(?:docker|kubelet|private)|root\/\.|var\/spool\/cron|proc\/kcore|proc\/keys|dev\/(?!null$|zero$|full$|u?random$|std(?:in|out|err)$|fd\/[0-2]$|tty$))/

const PROCESS = /^\/proc\/(?:[^/]+\/)+(?:environ|mem|cmdline|maps|fd(?:\/.*)?|fdinfo.*|root(?:\/.*)?|cwd(?:\/.*)?|auxv|stack|syscall|io|exe)$/

/** Names that stand for all secret ones when a word has a hole: which of them could it become? */
const REPRESENTATIVES = ['.env', '.env.local', '.env.production', '.netrc', '.npmrc', '.pgpass', '.git-credentials', '.pypirc', '.bash_history', '.envrc', 'id_rsa', 'id_ed25519', 'id_ecdsa']

/** Whether a word may name a file with credentials. */
export function secretPath(arg: Arg): boolean {
  return secretShape(arg.shape)
}

/** The same for text that may contain holes. */
export function secretShape(shape: string): boolean {
  let path = shape.replace(/^file:(?:\/\/[^/]*)?/i, '')
  // `HEAD:.env` and `host:.env` name a file after the colon.
  const colon = path.lastIndexOf(':')
  if (colon > 0 && colon < path.length - 1 && secretShape(path.slice(colon + 1))) return true
  path = collapse(path)
  const lower = path.toLowerCase()
  if (PREFIX.test(lower) || PROCESS.test(path)) return true
  if (/^\/proc\/.*[\u0000*?[]/.test(path)) return true
  const parts = path.split('/')
  const last = parts.at(-1) ?? ''
  if (parts.some((part) => isSecretDirectory(part))) return true
  if (parts.includes('.config') && /^(?:gh|gcloud|op|rclone|hub|git)$/.test(parts[parts.indexOf('.config') + 1] ?? '')) return true
  if (parts.at(-2) === '.git' && last === 'config') return true
  if (/(?:^|\/)data\/[\u0000*?]+$/.test(path) || /^\/etc\/[\u0000*?]+$/.test(path)) return true
  return isSecretName(last)
}

/** The same for words of a command that takes other words as well as paths: only what looks like a path counts. */
export function secretFile(arg: Arg): boolean {
  return /[./]|^id_/.test(arg.shape) && secretPath(arg)
}

/** Whether a directory is one that holds credentials, so that even listing it is not covered. */
export function secretDirectory(arg: Arg): boolean {
  const path = collapse(arg.shape)
  return path.split('/').some((part) => part !== 'secrets' && isSecretDirectory(part)) || /^\/proc\/[^/]+\/(?:fd|root|cwd|environ)/.test(path)
}

/** Whether a recursive read would start at a place that holds everybody's files. */
export function wideDirectory(arg: Arg): boolean {
  return /^(?:\/|~|\/home|\/home\/[^/]+|\/root|\/Users(?:\/[^/]+)?|\/etc|\/proc(?:\/.*)?|\/sys|\/dev|\/run|\/var(?:\/(?:lib|run|log))?)\/?$/.test(collapse(arg.shape)) ||
    arg.variables.includes('HOME')
}

function isSecretDirectory(part: string): boolean {
  const lower = part.toLowerCase()
  if (DIRECTORIES.includes(lower)) return true
  // `.*` names every hidden directory, and so none in particular.
  if (/^\.[\u0000*?]*$/.test(part)) return false
  return couldBe(part, DIRECTORIES.filter((name) => name.startsWith('.')))
}

function isSecretName(name: string): boolean {
  if (name.length > 255) return false
  if (PUBLIC_NAME.test(name)) return false
  return BASE_NAME.test(name) || couldBe(name, REPRESENTATIVES)
}

/** Whether a name with holes or wildcards could become one of some names; a bare hole says nothing. */
function couldBe(part: string, names: readonly string[]): boolean {
  if (!/[\u0000*?[]/.test(part)) return false
  const literal = part.replaceAll(/[\u0000*?]|\[[^\]]*\]?/g, '')
  if (literal === '') return false
  // A pattern that begins with a wildcard does not match names that begin with a dot.
  const pattern = part
    .replaceAll(/\[[^\]]*\]?|[^\w*?\u0000[\]]/g, (found) => (found.length > 1 || found === '[' ? '.' : `\\${found}`))
    .replaceAll(/[*\u0000]+/g, '.*')
    .replaceAll('?', '.')
  let matcher: RegExp
  try {
    matcher = new RegExp(`^(?:${pattern})$`, 'i')
  } catch {
    return true
  }
  return names.some((name) => matcher.test(name) && !(name.startsWith('.') && /^[\u0000*?[]/.test(part)))
}

function collapse(path: string): string {
  const parts: string[] = []
  for (const [i, part] of path.split('/').entries()) {
    if (part === '.' || (part === '' && i > 0)) continue
    const above = parts.at(-1)
    if (part === '..' && above !== undefined && above !== '' && above !== '..' && !above.includes(HOLE)) parts.pop()
    else parts.push(part)
  }
  if (parts.length === 0) return '.'
  return parts.length === 1 && parts[0] === '' ? '/' : parts.join('/')
}

/** The shape of a word with an ellipsis for each unknown piece. */
export function displayShape(arg: Arg): string {
  return arg.shape.replaceAll(HOLE, '…')
}
