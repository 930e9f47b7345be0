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

/** Returns a token in lower case without separators and punctuation. */
function plain(token: string): string {
  return token.toLowerCase().replaceAll(/[\s_.\-<>{}$"'!]/g, '')
}

/** Returns why no request could carry a token in its header, or `undefined`. */
export function unsendableReason(token: string): string | undefined {
  return /[^\x21-\x7e]/.test(token)
    ? 'has a space or a character that no header can carry (only printable ASCII without spaces is allowed)'
    : undefined
}

/** Returns why a token is easy to guess, or `undefined`. */
export function weaknessReason(token: string): string | undefined {
  if (token.length < MIN_LENGTH) return `is shorter than ${MIN_LENGTH} characters`
  const bare = plain(token)
  if (new Set(bare).size < 5) return 'repeats a few characters'
  if (WELL_KNOWN.some((word) => bare === word || bare === word + word)) return 'is well known'
  return undefined
}
