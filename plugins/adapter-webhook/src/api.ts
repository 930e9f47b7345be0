// What other plugins and peers in JavaScript may use: how requests are signed and checked.
export { mistakeIn, sign, SIGNATURE_HEADER, TIMESTAMP_HEADER, WINDOW_S, type SignedHeaders } from './signature.js'
