// Constants that browser and host share. Imports constants alone, so that pages load nothing else.

/** Version of this interface, the field `contract` of `GET /pub/health`. Minor versions only add to it. */
export const CONTRACT_VERSION = '1.0'
/** Management prefix unless `http.base` says otherwise. */
export const DEFAULT_API_PREFIX = '/api'
/** Console origin of development and preview. */
export const DEFAULT_CONSOLE_PORT = 5173
/** Host port unless `http.port` says otherwise. */
export const DEFAULT_HTTP_PORT = 8086
/** `localStorage` keys of a browser client. */
export const STORAGE_KEYS = { base: 'mynah_api_base', token: 'mynah_api_token' } as const
/** Browser event dispatched on `window` after a 401. */
export const AUTH_REQUIRED_EVENT = 'mynah:auth-required'
/** Replaces secrets in configurations, events and logs. Sent back, it leaves the stored secret unchanged. */
export const SECRET_MASK = '••••'
/** Milliseconds between two comment heartbeats of the event stream. */
export const STREAM_HEARTBEAT_MS = 15_000
// In a module of their own, so that only the pages of files load them.
export * from './file-limits.js'
