import { createHmac, timingSafeEqual } from 'node:crypto'

/** Header with the time of signing, in seconds since the epoch. */
export const TIMESTAMP_HEADER = 'x-mynah-timestamp'
/** Header with `sha256=` and the signature in hexadecimal. */
export const SIGNATURE_HEADER = 'x-mynah-signature'
/** Largest difference between the clocks of peer and host in both directions, in seconds. */
export const WINDOW_S = 300

/** The headers of a signed request. */
export type SignedHeaders = { readonly 'x-mynah-timestamp': string; readonly 'x-mynah-signature': string }

function signatureOf(secret: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
}

/**
 * Returns the headers that sign a body.
 *
 * @param now time of signing, in milliseconds since the epoch
 * @example
 * const headers = { 'content-type': 'application/json', ...sign(secret, body) }
 * await fetch(url, { method: 'POST', body, headers })
 */
export function sign(secret: string, body: string | Uint8Array, now = Date.now()): SignedHeaders {
  const timestamp = String(Math.floor(now / 1000))
  return {
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: `sha256=${signatureOf(secret, timestamp, body).toString('hex')}`,
  }
}

/** Returns why a signature is invalid, or `undefined` where it is valid. */
export function mistakeIn(
  secret: string,
  headers: Readonly<Record<string, unknown>>,
  body: Uint8Array,
  now = Date.now(),
): 'unsigned' | 'expired' | 'wrong' | undefined {
  const timestamp = headers[TIMESTAMP_HEADER]
  const [, sent] = /^sha256=([0-9a-f]{64})$/i.exec(String(headers[SIGNATURE_HEADER] ?? '')) ?? []
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp) || sent === undefined) return 'unsigned'
  if (!timingSafeEqual(Buffer.from(sent, 'hex'), signatureOf(secret, timestamp, body))) return 'wrong'
  // Checked after the signature, so that nothing about this clock is revealed without the key.
  return Math.abs(now / 1000 - Number(timestamp)) > WINDOW_S ? 'expired' : undefined
}
