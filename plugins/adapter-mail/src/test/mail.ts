// Mails as other people's programs write them.
let made = 0

/** Returns a mail. A header that is `undefined` is left out. */
export function mail(text: string, headers: Readonly<Record<string, string | undefined>> = {}): string {
  const all: Record<string, string | undefined> = {
    From: 'Alice <alice@example.org>',
    To: 'bot@example.net',
    Date: new Date().toUTCString(),
    'Message-ID': `<m${++made}.${process.pid}@example.org>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': 'base64',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  const body =
    all['Content-Transfer-Encoding'] === 'base64'
      ? Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')
      : text
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`
}
