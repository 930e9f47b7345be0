/** Skips a test, or all tests of a hook, with the reason in their titles. */
export function skipBecause(context: Mocha.Context, reason = 'it does not work here'): never {
  const runnable = context.runnable() as Mocha.Runnable & { readonly type: string }
  if (runnable.type === 'hook') runnable.parent?.eachTest((test) => void (test.title += ` – skipped: ${reason}`))
  else runnable.title += ` – skipped: ${reason}`
  return context.skip()
}
