import { couldBe, hasWild, written } from './patterns.js'
import { HOLE, ONE, STAR } from './words.js'
import { anyOf } from './any-of.js'

const DIRECTORIES = [
  '.ssh',
  '.gnupg',
  '.gpg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.gcloud',
  '.password-store',
  'keyrings',
  '.mozilla',
  '.terraform.d',
  'secrets',
  '.secrets',
]

/** Folders of source text, below which `secrets` is a topic and a key belongs to a test. */
const SOURCE_FOLDER = anyOf(
  /^(?:src|lib|app|apps|packages?|pkg|internal|cmd|tests?|__tests__|spec|specs|fixtures|testdata|examples?|docs?)$/i,
  /^(?:doc|mocks?|node_modules)$/i,
)
const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|md|mdx|py|go|rs|java|kt|rb|php|cs|[ch](?:pp|xx)?|swift|scala|vue|svelte|html|css|scss|d\.ts)$/i

const NAME = new RegExp(
  `^(?:${[
    '\\.env(?:[._-].*)?',
    '\\.envrc',
    '.+\\.env',
    'id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\\..*)?',
    '.+\\.(?:pem|key|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|gpg|age|ovpn)',
    '[._]netrc',
    '\\.npmrc',
    '\\.yarnrc',
    '\\.pypirc',
    '\\.pgpass',
    '\\.my\\.cnf',
    '\\.mylogin\\.cnf',
    '\\.git-credentials',
    '\\.htpasswd',
    '\\.dockercfg',
    '\\.dockerconfigjson',
    '\\.boto',
    '\\.s3cfg',
    '\\.vault-token',
    '\\.fly',
    '\\.terraformrc',
    '\\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|rediscli|lesshs)_?(?:history|t)?_?history',
    '\\.lesshst',
    '\\.histfile',
    '\\.viminfo',
    '\\.git-credential-cache',
    'client_secret.*\\.json',
    'service[-_]?account.*\\.json',
    'application_default_credentials\\.json',
    '(?:.*[-_.])?(?:credentials?|secrets?|tokens?|passwords?|passwd|passphrases?|api[-_]?keys?|access[-_]?keys?|private[-_]?keys?)(?:\\.(?:txt|json|ya?ml|toml|ini|cfg|conf|enc|csv|xml|properties|bak|old|env))?',
    'kubeconfig(?:\\..*)?',
    '.*\\.kubeconfig',
    'g?shadow-?',
    'sudoers(?:\\..*)?',
    'http-token',
    'owner-approve-always\\.json.*',
    'mynah\\.config\\.[\\w.]*',
    '.*\\.keytab',
    'wallet\\.dat',
    'login\\.keychain.*',
    'cookies\\.(?:sqlite|txt)',
    'wp-config\\.php',
    '.*\\.tfstate(?:\\.backup)?',
    '\\.vault[-_]pass(?:word)?(?:\\..*)?',
  ].join('|')})$`,
  'i',
)

/** Names like the secret ones that are published on purpose. */
const PUBLIC = anyOf(
  /^(?:\.env[._-](?:example|sample|template|dist|defaults?)|.*\.pub|example\.env|sample\.env)$/i,
  /^(?:.*[-_.])?(?:certs?|ca|cacert|chain|fullchain|ca-bundle)\.pem$/i,
)

/** Names that represent all secret ones: a pattern that may become one of them is secret. */
const REPRESENTATIVES = [
  '.env',
  '.env.local',
  '.env.production',
  '.netrc',
  '.npmrc',
  '.pgpass',
  '.git-credentials',
  '.pypirc',
  '.bash_history',
  '.envrc',
  'id_rsa',
  'id_ed25519',
  'id_ecdsa',
  'http-token',
  'owner-approve-always.json',
  'mynah.config.yml',
  'credentials.json',
  'secrets.json',
  'token.txt',
  'server.pem',
  'server.key',
]

/** Folders of `.config` whose programs keep credentials there. */
const SECRET_CONFIG = /^(?:gh|gcloud|op|rclone|hub|git|google-chrome.*|chromium|brave.*|microsoft-edge.*)$/i

/** Whether the last component of a path may be the name of a file with credentials. */
export function isSecretName(path: string): boolean {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  if (name.length > 255) return false
  // `HEAD:.env` and `host:.env` name a file after the colon.
  const colon = path.lastIndexOf(':')
  if (colon > 0 && colon < path.length - 1 && isSecretName(path.slice(colon + 1))) return true
  if (isGitConfig(parts.at(-2) ?? '', name)) return true
  if (parts.includes('.config') && SECRET_CONFIG.test(parts[parts.indexOf('.config') + 1] ?? '')) return true
  if (hasWild(name)) return wildSecret(name)
  return NAME.test(name) && !PUBLIC.test(name) && !isSource(name, parts.slice(0, -1))
}

/** Returns whether a file lies among sources, where keys and code about credentials are examples. */
function isSource(name: string, folders: readonly string[]): boolean {
  if (!/\.(?:pem|key|p12|jks)$/i.test(name) && !SOURCE_FILE.test(name)) return false
  return folders.some((folder) => SOURCE_FOLDER.test(folder))
}

/** Returns whether a path is a folder of sources about credentials, such as `src/secrets`. */
export function isTopicFolder(path: string): boolean {
  const parts = path.replace(/\/$/, '').split('/')
  return /^[a-z]+$/i.test(parts.at(-1) ?? '') && parts.slice(0, -1).some((part) => SOURCE_FOLDER.test(part))
}

/** Returns whether a path is the configuration of a repository, which may hold credentials of its remotes. */
function isGitConfig(folder: string, name: string): boolean {
  if (folder === '.git' && name === 'config') return true
  if (written(folder + name) === '' || folder.startsWith(STAR) || folder.startsWith(ONE)) return false
  return couldBe(folder.replaceAll(HOLE, STAR), '.git') && couldBe(name.replaceAll(HOLE, STAR), 'config')
}

/** A wild name with letters of its own that may become a secret one. A bare one means nothing in particular. */
function wildSecret(name: string): boolean {
  const letters = written(name)
  if (letters === '') return false
  // Written out but for an end or a beginning, it is as secret as it looks.
  if (NAME.test(letters) && !PUBLIC.test(letters) && /^\.|[-_]/.test(letters)) return true
  const stem = letters.replace(/\.(?:json|ya?ml|txt)$/i, '')
  return REPRESENTATIVES.some((secret) => {
    // A pattern that begins with a wildcard does not match names that begin with a dot.
    if (secret.startsWith('.') && (name.startsWith(STAR) || name.startsWith(ONE))) return false
    // An extension alone, as in `*.json`, says nothing.
    return (stem !== '' || secret.startsWith('.')) && couldBe(name.replaceAll(HOLE, STAR), secret)
  })
}

/** Whether a path leads through a directory of credentials. */
export function isSecretDirectory(path: string, listing: boolean): boolean {
  const parts = path.split('/')
  return parts.some((part, i) => {
    const lower = part.toLowerCase()
    if (lower === 'secrets') {
      return (
        !listing &&
        i < parts.length - 1 &&
        !parts.slice(0, i).some((above) => SOURCE_FOLDER.test(above)) &&
        !SOURCE_FILE.test(parts.at(-1) ?? '')
      )
    }
    if (DIRECTORIES.includes(lower)) return true
    // `.*` names every hidden directory, and so none in particular.
    if (!hasWild(part) || written(part).length < 2) return false
    return DIRECTORIES.some(
      (name) =>
        name.startsWith('.') &&
        !(part.startsWith(STAR) || part.startsWith(ONE)) &&
        couldBe(part.replaceAll(HOLE, STAR), name),
    )
  })
}

/** Folders of the system with files of several users. */
const HOLDS_SECRETS =
  /^\/(?:|home|home\/[^/]+|root|Users(?:\/[^/]+)?|etc|proc(?:\/.*)?|sys|dev|run|var(?:\/(?:lib|run|log\/private))?)\/?$/

/** Whether reading everything below a path would read the files of everybody. */
export function secretBelow(path: string, home: string | undefined): boolean {
  return (
    /\/\.(?:config|local(?:\/share)?)$/.test(path) ||
    (home !== undefined && (path === home || home.startsWith(`${path}/`))) ||
    HOLDS_SECRETS.test(path)
  )
}
