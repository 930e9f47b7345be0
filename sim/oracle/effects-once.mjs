// No effect that is marked `once` happens twice.
export const effectsOnce = {
  name: 'no effect marked once happens twice',
  check: ({ effects }) =>
    [...effects].filter(([, times]) => times > 1).map(([effect, times]) => `${effect} happened ${times} times`),
}
