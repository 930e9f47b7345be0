import type { HttpContext } from './request-state.js'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
]

/** Answers with a value as JSON. */
export function sendJson(ctx: HttpContext, status: number, value: unknown): void {
  const text = JSON.stringify(value) ?? 'null'
  ctx.status = status
  ctx.res.setHeader('content-type', JSON_TYPE)
  ctx.body = text
}
