// Output of npm may name the tokens of its configuration. They are masked before anything else sees the output.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { SECRET_MASK } from '@mynah/contract/wire'
import { pathRedactor } from '@mynah/kernel'

const SECRET_LINE = /(?:_authToken|_auth|_password|password|token|key|cert)\s*=\s*"?([^"\s]{4,})/gi
const USER_IN_URL = /(\w:\/\/)[^\s/@]{1,500}@/g
const BEARER = /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{4,500}/gi
const QUERY = /([?&](?:token|access_token|api_key|key|secret|password|sig|signature)=)[^\s&#"]{1,500}/gi
const NPM_TOKEN = /\bnpm_\w{20,100}\b/g
const SECRET_VARIABLE = /token|auth|password|secret/i
const MIN_SECRET = 4

/** Returns a function that masks the secrets of the configuration of npm, and shortens paths of the project. */
export function npmRedactor(root: string, env: NodeJS.ProcessEnv): (text: string) => string {
  const shorten = pathRedactor(root)
  const secrets = [
    ...[join(root, '.npmrc'), env['npm_config_userconfig'] ?? join(homedir(), '.npmrc')].flatMap(secretsIn),
    ...Object.entries(env).flatMap(([name, value]) => (value && SECRET_VARIABLE.test(name) ? [value] : [])),
  ]
    .filter((secret) => secret.length >= MIN_SECRET)
    .sort((a, b) => b.length - a.length)
  return (text) => {
    const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, SECRET_MASK), text)
    return shorten(
      masked
        .replace(USER_IN_URL, `$1${SECRET_MASK}@`)
        .replace(BEARER, `$1${SECRET_MASK}`)
        .replace(QUERY, `$1${SECRET_MASK}`)
        .replace(NPM_TOKEN, SECRET_MASK),
    )
  }
}

function secretsIn(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // npm reports a file that it cannot read.
    return []
  }
  return Array.from(text.matchAll(SECRET_LINE), ([, secret = '']) => secret)
}
