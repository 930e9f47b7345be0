import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Returns whether two secrets are the same. It compares digests, which have the same length and reveal nothing about
 * where the secrets differ. Two empty texts are the same: refuse an empty secret before.
 */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
