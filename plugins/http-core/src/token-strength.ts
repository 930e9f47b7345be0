// Which tokens are of no use: too easily guessed to stand on a network, or impossible to send.

const MIN_LENGTH = 16
const WELL_KNOWN = [
  'changeme',
  'change-me',
  'change-this',
  'please-change-me',
  'secret',
  'token',
  'password',
  'admin',
  'mynah',
  'test',
  'demo',
  'example',
  'default',
  'letmein',
  'your-token',
  'your-token-here',
  'your-secret-token',
  'your-access-token',
  'your-api-token',
  'replace-with-your-token',
  'my-secret-token',
  'supersecrettoken',
  '0123456789abcdef',
  '0123456789abcdef0123456789abcdef',
  '1234567890123456',
  '1234567890abcdef',
  'abcdefghijklmnop',
  'qwertyuiopasdfgh',
].map(plain)

/** The words of a token without what people decorate them with. */
function plain(token: string): string {
  return token.toLowerCase().replaceAll(/[\s_.\-<>{}$"'!]/g, '')
}

/** Why no request could carry a token in its header, or `undefined`. */
export function unsendable(token: string): string | undefined {
  return /[^\x21-\x7e]/.test(token)
    ? 'has a space or a character that no header can carry (printable ASCII without spaces can)'
    : undefined
}

/** Why a token is weak, or `undefined`. */
export function weaknessOf(token: string): string | undefined {
  if (token.length < MIN_LENGTH) return `is shorter than ${MIN_LENGTH} characters`
  const bare = plain(token)
  if (new Set(bare).size < 5) return 'repeats a few characters'
  if (WELL_KNOWN.some((word) => bare === word || bare === word + word)) return 'is well known'
  return undefined
}
