import { skipBecause, type SkippedContext } from '@mynah/kernel/testing'

/** Skips a test about something that the adapter does not declare, or that its rig cannot do. */
export const lacks = (context: SkippedContext): never =>
  skipBecause(context, 'the adapter does not declare it, or its rig has no method for it')
