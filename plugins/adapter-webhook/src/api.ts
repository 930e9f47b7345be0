export { mistakeIn, sign, SIGNATURE_HEADER, TIMESTAMP_HEADER, WINDOW_S, type SignedHeaders } from './signature.js'
