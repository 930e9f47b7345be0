import type { ServerConfig } from './config.js'

const MASK = '••••'
/** Shorter strings would mask ordinary words. */
const SHORTEST = 6

/** Masks the values of a server's environment and headers, and the words of them, wherever they stand. */
export function secretRedactor({ env = {}, headers = {} }: ServerConfig): (text: string) => string {
  const values = [...Object.values(env), ...Object.values(headers)]
  const secrets = [...values, ...values.flatMap((value) => value.split(/\s+/))].filter(
    ({ length }) => length >= SHORTEST,
  )
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text)
}
