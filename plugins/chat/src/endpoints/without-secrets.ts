import { isRecord, SECRET_MASK } from '@mynah/contract'

interface Schema {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Shorter texts are no secrets and occur in too many words. */
const SHORTEST_SECRET = 4

/** Returns a text without the values that a schema marks as secret, in their plain form and as addresses have them. */
export function withoutSecrets(text: string, schema: object, value: unknown): string {
  return secretsIn(schema as Schema, value)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length)
    .reduce((left, secret) => left.replaceAll(secret, SECRET_MASK), text)
}

function secretsIn(schema: Schema | undefined, value: unknown): string[] {
  if (typeof value === 'string') return schema?.secret && value.length >= SHORTEST_SECRET ? [value] : []
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(schema?.properties?.[key], inner))
}
